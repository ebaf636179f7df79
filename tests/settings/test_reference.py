"""docs/settings.md has every setting, as the code declares it."""

from livejoin.checkout import checkout
from livejoin.cli.settings_reference import reference


def test_the_reference_is_what_is_declared() -> None:
    """It is renewed by `python -m livejoin.cli.settings_reference > docs/settings.md`."""
    root = checkout()
    assert root is not None
    assert (root / "docs/settings.md").read_text(encoding="utf-8") == reference(), "docs/settings.md is not renewed"


def test_no_bound_is_left_out() -> None:
    """A port, a size, a number of characters: what is refused is told before somebody tries."""
    said = {line.split("|")[1].strip(): line for line in reference().splitlines() if line.startswith("| `")}
    assert "more than 0, at most 10000000" in said["`max_bytes`"]
    assert "at least -1, at most 32767" in said["`replication`"]
    assert "at most 60 characters" in said["`name`"]
    assert "has to be said" in said["`issuer`"]
