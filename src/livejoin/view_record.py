"""What one record of a view topic means: written by the Spark query, read by every table server.

    value   JSON: `userId`, `v`, the version, and for each table a list of rows of that userId which are set or deleted:
            `id`, and the other columns (a null is left out), or `gone`, which is true
    key     which record this one replaces when the topic is compacted, and nothing else:
            `<table>/<row id>`      one row, as live events write it
            `progress/<userId>`     how far it is
            `everything/<userId>`   all rows and the progress, as a backfill writes them: one by one, they would take
                                    a table server nearly twice as long

In a topic that several generations use one after the other, the first record of each partition has the key `taken` and
as its value the number of the generation whose records follow. Who follows another one is at its end there.

A table that mirrors the joined one (`Request.mirrored`) has no rows of its own.

The version is the number of events of that userId so far. After a restart the pipeline emits rows again with lower or
equal versions; a reader keeps the highest and, among equals, the last. A delete has a value like everything else:
compaction would forget one without a value after a day, and the row that a backfill wrote among others would be back.

Progress follows the rows of every event: the position of the event that caused it (`s` source, `p` partition, `o`
offset, `t` Kafka timestamp in epoch milliseconds), and where a limit on the events kept of a userId is set, `c`, how
many events it has cut so far. The versions of all progress add up to the number of valid events read.
"""

FORMAT = 2
"""The number of the format above, which changes with it: who cannot read a view topic leaves it alone."""

VERSION = "v"
ROW_ID = "id"
GONE = "gone"
PROGRESS = "progress"
EVERYTHING = "everything"
TAKEN = "taken"
SOURCE = "s"
PARTITION = "p"
OFFSET = "o"
TIMESTAMP = "t"
CUT = "c"


def key_prefix(kind: str) -> str:
    """The beginning of every key of that table's rows, of `PROGRESS` or of `EVERYTHING`."""
    return f"{kind}/"
