"""The settings in the environment, some of which may be secret, and processes to which none of them is of any use."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

SETTINGS = "LIVEJOIN_"
"""How the names of their variables begin. A variable that stands for a whole section may hold a secret anywhere."""


def without_settings() -> dict[str, str]:
    """The environment of this process, for one that reads none of the settings."""
    return {name: text for name, text in os.environ.items() if not _is_setting(name)}


@contextmanager
def settings_kept_back() -> Iterator[None]:
    """Have no settings in the environment, for whoever starts a process and hands on the environment as it is."""
    kept = {name: text for name, text in os.environ.items() if _is_setting(name)}
    for name in kept:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(kept)


def _is_setting(name: str) -> bool:
    return name.upper().startswith(SETTINGS)
