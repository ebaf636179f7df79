"""The columns of a source, drafted from a sample of its events."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from livejoin.draft.kind import accepted, held, misfit, suggested, word_for
from livejoin.draft.names import column_name, suggests_identity
from livejoin.draft.sample import Array, Event, Leaf, Nested, Path, Sample
from livejoin.model.column import Column, ColumnType, Kind
from livejoin.model.declaration import MOST_COLUMNS

FEW_COLUMNS = MOST_COLUMNS // 2
"""A source with more fields than that has some which nobody wants to look at."""


@dataclass(frozen=True)
class LeftOut:
    """A field that is no column, and why."""

    path: Path
    why: str


@dataclass(frozen=True)
class DraftedSource:
    """A source as a sample suggests it."""

    name: str
    sample: Sample
    columns: list[Column]
    left_out: list[LeftOut]

    @cached_property
    def unread(self) -> str:
        """What was read of the topic instead of events with fields, in words; empty where it has no events at all."""
        counts = Counter(self.sample.unread)
        if self.sample.tombstones:
            counts["a tombstone"] = self.sample.tombstones
        if self.sample.events:
            counts["an object without a field that could be a column"] = len(self.sample.events)
        return ", ".join(f"{count:,} x {what}" for what, count in counts.most_common())

    @cached_property
    def present(self) -> dict[str, int]:
        """In how many events each column has a value."""
        return {
            column.name: sum(event.fields.get(column.path) is not None for event in self.sample.events)
            for column in self.columns
        }

    @cached_property
    def values(self) -> dict[Column, list[Leaf]]:
        """The values of each column, of the events that have one which fits."""
        return {
            column: [
                value
                for value in (event.fields.get(column.path) for event in self.sample.events)
                if value is not None and accepted(column.type, value)
            ]
            for column in self.columns
        }

    @cached_property
    def different(self) -> dict[Column, set[object]]:
        """The different values of each column, as they are held."""
        return {column: {held(column.type, value) for value in found} for column, found in self.values.items()}

    def misfits(self, key: Iterable[str]) -> Counter[str]:
        """Why events would be dead letters, where these columns are the key; how many of each."""
        keys = set(key)
        reasons = Counter(self.sample.unread)
        for event in self.sample.events:
            reason = self._misfit(event, keys)
            if reason is not None:
                reasons[reason] += 1
        return reasons

    def _misfit(self, event: Event, keys: set[str]) -> str | None:
        for column in sorted(self.columns, key=lambda each: each.name not in keys):
            value = event.fields.get(column.path)
            for length in range(1, len(column.path)):
                parent = event.fields.get(column.path[:length])
                if parent is not None and not isinstance(parent, Nested):
                    return f"{'.'.join(column.path[:length])} is {word_for(parent)}, not an object"
            if value is None:
                if column.name in keys:
                    return f"{column.name} is missing"
            elif not accepted(column.type, value):
                return misfit(column.name, column.type, value)
            elif value == "" and column.name in keys:
                return f"{column.name} is empty"
        return None


def draft_source(name: str, sample: Sample) -> DraftedSource:
    """The columns that the events of a sample suggest, in the order in which they first appear."""
    by_path: dict[Path, list[Leaf]] = {}
    for event in sample.events:
        for path, value in event.fields.items():
            by_path.setdefault(path, []).append(value)
    columns: list[Column] = []
    left_out: list[LeftOut] = []
    nested: set[Path] = set()
    for path, values in sorted(by_path.items(), key=lambda item: len(item[0])):
        found = suggested(path[-1], values)
        if found is Nested:
            nested.add(path)
        elif path[:-1] and path[:-1] not in nested:
            left_out.append(LeftOut(path, f"{'.'.join(path[:-1])} is an object in a few events only"))
        elif found is None:
            left_out.append(LeftOut(path, f"null in all of its {len(values):,} events"))
        elif found is Array:
            left_out.append(LeftOut(path, "an array"))
        elif (called := column_name(path, {column.name for column in columns})) is None:
            left_out.append(LeftOut(path, "its name cannot be that of a column"))
        elif isinstance(found, ColumnType):
            columns.append(Column(called, found, path))
    order = list(by_path)
    columns.sort(key=lambda column: order.index(column.path))
    return _bounded(DraftedSource(name, sample, columns, left_out))


def _bounded(drafted: DraftedSource) -> DraftedSource:
    if len(drafted.columns) <= FEW_COLUMNS:
        return drafted
    # Of those that are there as often, what may be a key is kept rather than what stands first.
    often = sorted(
        drafted.columns, key=lambda column: (-drafted.present[column.name], not suggests_identity(column.name))
    )[:FEW_COLUMNS]
    kept = [column for column in drafted.columns if column in often]
    dropped = [
        LeftOut(column.path, f"a {Kind(column.type.kind)}; there are more than {FEW_COLUMNS} columns")
        for column in drafted.columns
        if column not in often
    ]
    return DraftedSource(drafted.name, drafted.sample, kept, [*drafted.left_out, *dropped])
