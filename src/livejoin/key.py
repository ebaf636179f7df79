"""The pre-shared key of the table server: the configured one, or one that is made once and kept in the data folder."""

import secrets
from pathlib import Path

from livejoin.errors import SettingsError
from livejoin.private_file import create_once
from livejoin.secrecy import SHORTEST_KEY
from livejoin.settings import Settings


def server_key(settings: Settings) -> str:
    """The key that readers present. It belongs into a login, never into a log, an argv or an environment."""
    if settings.server.key is not None:
        return settings.server.key.get_secret_value().strip()
    file = key_file(settings)
    try:
        return _read(file)
    except FileNotFoundError:
        create_once(file, secrets.token_urlsafe(24) + "\n")
        return _read(file)


def key_file(settings: Settings) -> Path:
    """Where the key is kept that livejoin makes for itself."""
    return settings.data_dir / "key"


def _read(file: Path) -> str:
    key = file.read_text(encoding="utf-8").strip()
    if len(key) < SHORTEST_KEY:
        raise SettingsError(
            f"the key in {file} has fewer than {SHORTEST_KEY} characters, and can be guessed",
            do="delete the file, and livejoin makes a key",
        )
    return key
