"""Who may do what: keys, and the roles that they open."""

import hashlib
import hmac
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """What a visitor may do: look, or look and act."""

    VIEWER = "viewer"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has been let in."""

    name: str
    role: Role
    masked: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The columns of each table that are kept from this visitor."""

    def may_see(self, table: str, column: str) -> bool:
        """Whether the column exists for this visitor."""
        return column not in self.masked.get(table, ())


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
    """The keys that open the door."""

    def __init__(self, keys: Collection[Key]) -> None:
        self._keys = tuple(keys)

    def visitor(self, secret: str) -> Visitor | None:
        """Whom a key lets in; None for a wrong one. It takes as long for every key."""
        given, found = _digest(secret), None
        for key in self._keys:
            if hmac.compare_digest(key.digest, given):
                found = key.visitor
        return found


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
