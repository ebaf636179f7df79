"""Proves, from a log of painted frames and the history of what was sent, that no viewer saw anything wrong.

Every event carries a mark, a number that rises from one event of a key to the next on its side, in a column that is
shown: so a row tells which events it was made of. A pair is the name of two topics, and the beginning of every key in
them. What is checked:

    one generation    a frame shows rows of one pair, the one that the status names, and no table of it is empty
    prefix            every row is made of events that were sent, each of that key and side
    never back        what was seen of a key never becomes older, for as long as somebody looks on
    end               when nothing is sent any more, everything that was acknowledged is there, and nothing else
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

KEY, USER_MARK, ACCOUNT_MARK = "userId", "name", "balance"
USERS, ACCOUNTS, FINAL = "users_ui", "accounts_ui", "final_ui"
NONE = -1
"""The mark of an account that is not there."""
TOLD = 20

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """What was painted: the generation and the users topic that the status names, and the visible rows."""

    generation: str
    left: str
    tables: Mapping[str, Sequence[Row]]

    @property
    def pair(self) -> str:
        """The pair that the status names."""
        return self.left.split("-")[0]


@dataclass
class History:
    """What was sent: of each key, the marks of both sides, and which of them the broker has acknowledged."""

    sent: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    acknowledged: set[tuple[str, str, int]] = field(default_factory=set)

    def send(self, side: str, key: str, mark: int) -> None:
        """It is on its way."""
        self.sent.setdefault((side, key), []).append(mark)

    def acknowledge(self, side: str, key: str, mark: int) -> None:
        """The broker has it."""
        self.acknowledged.add((side, key, mark))

    def was_sent(self, side: str, key: str, mark: int) -> bool:
        """Whether there is such an event."""
        return mark in self.sent.get((side, key), ())

    def marks(self, side: str, key: str) -> list[int]:
        """Those that the broker has, in order."""
        return [mark for mark in self.sent.get((side, key), ()) if (side, key, mark) in self.acknowledged]

    def keys(self, side: str, pair: str) -> list[str]:
        """Of a pair, everybody of whom the broker has something."""
        return [key for found, key in self.sent if found == side and _pair(key) == pair and self.marks(side, key)]


def wrong_frames(frames: Iterable[Frame], history: History) -> list[str]:
    """What is wrong in them, in words; the first of it."""
    wrong: list[str] = []
    newest: dict[tuple[str, ...], int] = {}
    for number, frame in enumerate(frames):
        found = [*_one_generation(frame), *_prefix(frame, history), *_never_back(frame, newest)]
        wrong += [f"frame {number}, generation {frame.generation}: {what}" for what in found]
        if len(wrong) >= TOLD:
            break
    return wrong[:TOLD]


def wrong_end(pair: str, tables: Mapping[str, Sequence[Row]], history: History) -> list[str]:
    """How the whole tables differ from what was sent, when all of it was acknowledged and users keep `all`."""
    users = [(key, mark) for key in history.keys("users", pair) for mark in history.marks("users", key)]
    newest = {key: history.marks("accounts", key)[-1] for key in history.keys("accounts", pair)}
    expected: dict[str, Counter[tuple[Any, ...]]] = {
        USERS: Counter(users),
        ACCOUNTS: Counter(newest.items()),
        FINAL: Counter((key, mark, newest.get(key, NONE)) for key, mark in users),
    }
    found: dict[str, Counter[tuple[Any, ...]]] = {
        USERS: Counter((row[KEY], _user_mark(row)) for row in tables[USERS]),
        ACCOUNTS: Counter((row[KEY], _account_mark(row)) for row in tables[ACCOUNTS]),
        FINAL: Counter((row[KEY], _user_mark(row), _account_mark(row)) for row in tables[FINAL]),
    }
    return [
        f"in the end, {table}: missing {_some(rows - found[table])}, not expected {_some(found[table] - rows)}"
        for table, rows in expected.items()
        if rows != found[table]
    ]


def _some(rows: Counter[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [*rows][:TOLD]


def _one_generation(frame: Frame) -> list[str]:
    wrong = [f"{table} is empty" for table, rows in frame.tables.items() if not rows]
    pairs = {_pair(row[KEY]) for rows in frame.tables.values() for row in rows}
    if pairs - {frame.pair}:
        wrong.append(f"rows of {sorted(pairs)} where the status says {frame.pair}")
    return wrong


def _prefix(frame: Frame, history: History) -> list[str]:
    wrong = []
    for table, rows in frame.tables.items():
        for row in rows:
            made_of = []
            if table != ACCOUNTS:
                made_of.append(("users", _user_mark(row)))
            if table == ACCOUNTS or (table == FINAL and _account_mark(row) != NONE):
                made_of.append(("accounts", _account_mark(row)))
            wrong += [
                f"{table} has {dict(row)}, and nobody sent such an event of {side}"
                for side, mark in made_of
                if not history.was_sent(side, row[KEY], mark)
            ]
    return wrong


def _never_back(frame: Frame, newest: dict[tuple[str, ...], int]) -> list[str]:
    wrong = []
    seen: list[tuple[tuple[str, ...], int]] = []
    seen += [((ACCOUNTS, row[KEY]), _account_mark(row)) for row in frame.tables.get(ACCOUNTS, ())]
    seen += [((FINAL, row[KEY], str(_user_mark(row))), _account_mark(row)) for row in frame.tables.get(FINAL, ())]
    for row_id, mark in seen:
        before = newest.get(row_id, NONE)
        if mark < before:
            wrong.append(f"{' '.join(row_id)} went back from {before} to {mark}")
        newest[row_id] = max(mark, before)
    return wrong


def _pair(key: str) -> str:
    return key.split("-")[0]


def _user_mark(row: Row) -> int:
    return int(str(row[USER_MARK]).removeprefix("Name "))


def _account_mark(row: Row) -> int:
    value = row.get(ACCOUNT_MARK)
    # The page writes "null", and groups digits.
    return NONE if value in (None, "", "null") else int(float(str(value).replace(",", "")))
