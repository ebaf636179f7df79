"""Who may do what: keys, the people they belong to, and what their roles may see and do."""

import hashlib
import hmac
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """What somebody may do: look, or look and act."""

    VIEWER = "viewer"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Rights:
    """What a role may see and take away. `hidden` names columns, as `column`, `table.column` or `table.*`."""

    hidden: frozenset[str] = frozenset()
    may_export: bool = True

    def may_see(self, table: str, column: str) -> bool:
        """Whether the column exists for this role."""
        return self.hidden.isdisjoint({column, f"{table}.{column}", f"{table}.*"})


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


class Keyring:
    """The keys that open the door, as they are at the moment: `keys` may return others the next time."""

    def __init__(self, keys: Callable[[], Collection[Key]]) -> None:
        self._keys = keys

    def key(self, secret: str) -> Key | None:
        """The key of a secret; None for a wrong one. It takes as long for every key."""
        given, found = _digest(secret), None
        for key in self._keys():
            if hmac.compare_digest(key.digest, given):
                found = key
        return found

    def still_has(self, key: Key) -> bool:
        """Whether it is still there, for the same visitor with the same rights."""
        return key in self._keys()

    def still_opens(self, key: Key) -> bool:
        """Whether it lets somebody in at all."""
        return any(one.digest == key.digest for one in self._keys())


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
