"""What a query would read next, as its checkpoint has it.

Spark writes where a batch ends to `offsets`, and marks it in `commits` when all of it is done: a batch without that
mark is read again from where the one before has ended. Before the first mark, reading begins where `sources` says.
"""

import json
from collections.abc import Iterator
from pathlib import Path

Offsets = dict[str, dict[int, int]]
"""By topic and partition."""


def next_offsets(query: Path) -> Offsets:
    """The next offset of each partition that the checkpoint of a query knows; nothing where it has not begun."""
    done = [int(batch.name) for batch in (query / "commits").glob("[0-9]*")]
    files = [query / "offsets" / str(max(done))] if done else sorted((query / "sources").glob("*/0"))
    found: Offsets = {}
    for topic, offsets in (place for file in files for place in _places(file)):
        # Both sources may be one topic: then the one that is behind counts.
        others = found.get(topic, offsets)
        found[topic] = {p: min(offsets.get(p, 0), others.get(p, 0)) for p in offsets.keys() | others.keys()}
    return found


def _places(file: Path) -> Iterator[tuple[str, dict[int, int]]]:
    """The topics of a file: a line of JSON for each source, below the version, and what the batch was run with."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("{") and '"batchTimestampMs"' not in line:
            for topic, offsets in json.loads(line).items():
                yield topic, {int(partition): offset for partition, offset in offsets.items()}
