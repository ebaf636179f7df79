"""The keys of the table server of this folder."""

from pathlib import Path

WALL, ANA = "the key of the wall display", "the key of Ana, an operator"


def write_keys(file: Path, *, wall: str = WALL) -> Path:
    """Write the keys of this server, as an editor replaces a file."""
    draft = file.with_suffix(".draft")
    draft.touch(0o600)
    draft.write_text(f"[viewer]\nwall = '{wall}'\n[operator]\nana = '{ANA}'\n", encoding="utf-8")
    return draft.rename(file)
