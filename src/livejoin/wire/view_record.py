"""What one record of a view topic means: written by the Spark query, read by every table server.

    value   JSON: `k0`, `k1`, ... the columns of the key; `e`, the epoch; `v`, the version; and for each of `left`,
            `right` and `joined` a list of rows of that key which are set or deleted: `id`, and the other columns (a
            null is left out), or `gone`, which is true
    key     which record this one replaces when the topic is compacted, and nothing else:
            `<left|right|joined>/<row id>`   one row, as live events write it
            `progress/<key>`                 how far it is
            `everything/<key>`               all rows and the progress, as a backfill writes them: one by one, they
                                             would take a table server nearly twice as long

Columns have plain names (`livejoin.model.table`): `l` or `r` and the column's place in the declaration. A string is a
JSON string, a long or double a number, a boolean a boolean, a decimal a string with its digits, a timestamp the number
of nanoseconds and a date the number of days since 1970. The key as a text is the key itself where it is one string,
else JSON.

Everything of a key is in one partition, in its order, whatever the keys of its records are.

In a topic that several generations use one after the other, the first record of each partition has the key `taken` and
as its value the generation whose records follow, with the epoch at which it took the topic (`Taken`). Who follows one
that took it earlier is at its end there. The generation's own record has that epoch too: what has a lower one was
written by who had the topic before, and is nobody's, wherever it lies.

A table that mirrors the joined one (`Request.mirrored`) has no rows of its own: those of the joined one have all of its
columns.

The version is the number of events of that key so far, and the epoch the number of the start of queries that wrote the
record: every start has a higher one than all before it, whichever pipeline it was of. Of two records about a row that
of the higher epoch counts, of one epoch that of the higher version, and among equals the last. So what a pipeline
writes that was replaced never wins, and neither does what was counted before compaction of the source took some of it.
After a restart, the first that is emitted of a key is not older than what was emitted before. A delete has a value like
everything else: compaction would forget one without a value after a day, and the row that a backfill wrote among others
would be back.

Progress follows the rows of every event: the position of the event that caused it (`s` side, `p` partition, `o`
offset, `t` Kafka timestamp in epoch milliseconds), and where a limit on the events kept of a key is set, `c`, how many
events it has cut so far. The versions of all progress add up to the number of valid events read.
"""

import json
from dataclasses import asdict, dataclass

from livejoin.model.declaration import Side
from livejoin.model.generation import Generation, Request
from livejoin.model.table import Table, Tables

FORMAT = 5
"""The number of the format above, which changes with it and with what row ids mean to the pipeline: who cannot read a
view topic, or go on with it, leaves it alone."""

EPOCH = "e"
VERSION = "v"
ROW_ID = "id"
GONE = "gone"
JOINED = "joined"
"""The rows of the joined table, as `left` and `right` are those of the sources."""
PROGRESS = "progress"
EVERYTHING = "everything"
TAKEN = "taken"
SOURCE = "s"
PARTITION = "p"
OFFSET = "o"
TIMESTAMP = "t"
CUT = "c"


@dataclass(frozen=True, slots=True)
class Taken:
    """The word of a generation that a topic is its own, from that epoch on."""

    generation: int
    epoch: int

    def to_json(self) -> bytes:
        """As it is written."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def read(cls, value: bytes | None) -> "Taken":
        """As it is read; raises ValueError where it is no such word."""
        given = json.loads(value or b"")
        if not isinstance(given, dict) or not all(isinstance(given.get(name), int) for name in ("generation", "epoch")):
            raise ValueError("not the word of a generation that a topic is its own")
        return cls(given["generation"], given["epoch"])


def key_prefix(kind: str) -> str:
    """The beginning of the key of every such row, of `PROGRESS` or of `EVERYTHING`."""
    return f"{kind}/"


def is_readable(generation: Generation) -> bool:
    """Whether its view topic is written as this version of livejoin writes and reads them."""
    return generation.view_format == FORMAT


def row_fields(request: Request, kind: str) -> list[str]:
    """The columns, besides the key, of a row of `left`, `right` or `joined`."""
    tables = Tables(request.declaration)
    if kind != JOINED:
        return _without_key(tables.of_left if kind == Side.LEFT else tables.of_right)
    shown = _without_key(tables.joined)
    mirrored = [] if request.mirrored is None else row_fields(request, request.mirrored)
    return list(dict.fromkeys([*mirrored, *shown]))


def _without_key(table: Table) -> list[str]:
    return [column.field for column in table.columns if not column.field.startswith("k")]
