"""Two sources, their key and what is kept of them, drafted from samples."""

from dataclasses import dataclass

from livejoin.draft.keys import SURE, Pair, likely_key
from livejoin.draft.names import source_names
from livejoin.draft.sample import Sample
from livejoin.draft.source import DraftedSource, draft_source
from livejoin.errors import LivejoinError
from livejoin.model.column import Column
from livejoin.model.declaration import Declaration, Keep, Source


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
            raise NothingToDraft(
                f"none of the newest {source.sample.count:,} events of {source.sample.topic!r} is an object with a "
                "field that could be a column",
                do="send some events to the topic first, or name another one",
            )
    one, other = sources
    key = likely_key(one, other)
    if not key:
        raise NothingToDraft(
            f"no column of {one.name} has the type of one of {other.name}: there is nothing to join them by",
            do="a key has the same type in both topics: correct who writes them, or name other topics",
        )
    keys = [pair.left for pair in key], [pair.right for pair in key]
    return Draft(one, other, key, _kept(one, keys[0], is_right=False), _kept(other, keys[1], is_right=True))


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
