"""How far the dead letters of two sources are: that belongs to the topics and to how they are judged.

It does not belong to a generation. Another join of the same topics rejects the same events, so its dead letters go on
where those before have ended, and a bad event is written once. A topic that was created again is another one.
"""

import json
import shutil
from pathlib import Path

from livejoin.errors import Refused, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.model.declaration import Side
from livejoin.model.generation import Generation
from livejoin.model.judgement import judgement
from livejoin.secrecy.private_file import replace
from livejoin.settings.settings import Settings

ABOUT = "topics.json"
"""The topics that a checkpoint is about, with their ids."""
QUERY = "query"


def letter_checkpoints(settings: Settings) -> Path:
    """The folder with a folder for each two sources: what is done is done for one topic of dead letters."""
    return settings.data_dir / "dead-letters" / settings.topics.prefix


def letter_checkpoint(settings: Settings, generation: Generation) -> Path:
    """The checkpoint of the dead letters of a generation, and of every other one that rejects the same."""
    return letter_checkpoints(settings) / "-".join(judgement(generation, side) for side in Side) / QUERY


def open_letter_checkpoint(settings: Settings, cluster: Cluster, generation: Generation) -> None:
    """Note which topics it is about, and remove those that are about topics which are gone."""
    folder, topics = letter_checkpoint(settings, generation).parent, [*generation.request.topics.values()]
    folder.mkdir(parents=True, exist_ok=True)
    about = {topic: generation.topic_ids[topic] for topic in topics}
    replace(folder / ABOUT, json.dumps(about))
    for other in letter_checkpoints(settings).iterdir():
        if other != folder and _is_gone(cluster, other / ABOUT):
            shutil.rmtree(other, ignore_errors=True)


def _is_gone(cluster: Cluster, about: Path) -> bool:
    try:
        ids: dict[str, str] = json.loads(about.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        # What it is about is not known, and so neither is whether that is gone.
        return False
    try:
        return any(found.topic_id != ids[topic] for topic, found in cluster.describe(ids).items())
    except TopicMissing:
        return True
    except Refused:
        # Who may not know of a topic cannot say that it is gone.
        return False
