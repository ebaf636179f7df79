"""Two sources, their key and what is kept of them, drafted from samples."""

from dataclasses import dataclass
from itertools import product

from livejoin.draft.keys import SURE, Pair, known_by_record_key, likely_key
from livejoin.draft.names import likeness, source_names
from livejoin.draft.sample import Sample
from livejoin.draft.source import DraftedSource, draft_source
from livejoin.errors import LivejoinError
from livejoin.model.column import Column
from livejoin.model.declaration import Declaration, Keep, Source

FEW_PAIRS = 3
"""How many pairs of columns are named where none can be joined."""


class NothingToDraft(LivejoinError):
    """The newest events of two topics suggest no declaration."""


@dataclass(frozen=True)
class Kept:
    """What is kept of a source, and why."""

    keep: Keep
    why: str


@dataclass(frozen=True)
class Draft:
    """What `livejoin init` writes."""

    left: DraftedSource
    right: DraftedSource
    key: list[Pair]
    left_kept: Kept
    right_kept: Kept

    @property
    def is_sure(self) -> bool:
        """Whether names or values speak for the key."""
        return all(pair.score >= SURE for pair in self.key)

    @property
    def advice(self) -> list[str]:
        """What somebody should know before a key that is a guess is corrected, in sentences."""
        if self.is_sure:
            return []
        pairs = (self.left, self.right), (self.right, self.left)
        found = [(source, other, known_by_record_key(source, other)) for source, other in pairs]
        return [
            f"the record keys of {source.sample.topic} are values of {other.name}.{column.name}, but only the value "
            "of an event is read: let who writes it put the key there too"
            for source, other, column in found
            if column is not None
        ]

    @property
    def declaration(self) -> Declaration:
        """As it would be in force; raises DeclarationProblem."""
        left = Source(self.left.name, tuple(self.left.columns), self._names(0), self.left_kept.keep)
        right = Source(self.right.name, tuple(self.right.columns), self._names(1), self.right_kept.keep)
        return Declaration.of(left, right)

    def _names(self, side: int) -> tuple[str, ...]:
        return tuple((pair.left, pair.right)[side].name for pair in self.key)


def draft(left: Sample, right: Sample) -> Draft:
    """A declaration for the topics of two samples; raises NothingToDraft."""
    names = source_names(left.topic, right.topic)
    sources = [draft_source(name, sample) for name, sample in zip(names, (left, right), strict=True)]
    for source in sources:
        if not source.columns:
            raise _nothing_in(source)
    one, other = sources
    key = likely_key(one, other)
    if not key:
        raise NothingToDraft(
            f"no column of {one.name} has the type of one of {other.name}: there is nothing to join them by"
            + _called_alike(one, other),
            do="a key has the same type in both topics: correct who writes them, or name other topics",
        )
    keys = [pair.left for pair in key], [pair.right for pair in key]
    return Draft(one, other, key, _kept(one, keys[0], is_right=False), _kept(other, keys[1], is_right=True))


def _nothing_in(source: DraftedSource) -> NothingToDraft:
    topic = repr(source.sample.topic)
    if not source.unread:
        return NothingToDraft(f"{topic} has no events yet", do="send it some, or name another topic")
    return NothingToDraft(
        f"none of the newest {source.sample.count:,} events of {topic} has a field that could be a column: "
        f"{source.unread}",
        do="livejoin reads JSON objects: name a topic that has some, or let who writes it send them",
    )


def _called_alike(left: DraftedSource, right: DraftedSource) -> str:
    """Which columns might have been joined if they had the same type, in words."""
    alike = [
        f"{left.name}.{one.name} is {one.type} and {right.name}.{other.name} is {other.type}"
        for one, other in product(left.columns, right.columns)
        if likeness((left.name, one), (right.name, other))
    ]
    return f" ({'; '.join(alike[:FEW_PAIRS])})" if alike else ""


def _kept(source: DraftedSource, key: list[Column], *, is_right: bool) -> Kept:
    if source.sample.compacted:
        return Kept(Keep.LATEST, "the topic is compacted: the broker forgets all but the newest event of a record key")
    found = [tuple(event.fields.get(column.path) for column in key) for event in source.sample.events]
    keys = [each for each in found if None not in each]
    if len(set(map(str, keys))) == len(keys):
        return Kept(Keep.LATEST, "no key occurs twice among the newest events")
    if is_right and _keyed_by(source, key):
        return Kept(Keep.LATEST, "record keys are the key: a newer event seems to replace the one before")
    return Kept(Keep.ALL, "keys occur more than once: every event is a row; latest keeps the newest of each key only")


def _keyed_by(source: DraftedSource, key: list[Column]) -> bool:
    if len(key) != 1:
        return False
    events = [event for event in source.sample.events if event.key]
    same = sum(event.key == str(event.fields.get(key[0].path)).encode() for event in events)
    return bool(events) and same / len(events) > 0.9
