"""Finds rows that are gone although nothing has ended them, and those that are back although something has.

A page draws a part of a table: the rows at some places. A generation keeps the order of its rows, for as long as one
table server has it. So a row is gone when everything is drawn between its neighbours, or up to an end of the table, and
it is not there.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field

from frame_history import History, Sent
from join_model import Order


@dataclass(frozen=True, slots=True)
class Drawn:
    """What of a table is drawn, by what makes a row that row: its place in the table, and the event it stands for."""

    rows: Mapping[Hashable, tuple[int, Sent | None]]
    size: int
    """How many rows the whole table has."""


@dataclass
class LostRows:
    """Looks at one table of one frame after the other."""

    history: History
    limit: int
    """How many events of a key are kept."""
    _before: Drawn = field(default_factory=lambda: Drawn({}, 0))
    _way: tuple[str, int] = ("", 0)
    """The generation, and the connection, by which that was drawn."""
    _ended: dict[str, tuple[int, Order]] = field(default_factory=dict)
    """By key: the life of a topic, and the tombstone in it that was seen to have ended rows."""

    def look(self, drawn: Drawn, generation: str, connection: int) -> Iterator[str]:
        """Tell what is wrong with the rows that are drawn now."""
        way = generation, connection
        if way == self._way:
            for row in self._gone(drawn):
                yield from self._note_gone(row)
        if way == self._way or drawn != self._before:
            # What was drawn when a connection was lost stays until something comes by the next one.
            self._before, self._way = drawn, way
        for _, sent in drawn.rows.values():
            if sent is not None and self._is_ended(sent):
                yield f"{sent.key} shows {sent.mark} again, which was ended"

    def _gone(self, now: Drawn) -> Iterator[Hashable]:
        """The rows of before that would be among what is drawn now."""
        before = sorted(self._before.rows, key=lambda row: self._before.rows[row][0])
        places = [now.rows[row][0] for row in before if row in now.rows]
        if places != sorted(places):
            return
        drawn, above = {place for place, _ in now.rows.values()}, -1
        waiting: list[Hashable] = []
        for row in [*before, None]:
            if row is not None and row not in now.rows:
                waiting.append(row)
                continue
            below = now.size if row is None else now.rows[row][0]
            if drawn.issuperset(range(above + 1, below)):
                yield from waiting
            waiting, above = [], below

    def _note_gone(self, row: Hashable) -> Iterator[str]:
        _, sent = self._before.rows[row]
        if sent is None:
            return
        tombstone = self.history.ended_by(sent)
        if tombstone is not None:
            ended = sent.life, tombstone.as_event().order
            self._ended[sent.key] = max(ended, self._ended.get(sent.key, ended))
        elif self.history.newer(sent) < self.limit:
            yield f"{sent.key} lost {sent.mark}, which nothing has ended"

    def _is_ended(self, sent: Sent) -> bool:
        life, order = self._ended.get(sent.key, (-1, sent.as_event().order))
        return life == sent.life and sent.as_event().order < order
