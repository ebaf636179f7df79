"""Keys: where they come from, whom they let in, and what these may see."""

import os
from pathlib import Path

import pytest
from pydantic import SecretStr

import livejoin.access.keys as keys_module
from livejoin.access.keys import key_file, keyring, server_key
from livejoin.access.roles import Rights, Role, Visitor
from livejoin.errors import SettingsError
from livejoin.model.column import Column, ColumnType
from livejoin.model.declaration import Declaration, Keep, Source
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Tables
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

WALL, ANA, BEN = "the key of the wall display", "the key of Ana, an operator", "the key of Ben, an operator"


def written(folder: Path, text: str, mode: int = 0o600) -> Path:
    """A file of keys, replaced as an editor replaces it."""
    draft, file = folder / "draft", folder / "keys.toml"
    draft.write_text(text, encoding="utf-8")
    draft.chmod(mode)
    draft.rename(file)
    return file


def with_file(folder: Path, text: str) -> Settings:
    """Settings with these keys in a file."""
    return load_settings(None, {"data_dir": folder / "data", "access": {"file": written(folder, text)}})


def test_without_configuration_one_key_opens_everything(tmp_path: Path) -> None:
    """It is made, kept, and lets its holder look and act."""
    settings = load_settings(None, {"data_dir": tmp_path})
    found = keyring(settings).key(server_key(settings))
    assert found
    assert found.visitor == Visitor("everybody", Role.OPERATOR)
    assert keyring(settings).key(server_key(settings) + " ") is None
    assert keyring(settings).key("") is None


def test_each_key_has_a_name_and_a_role(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a file, from the environment, or from both; the key that livejoin would make opens nothing then."""
    monkeypatch.setenv("LIVEJOIN_ACCESS__OPERATOR__KEYS__BEN", BEN)
    keys = keyring(with_file(tmp_path, f"[viewer]\nwall = '{WALL}'\n[operator]\nana = '{ANA}'\n"))
    found = [keys.key(secret) for secret in (WALL, ANA, BEN)]
    assert [(one.visitor.name, one.visitor.role) for one in found if one] == [
        ("wall", Role.VIEWER),
        ("ana", Role.OPERATOR),
        ("ben", Role.OPERATOR),
    ]
    assert not key_file(load_settings(None, {"data_dir": tmp_path / "data"})).exists()


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    """Keys are rotated without a restart: the new one opens at once, the old one no more, and who had it is known."""
    keys = keyring(with_file(tmp_path, f"[viewer]\nwall = '{WALL}'\n"))
    wall = keys.key(WALL)
    assert wall
    assert keys.still_has(wall)
    written(tmp_path, f"[viewer]\nwall = '{ANA}'\n")
    assert keys.key(WALL) is None
    assert not keys.still_has(wall)
    assert keys.key(ANA)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[viewer]\nwall = 'short'\n", "fewer than 16 characters"),
        ("[viewer]\nwall = 5\n", "viewer.wall"),
        ("[admin]\nroot = 'sixteen characters'\n", "admin"),
        ("wall =\n", "cannot be read"),
        (f"[viewer]\nana = '{WALL}'\n[operator]\nana = '{ANA}'\n", "viewer and of an operator"),
    ],
)
def test_a_wrong_file_is_said_at_the_start_and_changes_nothing_later(tmp_path: Path, text: str, problem: str) -> None:
    """The message has no key in it; a server that runs keeps the keys that it had."""
    good = f"[viewer]\nwall = '{WALL}'\n"
    keys = keyring(with_file(tmp_path, good))
    with pytest.raises(SettingsError, match=problem) as refused:
        keyring(with_file(tmp_path, text))
    assert not [key for key in (WALL, ANA, "short", "sixteen characters") if key in str(refused.value)]
    assert keys.key(WALL)


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """Keys are for those who have them."""
    file = written(tmp_path, f"[viewer]\nwall = '{WALL}'\n", mode=0o644)
    with pytest.raises(SettingsError, match="can be read by others"):
        keyring(load_settings(None, {"access": {"file": file}}))


@pytest.mark.parametrize(("mode", "works"), [(0o400, True), (0o440, True), (0o444, False), (0o460, False)])
def test_root_may_hand_in_a_file_by_a_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, *, works: bool
) -> None:
    """As Kubernetes and systemd do it. Nobody else may read it, and the group may not write."""
    file = written(tmp_path, f"[viewer]\nwall = '{WALL}'\n", mode)
    monkeypatch.setattr(keys_module, "ROOT", file.stat().st_uid)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    settings = load_settings(None, {"access": {"file": file}})
    if works:
        assert keyring(settings).key(WALL)
    else:
        with pytest.raises(SettingsError, match="can be read by others"):
            keyring(settings)


def test_a_group_may_not_read_a_file_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has made it can close it."""
    file = written(tmp_path, f"[viewer]\nwall = '{WALL}'\n", mode=0o440)
    monkeypatch.setattr(keys_module, "ROOT", file.stat().st_uid + 1)
    with pytest.raises(SettingsError, match="can be read by others"):
        keyring(load_settings(None, {"access": {"file": file}}))


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    """One that could be guessed."""
    with pytest.raises(SettingsError, match="fewer than 16 characters: wall"):
        load_settings(None, {"data_dir": tmp_path, "access": {"viewer": {"keys": {"wall": "sesame"}}}})


def test_commands_present_the_key_that_they_are_told_or_the_best_they_find(tmp_path: Path) -> None:
    """`access.key` first, then an operator's, then a viewer's."""
    settings = with_file(tmp_path, f"[viewer]\nwall = '{WALL}'\n[operator]\nana = '{ANA}'\n")
    assert server_key(settings) == ANA
    access = settings.access.model_copy(update={"key": SecretStr(WALL)})
    assert server_key(settings.model_copy(update={"access": access})) == WALL


def test_no_key_is_shown_with_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by `livejoin config` nor in a representation."""
    monkeypatch.setenv("LIVEJOIN_ACCESS__KEY", WALL)
    monkeypatch.setenv("LIVEJOIN_ACCESS__OPERATOR__KEYS__ANA", ANA)
    settings = load_settings(None, {"data_dir": tmp_path})
    shown = f"{settings!r} {settings.masked()} {keyring(settings).key(ANA)!r}"
    assert WALL not in shown
    assert ANA not in shown
    assert os.environ["LIVEJOIN_ACCESS__KEY"] == WALL


def test_a_hidden_column_is_named_alone_or_with_its_table(tmp_path: Path) -> None:
    """`column` hides it everywhere, `table.column` there, `table.*` the whole table."""
    hidden = ["email", "accounts_ui.balance", "dead_letters.*"]
    access = {"viewer": {"keys": {"wall": WALL}, "hidden": hidden, "export": False}}
    found = keyring(load_settings(None, {"data_dir": tmp_path, "access": access})).key(WALL)
    assert found
    rights = found.visitor.rights
    assert not rights.may_export
    seen = {"users_ui.email", "final_ui.email", "accounts_ui.balance"}
    assert not seen & seen_by(rights, DEFAULT)
    assert not [name for name in seen_by(rights, DEFAULT) if name.startswith("dead_letters.")]
    assert "final_ui.balance" in seen_by(rights, DEFAULT)
    assert "final_ui.email" in seen_by(Rights(), DEFAULT)


def seen_by(rights: Rights, declaration: Declaration) -> set[str]:
    """Every column that exists for somebody, with its table."""
    tables = Tables(declaration).all
    return {f"{t.name}.{column.name}" for t in tables for column in t.columns if rights.may_see(t.name, column)}


def source(name: str, *columns: str) -> Source:
    """A source with an id and some texts."""
    made = (Column(column, ColumnType.named("string")) for column in ("id", *columns))
    return Source(name, tuple(made), ("id",), Keep.ALL)


RENAMED = Declaration.of(
    source("orders", "name", "a.b", "note"),
    source("customers", "name", "mail"),
    ["orders.*", "customers.name", "customers.mail as contact"],
)


@pytest.mark.parametrize(
    ("hidden", "gone"),
    [
        ("mail", {"customers_ui.mail", "final_ui.contact"}),
        ("customers.mail", {"customers_ui.mail", "final_ui.contact"}),
        ("customers_ui.mail", {"customers_ui.mail", "final_ui.contact"}),
        ("customers_ui.*", {"customers_ui.*", "final_ui.contact", "final_ui.customers.name"}),
        ("contact", {"final_ui.contact"}),
        ("final_ui.contact", {"final_ui.contact"}),
        ("name", {"orders_ui.name", "customers_ui.name", "final_ui.orders.name", "final_ui.customers.name"}),
        ("orders.name", {"orders_ui.name", "final_ui.orders.name"}),
        ("orders_ui.name", {"orders_ui.name", "final_ui.orders.name"}),
        ("a.b", {"orders_ui.a.b", "final_ui.a.b"}),
        ("orders_ui.a.b", {"orders_ui.a.b"}),
        ("final_ui.a.b", {"final_ui.a.b"}),
        ("a", set()),
        ("b", set()),
    ],
)
def test_what_is_hidden_is_not_shown_under_another_name(hidden: str, gone: set[str]) -> None:
    """Renamed or told apart by its source, it is the same column; a dot may be part of a name."""
    seen = seen_by(Rights(), RENAMED)
    expected = {name for name in seen if name in gone or f"{name.split('.')[0]}.*" in gone}

    assert seen - seen_by(Rights(frozenset({hidden})), RENAMED) == expected
