"""The records of the dead-letter topic and of the control log, as rows."""

from collections.abc import Sequence
from typing import Any

import orjson
import pyarrow as pa  # type: ignore[import-untyped]

from livejoin import dead_letter
from livejoin.schema import CONTROL_RAW, DEAD_LETTERS, Column, ColumnType
from livejoin.serve.decode import Record, arrow_table

GENERATION = Column("generation", ColumnType.LONG)
DEAD_LETTER_BATCH = (*DEAD_LETTERS.columns, GENERATION)

MESSAGE = Column("message", ColumnType.STRING)
CONTROL_BATCH = (*CONTROL_RAW.columns, MESSAGE)
"""A control message comes once when it arrives and once with its verdict; `message` names it both times."""


def parse_dead_letters(records: Sequence[Record]) -> pa.Table:
    """Rows of the dead-letter topic; the text is what the original bytes say as UTF-8."""
    return _table(DEAD_LETTER_BATCH, [_dead_letter(record) for record in records])


def parse_control_log(records: Sequence[Record]) -> pa.Table:
    """Rows of the control log: JSON with the columns of the table, an instant as epoch milliseconds."""
    return _table(CONTROL_BATCH, [_control_entry(record) for record in records])


def _table(columns: Sequence[Column], rows: list[dict[str, Any]]) -> pa.Table:
    return arrow_table(columns, {column.name: [row.get(column.name) for row in rows] for column in columns})


def _control_entry(record: Record) -> dict[str, Any]:
    return {**orjson.loads(record.value()), MESSAGE.name: record.key().decode()}


def _dead_letter(record: Record) -> dict[str, Any]:
    headers = {name: value.decode() for name, value in record.headers()}
    return {
        "when": int(headers[dead_letter.TIMESTAMP]),
        "topic": headers[dead_letter.TOPIC],
        "partition": int(headers[dead_letter.PARTITION]),
        "offset": int(headers[dead_letter.OFFSET]),
        "reason": headers[dead_letter.REASON],
        "text": (record.value() or b"").decode(errors="replace"),
        GENERATION.name: int(headers[dead_letter.GENERATION]),
    }
