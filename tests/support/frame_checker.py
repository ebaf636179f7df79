"""Proves, from painted frames and the history of what was sent, that no viewer saw anything wrong.

one generation    a frame shows rows of the pair that the status names, of one life of each topic, and no table of
                  it is empty; a generation never shows another pair, or another life
prefix            what is shown of a key in a table is what the model says, cell by cell, of some prefix of every
                  partition that the key's events are in; all of that where the whole table is drawn
never back        the account that is shown of a key never becomes older, and is gone after a tombstone only, for as
                  long as somebody looks on, whatever is reloaded, swapped or taken over; nor is any other row gone
                  from among those that are drawn, and what a tombstone has ended does not come back
end               when nothing is sent any more, all tables are what the model says of everything that was
                  acknowledged: nothing is missing, and nothing else is there
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from frame_history import KEY, MAX_BYTES, History, Sent, pair_of, request_of
from join_model import Order, tables
from livejoin.model.declaration import Side
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Tables
from livejoin.settings.generation import KeepSettings
from lost_rows import Drawn, LostRows

USERS, ACCOUNTS, FINAL = (view.name for view in Tables(DEFAULT).views)
COLUMNS = {view.name: [column.name for column in view.columns] for view in Tables(DEFAULT).views}
"""The columns of each table, in the order of the model's rows."""
SIDES = {USERS: (Side.LEFT,), ACCOUNTS: (Side.RIGHT,), FINAL: (Side.LEFT, Side.RIGHT)}
"""Whose events a row of each table is made of."""
MARKED = {Side.LEFT: "name", Side.RIGHT: "balance"}
TOLD = 20

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """What was painted: the generation and the users topic that the status names, and the visible rows."""

    generation: str
    left: str
    tables: Mapping[str, Sequence[Row]]
    places: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Where in its table each row stands; without it, all of the table is visible."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """How many rows a table has."""
    connection: int = 0
    """How often the page had lost the one before."""

    def size(self, table: str) -> int:
        """How many rows a table has, visible or not."""
        return self.sizes.get(table, len(self.tables[table]))

    def is_whole(self, table: str) -> bool:
        """Whether every row of a table is visible."""
        return self.size(table) == len(self.tables[table])

    @property
    def pair(self) -> str:
        """The pair that the status names."""
        return pair_of(self.left)


class FrameChecker:
    """Looks at one frame after the other, in the order in which they were painted."""

    def __init__(self, history: History) -> None:
        self.frames = 0
        self.wrong: list[str] = []
        """What was wrong, in words; the first of it."""
        self.last: Frame | None = None
        self._history = history
        self._rows = {table: LostRows(history, KeepSettings().limit) for table in SIDES}
        self._newest: dict[tuple[str, str], tuple[Order, Sent]] = {}
        self._shown: dict[str, tuple[str, dict[str, int]]] = {}
        """What each generation has shown: its pair, and which life of each topic."""
        self._right: set[tuple[Any, ...]] = set()
        """What was compared with the model and found right: frames repeat most of each other."""

    def look(self, frame: Frame) -> None:
        """Check one more frame."""
        found = [*self._one_generation(frame), *self._prefix(frame), *self._never_back(frame), *self._lost(frame)]
        self.wrong += [f"frame {self.frames}, generation {frame.generation}: {what}" for what in found]
        del self.wrong[TOLD:]
        self.frames += 1
        self.last = frame

    def _one_generation(self, frame: Frame) -> Iterator[str]:
        yield from (f"{table} is empty" for table, rows in frame.tables.items() if not rows)
        pairs = {pair_of(str(row[KEY])) for rows in frame.tables.values() for row in rows}
        if pairs - {frame.pair}:
            yield f"rows of {sorted(pairs)} where the status says {frame.pair}"
        pair, lives = self._shown.setdefault(frame.generation, (frame.pair, {}))
        if pair != frame.pair:
            yield f"shows {frame.pair}, and showed {pair} before"
        for sent in (one for found in self._events(frame).values() for one in found):
            life = lives.setdefault(sent.topic, sent.life)
            if life != sent.life:
                yield f"shows life {sent.life} of {sent.topic}, and life {life} of it"

    def _events(self, frame: Frame) -> dict[tuple[str, str], list[Sent]]:
        """What the rows of each key in each table are made of, as far as that was sent."""
        found: dict[tuple[str, str], list[Sent]] = {}
        for table, rows in frame.tables.items():
            for row in rows:
                made_of = found.setdefault((table, str(row[KEY])), [])
                marks = ((side, mark_of(row, side)) for side in SIDES[table])
                made_of += [one for side, mark in marks if mark is not None and (one := self._history.find(side, mark))]
        return found

    def _prefix(self, frame: Frame) -> Iterator[str]:
        events = self._events(frame)
        for (table, key), made_of in events.items():
            rows = Counter(_cells(table, row) for row in frame.tables[table] if str(row[KEY]) == key)
            compared = (table, key, frame.is_whole(table), frozenset(rows.items()))
            if compared in self._right:
                continue
            if foreign := [sent for sent in made_of if sent.key != key]:
                yield f"{table} {key} shows what was sent of {sorted({sent.key for sent in foreign})}"
            expected = tables(self._history.up_to(made_of), request_of(frame.pair), MAX_BYTES)[table]
            if not_expected := rows - expected:
                yield f"{table} {key} shows {[*not_expected]}, and the model {[*expected][-3:]} of what was sent"
            elif frame.is_whole(table) and (missing := self._missed(table, expected - rows)):
                yield f"{table} {key} does not show {missing}, which was sent before what it shows"
            else:
                self._right.add(compared)

    def _missed(self, table: str, rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Those that no tombstone has ended: one of another partition may have come of which nothing is shown."""
        side = SIDES[table][0]
        marks = {row: mark_of(dict(zip(COLUMNS[table], row, strict=True)), side) for row in rows}
        sent = {row: self._history.find(side, mark) for row, mark in marks.items() if mark is not None}
        return [row for row, one in sent.items() if one is not None and self._history.ended_by(one) is None]

    def _never_back(self, frame: Frame) -> Iterator[str]:
        for table in (ACCOUNTS, FINAL):
            for row in frame.tables.get(table, ()):
                key, mark = (table, str(row[KEY])), mark_of(row, Side.RIGHT)
                sent = None if mark is None else self._history.find(Side.RIGHT, mark)
                before = self._newest.get(key)
                if sent is not None and sent.key == key[1]:
                    # What a topic held in a life before is gone with it.
                    order = sent.as_event().order
                    if before is None or before[1].life < sent.life or order > before[0]:
                        self._newest[key] = order, sent
                    elif before[1].life > sent.life or order < before[0]:
                        yield f"{table} {key[1]} went back from {before[1].mark} to {mark}"
                elif mark is None and before is not None and self._is_lost(before[1]):
                    yield f"{table} {key[1]} lost its account {before[1].mark}"
        if frame.is_whole(ACCOUNTS):
            shown = {str(row[KEY]) for row in frame.tables[ACCOUNTS]}
            for (table, person), (_, sent) in self._newest.items():
                is_missing = table == ACCOUNTS and pair_of(person) == frame.pair and person not in shown
                if is_missing and self._is_lost(sent):
                    yield f"{table} {person} lost its account {sent.mark}"

    def _is_lost(self, sent: Sent) -> bool:
        """Whether what is not shown any more would have to be."""
        return sent.life == self._history.life(sent.topic) and self._history.ended_by(sent) is None

    def _lost(self, frame: Frame) -> Iterator[str]:
        """Rows that are gone, or back: of users and of joined rows, each user event is one, of accounts each key."""
        for table, rows in frame.tables.items():
            found: dict[Hashable, tuple[int, Sent | None]] = {}
            for place, row in zip(frame.places.get(table, range(len(rows))), rows, strict=True):
                side = SIDES[table][0]
                mark = mark_of(row, side)
                sent = None if mark is None else self._history.find(side, mark)
                found[str(row[KEY]) if table == ACCOUNTS else mark] = place, sent
            drawn = Drawn(found, frame.size(table))
            wrong = self._rows[table].look(drawn, frame.generation, frame.connection)
            yield from (f"{table} {what}" for what in wrong)


def wrong_frames(frames: Iterable[Frame], history: History) -> list[str]:
    """What is wrong in them, in words; the first of it."""
    checker = FrameChecker(history)
    for frame in frames:
        checker.look(frame)
    return checker.wrong


def wrong_end(pair: str, found: Mapping[str, Sequence[Row]], history: History) -> list[str]:
    """How the whole tables differ from what the model says of everything that the topics have."""
    expected = tables(history.has(pair), request_of(pair), MAX_BYTES)
    shown = {table: Counter(_cells(table, row) for row in rows) for table, rows in found.items()}
    return [
        f"in the end, {table}: missing {_some(rows - shown[table])}, not expected {_some(shown[table] - rows)}"
        for table, rows in expected.items()
        if rows != shown[table]
    ]


def _some(rows: Counter[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [*rows][:TOLD]


def mark_of(row: Row, side: Side) -> int | None:
    """The mark of the event of one side that a row was made of; None where there was none."""
    text = _text(row.get(MARKED[side]))
    digits = text.removeprefix("Name ")
    try:
        return int(float(digits))
    except ValueError:
        return None


def _cells(table: str, row: Row) -> tuple[Any, ...]:
    """A row of the page, or of the door, as the model has it."""
    return tuple(_cell(name, row.get(name)) for name in COLUMNS[table])


def _cell(name: str, value: Any) -> Any:
    text = _text(value)
    if not text:
        # Texts that are missing are empty, and everything else is null.
        return "" if name in ("name", "email") else None
    if name not in ("age", "balance"):
        return text
    return int(text) if name == "age" else float(text)


def _text(value: Any) -> str:
    """The page writes "null", and groups digits."""
    text = "" if value is None else str(value)
    return "" if text == "null" else text.replace(",", "")
