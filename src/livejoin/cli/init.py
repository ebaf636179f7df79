"""`livejoin init`: a first livejoin.toml for two topics, drafted from their newest events."""

from pathlib import Path
from typing import Annotated

import typer

from livejoin.cli.options import Config, Set, settings_from
from livejoin.draft.declaration import NothingToDraft, draft
from livejoin.draft.sample import Sample, read_sample
from livejoin.draft.text import drafted, kafka_section, replaced
from livejoin.errors import RightMissing, SettingsError
from livejoin.kafka.cluster import Cluster
from livejoin.model.column import DeclarationProblem
from livejoin.secrecy.private_file import replace
from livejoin.settings.loader import DEFAULT_FILE, read_toml
from livejoin.topics.plan import POLICY
from livejoin.visible import visible

ANSWER_SECONDS = 10.0

LeftTopic = Annotated[str, typer.Argument(metavar="LEFT_TOPIC", help="Whose rows a left join shows in any case.")]
RightTopic = Annotated[str, typer.Argument(metavar="RIGHT_TOPIC", help="What is joined to them.")]
Events = Annotated[int, typer.Option("--events", min=1, help="How many of the newest events of each topic are read.")]
Output = Annotated[Path, typer.Option("--output", help="The file that is written.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace the declaration in a file that is there; its other sections stay.")
]


def init(
    left_topic: LeftTopic,
    right_topic: RightTopic,
    events: Events = 5_000,
    output: Output = DEFAULT_FILE,
    *,
    force: Force = False,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Write a livejoin.toml that declares two topics: columns, types, likely keys, and what would not fit."""
    if output.exists() and not force:
        raise SettingsError(
            f"{output} is there already",
            do="write another file with --output, or replace what it declares with --force: its other sections stay",
        )
    has_kafka = output.exists() and "kafka" in read_toml(output)
    settings = settings_from(config, set_)
    cluster = Cluster(settings.people_client)
    cluster.wait_until_reachable(ANSWER_SECONDS)
    most = settings.events.max_bytes
    left, right = (_sample(cluster, topic, events, most) for topic in (left_topic, right_topic))
    found = draft(left, right)
    try:
        declaration = found.declaration
    except DeclarationProblem as problem:
        raise NothingToDraft(f"what these events suggest cannot be declared: {problem}") from problem
    text = drafted(found)
    before = output.read_text(encoding="utf-8") if output.exists() else ""
    if before:
        text = replaced(before, text)
    replace(output, text if has_kafka else text + kafka_section(settings.kafka))
    pairs = zip(declaration.left.key, declaration.right.key, strict=True)
    on = " and ".join(f"{found.left.name}.{one} = {found.right.name}.{other}" for one, other in pairs)
    typer.echo(visible(f"{output}: {found.left.name} and {found.right.name}, joined by {on}"))
    if not found.is_sure:
        typer.echo("the key is a guess: neither names nor values speak for it")
    for advice in found.advice:
        typer.echo(visible(advice))
    option = "" if output == DEFAULT_FILE else f" --config {output}"
    typer.echo(visible(f"look at it, then try it: livejoin check{option}"))


def _sample(cluster: Cluster, topic: str, events: int, max_bytes: int) -> Sample:
    cluster.partitions(topic)
    try:
        compacted = "compact" in cluster.configuration(topic).get(POLICY, "")
    except RightMissing:
        compacted = False
    return read_sample(cluster, topic, events, max_bytes, compacted=compacted)
