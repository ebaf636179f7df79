"""Where livejoin keeps what is its own."""

from pathlib import Path

import pytest

from livejoin import folders
from livejoin.checkout import checkout
from livejoin.folders import data_folder, jar_folder
from livejoin.settings.loader import load_settings


def test_in_a_checkout_it_is_beside_it() -> None:
    """Data below where one is, jars in the checkout."""
    root = checkout()
    assert root is not None
    assert load_settings(None, {}).data_dir == Path.cwd() / ".livejoin"
    assert jar_folder() == root / ".cache/jars"


def test_without_one_it_is_where_the_users_programs_keep_theirs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As the variables say, and otherwise below the home."""
    monkeypatch.setattr(folders, "checkout", lambda: None)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert data_folder() == tmp_path / "data/livejoin"
    assert jar_folder() == tmp_path / "cache/livejoin/jars"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert load_settings(None, {}).data_dir == tmp_path / "home/.local/share/livejoin"
    assert jar_folder() == tmp_path / "home/.cache/livejoin/jars"
