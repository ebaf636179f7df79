"""Which events of a source are rejected: the same of every generation that reads the same topic in the same way."""

import hashlib

from livejoin.model.declaration import Side
from livejoin.model.generation import Generation, Start


def judgement(generation: Generation, side: Side) -> str:
    """A name for what rejects the events of a side: the topic, its id, the columns, and a beginning that was chosen."""
    request = generation.request
    source, topic = request.declaration.source(side), request.topic_of(side)
    begin = sorted(generation.source_starts.get(source.name, {}).items()) if request.start is Start.LATEST else None
    same = [topic, generation.topic_ids.get(topic), repr(source.columns), source.key, begin]
    return hashlib.sha256(repr(same).encode()).hexdigest()[:16]
