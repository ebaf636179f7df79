"""The keys of the door: the configured ones, or one that is made once and kept in the data folder."""

import os
import secrets
from pathlib import Path

from livejoin.access import Key, Keyring, Role, Visitor
from livejoin.errors import SettingsError
from livejoin.settings import Settings


def server_key(settings: Settings) -> str:
    """The key that readers present. It belongs into a login, never into a log, an argv or an environment."""
    if settings.server.key is not None:
        key = settings.server.key.get_secret_value().strip()
        if not key:
            raise SettingsError("server.key is empty", do="remove it, and livejoin makes a key of its own")
        return key
    file = key_file(settings)
    try:
        return _read(file)
    except FileNotFoundError:
        _create(file)
        return _read(file)


def keyring(settings: Settings) -> Keyring:
    """Who may enter. Without a control key, everybody who has the key may also act."""
    control = settings.server.control_key
    everybody = Visitor("everybody", Role.VIEWER if control else Role.OPERATOR)
    keys = [Key.of(server_key(settings), everybody)]
    if control is not None:
        keys.append(Key.of(control.get_secret_value(), Visitor("control", Role.OPERATOR)))
    return Keyring(keys)


def key_file(settings: Settings) -> Path:
    """Where the key is kept that livejoin makes for itself."""
    return settings.data_dir / "key"


def _read(file: Path) -> str:
    key = file.read_text(encoding="utf-8").strip()
    if not key:
        raise SettingsError(f"{file} is empty", do="delete it, and livejoin makes a key")
    return key


def _create(file: Path) -> None:
    """Make the file complete and private before it has its name, and let the first of several makers win."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".key.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(secrets.token_urlsafe(24) + "\n")
        try:
            os.link(draft, file)
        except FileExistsError:
            return
    finally:
        draft.unlink(missing_ok=True)
