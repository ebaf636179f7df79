"""A file with a secret in it: whole and private from its first moment."""

import os
import secrets
from pathlib import Path

OTHERS_READ = 0o004


def create_once(file: Path, text: str) -> None:
    """Write a file that only its owner may read, before it has its name, and let the first of several makers win."""
    draft = _draft(file, text)
    try:
        os.link(draft, file)
    except FileExistsError:
        return
    finally:
        draft.unlink(missing_ok=True)


def replace(file: Path, text: str) -> None:
    """Write a file that only its owner may read, in place of what has its name."""
    _draft(file, text).replace(file)


def everybody_reads(file: Path) -> bool:
    """Whether every user of the machine may read what is in a file."""
    try:
        return bool(file.stat().st_mode & OTHERS_READ)
    except OSError:
        return False


def _draft(file: Path, text: str) -> Path:
    file.parent.mkdir(0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    return draft
