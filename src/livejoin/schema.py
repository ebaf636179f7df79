"""The two sources and every table that is served, declared once, as data.

Parsing, validation, the join, the view topics, the table server and the tests read columns, types and the key from
here; nothing else spells out a column list.
"""

from dataclasses import dataclass
from enum import StrEnum


class ColumnType(StrEnum):
    """The types that travel unchanged from JSON through Spark and the table server to the browser."""

    STRING = "string"
    LONG = "long"
    DOUBLE = "double"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `null_becomes` is the normalised value of a missing or null field; None keeps it null."""

    name: str
    type: ColumnType
    null_becomes: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A topic's JSON object: its key field, the other fields, and the table that shows it."""

    name: str
    key: Column
    fields: tuple[Column, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The key followed by the fields: the columns of this source's table."""
        return (self.key, *self.fields)


@dataclass(frozen=True, slots=True)
class Table:
    """A table under its public name, which never changes."""

    name: str
    columns: tuple[Column, ...]

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return [column.name for column in self.columns]


def _string(name: str, null_becomes: str | None = None) -> Column:
    return Column(name, ColumnType.STRING, null_becomes)


def _long(name: str) -> Column:
    return Column(name, ColumnType.LONG)


def _double(name: str) -> Column:
    return Column(name, ColumnType.DOUBLE)


def _instant(name: str) -> Column:
    return Column(name, ColumnType.INSTANT)


KEY = _string("userId")

USERS = Source("users", KEY, (_string("name", ""), _string("email", ""), _long("age")))
ACCOUNTS = Source("accounts", KEY, (_string("accountType"), _double("balance")))
SOURCES = (USERS, ACCOUNTS)

JOINED = (KEY, *USERS.fields, *ACCOUNTS.fields)

USERS_UI = Table("users_ui", USERS.columns)
ACCOUNTS_UI = Table("accounts_ui", ACCOUNTS.columns)
FINAL_UI = Table("final_ui", JOINED)
VIEWS = (USERS_UI, ACCOUNTS_UI, FINAL_UI)

ORCHESTRATOR_STATUS = Table(
    "orchestrator_status",
    (
        _string("usersTopic"),
        _string("accountsTopic"),
        _string("joinType"),
        _string("lastApplied"),
        _long("generation"),
        _string("state"),
        _string("message"),
    ),
)
CONTROL_RAW = Table(
    "control_raw",
    (
        _string("usersTopic"),
        _string("accountsTopic"),
        _string("joinType"),
        _string("raw"),
        _instant("when"),
        _string("verdict"),
        _string("reason"),
    ),
)
GENERATIONS = Table(
    "generations",
    (
        _long("generation"),
        _string("state"),
        _string("usersTopic"),
        _string("accountsTopic"),
        _string("joinType"),
        _instant("since"),
        _instant("until"),
        _string("message"),
        _long("done"),
        _long("total"),
        _double("rate"),
        _double("secondsLeft"),
    ),
)
DEAD_LETTERS = Table(
    "dead_letters",
    (
        _instant("when"),
        _string("topic"),
        _long("partition"),
        _long("offset"),
        _string("reason"),
        _string("text"),
    ),
)
SOURCE_PROGRESS = Table(
    "source_progress",
    (
        _string("source"),
        _string("topic"),
        _long("partition"),
        _long("begin"),
        _long("position"),
        _long("end"),
    ),
)
ACCOUNTING = Table("accounting", (_long("events"), _long("deadLetters"), _long("cut")))

TABLES = (*VIEWS, ORCHESTRATOR_STATUS, GENERATIONS, CONTROL_RAW, DEAD_LETTERS, SOURCE_PROGRESS, ACCOUNTING)
