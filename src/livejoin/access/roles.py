"""Who may do what: keys, the people they belong to, and what their roles may see and do."""

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from livejoin.model.declaration import table_name
from livejoin.model.table import Table, TableColumn


class Role(StrEnum):
    """What somebody may do: look, or look and act."""

    VIEWER = "viewer"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Rights:
    """What a role may see and take away.

    `hidden` names columns, as `column`, `source.column`, `table.column` or `table.*`; names may have dots in them.
    """

    hidden: frozenset[str] = frozenset()
    may_export: bool = True

    def may_see(self, table: str, column: TableColumn) -> bool:
        """Whether the column exists for this role."""
        return self.hidden.isdisjoint(_names(table, column))

    def in_vain(self, tables: Iterable[Table]) -> frozenset[str]:
        """What is hidden and is in none of these tables: a name that somebody has mistyped hides nothing."""
        return self.hidden.difference(*(_names(table.name, column) for table in tables for column in table.columns))


def _names(table: str, column: TableColumn) -> set[str]:
    """By which a column can be hidden.

    What is hidden is not shown under another name either: a column of the joined table goes with the column of the
    source that it comes from.
    """
    names = {column.name, f"{table}.{column.name}", f"{table}.*"}
    if column.source is not None:
        names |= {str(column.origin), f"{column.source}.{column.origin}"}
        if column.name != column.origin:
            of_source = table_name(column.source)
            names |= {f"{of_source}.{column.origin}", f"{of_source}.*"}
    return names


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has been let in, by the name of the key."""

    name: str
    role: Role
    rights: Rights = Rights()


@dataclass(frozen=True, slots=True)
class Key:
    """A key, of which only a digest is kept."""

    digest: bytes = field(repr=False)
    visitor: Visitor

    @classmethod
    def of(cls, secret: str, visitor: Visitor) -> "Key":
        """The key for a secret."""
        return cls(_digest(secret), visitor)


class SessionKeys(Protocol):
    """Keys of people who sign in. They are made while the server runs, and end with a logout or by themselves."""

    def open(self, visitor: Visitor) -> str:
        """A secret that lets this visitor in from now on."""

    def find(self, digest: bytes) -> Key | None:
        """The key with this digest, while it holds."""

    def end(self, key: Key) -> bool:
        """Let it hold no longer; whether it was one of these."""


class Keyring:
    """The keys that open the door, as they are at the moment: `keys` may return others the next time.

    `sessions` are those of people who sign in, where they can.
    """

    def __init__(self, keys: Callable[[], Collection[Key]], sessions: SessionKeys | None = None) -> None:
        self._keys = keys
        self.sessions = sessions

    def key(self, secret: str) -> Key | None:
        """The key of a secret; None for a wrong one. It takes as long for every key."""
        given, found = _digest(secret), None
        for key in self._keys():
            if hmac.compare_digest(key.digest, given):
                found = key
        return found or self._session(given)

    def still_has(self, key: Key) -> bool:
        """Whether it is still there, for the same visitor with the same rights."""
        return key in self._keys() or self._session(key.digest) == key

    def still_opens(self, key: Key) -> bool:
        """Whether it lets somebody in at all."""
        return any(one.digest == key.digest for one in self._keys()) or self._session(key.digest) is not None

    def _session(self, digest: bytes) -> Key | None:
        return self.sessions.find(digest) if self.sessions is not None else None


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
