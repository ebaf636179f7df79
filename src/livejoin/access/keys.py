"""Where keys come from: the settings, a file that may change while the server runs, or one that livejoin makes.

Those of people who sign in (`livejoin.access.sessions`) come on top. They do not count as configured: where there are
no others, livejoin makes its own key all the same, by which commands on the server's machine are let in.
"""

import os
import secrets
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import structlog
from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from livejoin.access.roles import Key, Keyring, Rights, Role, Visitor
from livejoin.access.sessions import Sessions
from livejoin.errors import SettingsError
from livejoin.secrecy.masked import SHORTEST_KEY
from livejoin.secrecy.private_file import create_once
from livejoin.settings.door import RoleSettings
from livejoin.settings.settings import Settings

EVERYBODY = "everybody"
"""Whom the key lets in that livejoin makes, for both roles."""
ROOT = 0

log = structlog.get_logger()


class _KeyFile(BaseModel):
    """Names and keys, for each role."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    viewer: dict[str, SecretStr] = {}
    operator: dict[str, SecretStr] = {}


def server_key(settings: Settings) -> str:
    """The key that commands present. It belongs into a login, never into a log, an argv or an environment."""
    access = settings.access
    if access.key is not None:
        return access.key.get_secret_value()
    found = _read_file(access.file) if access.file is not None else _KeyFile()
    configured = [
        *(access.operator.keys | found.operator).values(),
        *(access.viewer.keys | found.viewer).values(),
    ]
    return configured[0].get_secret_value() if configured else _own_key(settings)


def has_own_keys(settings: Settings) -> bool:
    """Whether somebody has configured keys, so that livejoin makes none."""
    access = settings.access
    return access.file is not None or bool(access.viewer.keys or access.operator.keys)


def keyring(settings: Settings, clock: Callable[[], float] = time.monotonic) -> Keyring:
    """Who may enter. Without a configured key, everybody who has the one that livejoin makes may also act."""
    access = settings.access
    sessions = Sessions(access.oidc.session_minutes * 60, clock) if access.oidc is not None else None
    fixed = [
        *_keys(Role.VIEWER, access.viewer, access.viewer.keys),
        *_keys(Role.OPERATOR, access.operator, access.operator.keys),
    ]
    if access.file is not None:
        watched = _WatchedFile(access.file, settings)
        return Keyring(lambda: [*fixed, *watched.keys()], sessions)
    if not fixed:
        fixed = [Key.of(_own_key(settings), visitor(settings, EVERYBODY, Role.OPERATOR))]
    return Keyring(lambda: fixed, sessions)


def visitor(settings: Settings, name: str, role: Role) -> Visitor:
    """Somebody of that name with the rights of a role."""
    of_role = settings.access.operator if role is Role.OPERATOR else settings.access.viewer
    return Visitor(name, role, _rights(of_role))


def key_file(settings: Settings) -> Path:
    """Where the key is kept that livejoin makes for itself."""
    return settings.data_dir / "key"


class _WatchedFile:
    """The keys in a file, read again when it has changed. A file that cannot be read leaves the keys as they were."""

    def __init__(self, file: Path, settings: Settings) -> None:
        self._file = file
        self._settings = settings
        self._seen = _mark(file)
        self._keys = self._read()

    def keys(self) -> list[Key]:
        """As the file has them now."""
        seen = _mark(self._file)
        if seen != self._seen:
            self._seen = seen
            try:
                self._keys = self._read()
                log.info("keys were read again", file=str(self._file), keys=len(self._keys))
            except SettingsError as error:
                log.error("keys stay as they were", problem=str(error))  # noqa: TRY400  the text says all
        return self._keys

    def _read(self) -> list[Key]:
        found, access = _read_file(self._file), self._settings.access
        return [
            *_keys(Role.VIEWER, access.viewer, found.viewer),
            *_keys(Role.OPERATOR, access.operator, found.operator),
        ]


def _keys(role: Role, settings: RoleSettings, given: dict[str, SecretStr]) -> list[Key]:
    return [Key.of(secret.get_secret_value(), Visitor(name, role, _rights(settings))) for name, secret in given.items()]


def _rights(settings: RoleSettings) -> Rights:
    return Rights(frozenset(settings.hidden), settings.export)


def _mark(file: Path) -> tuple[int, int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read_file(file: Path) -> _KeyFile:
    do = "write names and keys below [viewer] and [operator], and let nobody else read the file (chmod 600)"
    try:
        if _is_open_to_others(file):
            raise SettingsError(f"{file} has keys in it and can be read by others", do=f"chmod 600 {file}")
        found = _KeyFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"the keys in {file} cannot be read: {error}", do=do) from error
    except ValidationError as error:
        places = ", ".join(".".join(str(part) for part in problem["loc"]) for problem in error.errors())
        raise SettingsError(f"the keys in {file} are not right: {places}", do=do) from None
    named = {**found.viewer, **found.operator}
    short = [name for name, secret in named.items() if len(secret.get_secret_value()) < SHORTEST_KEY]
    if short:
        raise SettingsError(f"keys of fewer than {SHORTEST_KEY} characters in {file}: {', '.join(short)}", do=do)
    if len(named) < len(found.viewer) + len(found.operator):
        raise SettingsError(f"a name in {file} is that of a viewer and of an operator", do=do)
    return found


def _is_open_to_others(file: Path) -> bool:
    """Whether somebody may read the keys, or write some, to whom nobody has given them.

    A group may read a file of root's: so Kubernetes and systemd hand in secrets, to a group that they have chosen.
    """
    found = file.stat()
    handed_in = found.st_uid == ROOT != os.geteuid()
    return bool(found.st_mode & (0o037 if handed_in else 0o077))


def _own_key(settings: Settings) -> str:
    file = key_file(settings)
    try:
        return _read(file)
    except FileNotFoundError:
        create_once(file, secrets.token_urlsafe(24) + "\n")
        return _read(file)


def _read(file: Path) -> str:
    key = file.read_text(encoding="utf-8").strip()
    if len(key) < SHORTEST_KEY:
        raise SettingsError(
            f"the key in {file} has fewer than {SHORTEST_KEY} characters, and can be guessed",
            do="delete the file, and livejoin makes a key",
        )
    return key
