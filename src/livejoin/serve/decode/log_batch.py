"""The records of the dead-letter topic and of the control log, as rows."""

from collections.abc import Sequence
from typing import Any

import orjson
import pyarrow as pa  # type: ignore[import-untyped]

from livejoin.model.column import ColumnType, Kind
from livejoin.model.table import DEAD_LETTERS, LEFT_TOPIC, RIGHT_TOPIC, TableColumn
from livejoin.serve.decode.batch import Record, arrow_table
from livejoin.wire import dead_letter


def _column(field: str, kind: Kind) -> TableColumn:
    return TableColumn(field, ColumnType(kind), field)


JUDGEMENT = _column("judgement", Kind.STRING)
LETTER_KIND = _column("kind", Kind.STRING)
EVENT = _column("event", Kind.STRING)
"""Which event was rejected: a letter that comes again, or is written by who judges otherwise, takes its place."""
DEAD_LETTER_BATCH = (*DEAD_LETTERS.columns, JUDGEMENT, LETTER_KIND, EVENT)

MESSAGE = _column("message", Kind.STRING)
CONTROL_COLUMNS = (
    _column(LEFT_TOPIC, Kind.STRING),
    _column(RIGHT_TOPIC, Kind.STRING),
    _column("joinType", Kind.STRING),
    _column("raw", Kind.STRING),
    _column("when", Kind.TIMESTAMP),
    _column("verdict", Kind.STRING),
    _column("reason", Kind.STRING),
)
"""What `control_raw` has, whatever its columns with the topics are called."""
CONTROL_BATCH = (*CONTROL_COLUMNS, MESSAGE)
"""A control message comes once when it arrives and once with its verdict; `message` names it both times."""


def parse_dead_letters(records: Sequence[Record]) -> pa.Table:
    """Rows of the dead-letter topic; the text is what the original bytes say as UTF-8."""
    return _table(DEAD_LETTER_BATCH, [_dead_letter(record) for record in records])


def parse_control_log(records: Sequence[Record]) -> pa.Table:
    """Rows of the control log."""
    return _table(CONTROL_BATCH, [_control_entry(record) for record in records])


def _table(columns: Sequence[TableColumn], rows: list[dict[str, Any]]) -> pa.Table:
    return arrow_table(columns, {column.field: [row[column.field] for row in rows] for column in columns})


def _control_entry(record: Record) -> dict[str, Any]:
    """Without topics where another version of livejoin has written it."""
    entry = orjson.loads(record.value())
    return {
        LEFT_TOPIC: entry.get("left_topic"),
        RIGHT_TOPIC: entry.get("right_topic"),
        "joinType": entry.get("join"),
        **{name: entry.get(name) for name in ("raw", "when", "verdict", "reason")},
        MESSAGE.field: record.key().decode(),
    }


def _dead_letter(record: Record) -> dict[str, Any]:
    headers = {name: value.decode() for name, value in record.headers()}
    return {
        "when": int(headers[dead_letter.TIMESTAMP]),
        "topic": headers[dead_letter.TOPIC],
        "partition": int(headers[dead_letter.PARTITION]),
        "offset": int(headers[dead_letter.OFFSET]),
        "reason": headers[dead_letter.REASON],
        "text": (record.value() or b"").decode(errors="replace"),
        JUDGEMENT.field: headers.get(dead_letter.JUDGEMENT, ""),
        LETTER_KIND.field: headers.get(dead_letter.KIND),
        EVENT.field: dead_letter.event_of(record.key().decode()),
    }
