"""Demo events about any other declaration: plausible values by the types and the names of its columns."""

import random
from datetime import UTC, date, datetime, timedelta
from typing import Any

import orjson

from livejoin.local.demo.row import Row, record_key, record_value
from livejoin.local.demo.values import digits, instant, is_id, is_lasting, numbered, value_of
from livejoin.model.column import Column, Kind
from livejoin.model.declaration import Declaration, Keep, Side, Source
from livejoin.words import words_of

LEFT_OUT = 0.04
"""How often a field is missing that may be."""
GROUPS = 5
"""How many values the columns of a composite key have, but for its last one."""
FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)
WRONG: dict[Kind, Any] = {
    Kind.STRING: 42,
    Kind.LONG: "many",
    Kind.DOUBLE: "a lot",
    Kind.BOOLEAN: "maybe",
    Kind.DECIMAL: "a lot",
    Kind.TIMESTAMP: "yesterday",
    Kind.DATE: "2024-02-31",
}


class Anything:
    """Rows of both sources, whose keys match."""

    def __init__(self, declaration: Declaration, chance: random.Random) -> None:
        self._declaration = declaration
        self._random = chance
        self._made = dict.fromkeys(Side, 0)

    def first(self, side: Side, number: int, at: datetime) -> Row:
        """A row whose key is that number, and whose values are those of that number in every run, but for times."""
        fate = random.Random(f"{side}{number}")  # noqa: S311 - demo data, not secrets
        return self._row(side, number, fate, at)

    def changed(self, side: Side, row: Row, at: datetime) -> Row:
        """Another row of the same key, where every event is kept and has an id of its own; else the same one, newer."""
        source = self._declaration.source(side)
        key = {name: row[name] for name in source.key}
        if source.keep is Keep.ALL and any(is_id(column) for column in source.fields) and self._random.random() < 0.5:
            return {**self._row(side, 0, self._random, at), **key}
        fields = [column for column in source.fields if not is_lasting(column)]
        chosen = self._random.sample(fields, k=min(len(fields), self._random.randint(1, 2)))
        return {**row, **{column.name: value_of(column, self._random, at) for column in chosen}}

    def bad(self, number: int, at: datetime) -> tuple[Side, bytes, bytes]:
        """Malformed, without a key, of a wrong type, or no object."""
        side = self._random.choice(list(Side))
        source = self._declaration.source(side)
        row = self._row(side, number, random.Random(number), at)  # noqa: S311 - demo data, not secrets
        good, wrong = record_value(source, row), self._random.choice(source.columns)
        values = [
            good[:-3],
            record_value(source, {name: row[name] for name in row if name != source.key[-1]}),
            record_value(source, {**row, wrong.name: WRONG[wrong.type.kind]}),
            orjson.dumps(list(row.values())),
            f"{wrong.name} of {source.name}".encode(),
        ]
        return side, record_key(source, row), self._random.choice(values)

    def _row(self, side: Side, number: int, fate: random.Random, at: datetime) -> Row:
        source = self._declaration.source(side)
        self._made[side] += 1
        row: Row = {}
        for column in source.columns:
            if column.name in source.key:
                row[column.name] = self._key(source, column, number)
            elif is_id(column):
                row[column.name] = numbered(column, self._made[side])
            elif fate.random() >= LEFT_OUT:
                row[column.name] = value_of(column, fate, at)
        return row

    def _key(self, source: Source, column: Column, number: int) -> Any:
        """The same on both sides, so it is named after the left one."""
        at = source.key.index(column.name)
        is_last = at == len(source.key) - 1
        number = number if is_last else number % GROUPS
        kind = column.type
        match kind.kind:
            case Kind.STRING:
                initial = next(iter("".join(words_of(self._declaration.left.key[at]))), "k")
                return f"{initial}-{number + 1:05d}" if is_last else f"{initial}{number + 1}"
            case Kind.BOOLEAN:
                return bool(number % 2)
            case Kind.DECIMAL:
                whole = kind.precision - kind.scale
                units = (number + 1) % 10 ** min(whole or kind.scale, 9)
                return units if whole else digits(units, kind.scale)
            case Kind.TIMESTAMP:
                return instant(FIRST_DAY + timedelta(hours=number), millis=kind.millis)
            case Kind.DATE:
                return (date(2024, 1, 1) + timedelta(days=number % 3650)).isoformat()
            case _:
                return 1000 + number if is_last else number + 1
