"""What one record of a view topic means: written by the Spark query, read by every table server.

    key      `<table>/<row id>`, or `progress/<userId>`
    value    JSON: the row's columns (a null is left out) and `v`, the version; JSON null value: the row is gone
    headers  `v` as text, on records without a value only: a delete is versioned like any other change

A table that mirrors the joined one (`Request.mirrored`) has no records of its own.

The version is the number of events of that userId so far. After a restart the pipeline emits rows again with lower or
equal versions; a reader keeps the highest and, among equals, the last.

A progress record follows the rows of every event: `v`, and the position of the event that caused it (`s` source,
`p` partition, `o` offset, `t` Kafka timestamp in epoch milliseconds), and where a limit on the events kept of a userId
is set, `c`, how many events it has cut so far. The versions of all progress records add up to
the number of valid events read.
"""

VERSION = "v"
PROGRESS = "progress"
SOURCE = "s"
PARTITION = "p"
OFFSET = "o"
TIMESTAMP = "t"
CUT = "c"
SEPARATOR = "/"


def row_key_prefix(table: str) -> str:
    """The beginning of every key of that table's rows."""
    return f"{table}{SEPARATOR}"
