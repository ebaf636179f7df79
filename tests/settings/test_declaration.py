"""What can be declared, what is refused and in which words, and that it can be printed and pasted back."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from declarations import declarations
from livejoin.cli.main import app
from livejoin.errors import SettingsError
from livejoin.model.column import Kind
from livejoin.model.declaration import MOST_COLUMNS, Declaration, Keep
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import JoinType
from livejoin.settings.loader import load_settings, overrides_from
from livejoin.settings.toml import settings_toml, text

ORDERS = (Path(__file__).parents[1] / "support/orders.toml").read_text(encoding="utf-8")


def declared(**changes: Any) -> dict[str, Any]:
    """Orders and customers, with sections changed: `left_columns={...}` replaces columns, `left={...}` adds to it."""
    found = tomllib.loads(ORDERS)
    for name, value in changes.items():
        section, _, inner = name.partition("_")
        if inner:
            found[section][inner] = value
        else:
            found[section] = found.get(section, {}) | value
    return found


def refusal(settings: dict[str, Any]) -> str:
    """What is said about it."""
    with pytest.raises(SettingsError) as refused:
        load_settings(None, settings)
    return refused.value.what


def test_the_example_is_what_it_says() -> None:
    """Names, types, paths, key and columns of the joined table."""
    settings = load_settings(None, declared())
    left, right = settings.declaration.sources
    assert (left.table, left.topic_field, left.keep, left.key) == ("orders_ui", "ordersTopic", Keep.ALL, ("customer",))
    assert (right.table, right.keep, right.key) == ("customers_ui", Keep.LATEST, ("id",))
    assert left.column("customer").path == ("buyer", "id")
    assert str(left.column("total").type) == "decimal(18,2)"
    assert left.column("order").null_becomes == ""
    assert [column.name for column in settings.declaration.joined] == [
        "orderId",
        "customer",
        "total",
        "placed",
        "order",
        "customerName",
    ]
    assert settings.request.join is JoinType.LEFT
    assert settings.request.topics == {"orders": "shop.orders", "customers": "crm.customers"}


def test_without_any_block_it_is_the_default() -> None:
    """To the letter."""
    assert load_settings().declaration == DEFAULT


def test_equal_names_are_told_apart_by_their_source() -> None:
    """As a person would guess; the key of the right is shown only where it is asked for."""
    columns = {"id": "string", "order": "long", "name": "string"}
    found = load_settings(None, declared(right_columns=columns, join_columns=None)).declaration
    names = [column.name for column in found.joined]
    assert names == ["orderId", "customer", "total", "placed", "orders.order", "customers.order", "name"]
    asked = load_settings(None, declared(join_columns=["customers.id", "orders.total"])).declaration
    assert [column.name for column in asked.joined] == ["id", "total"]


@pytest.mark.parametrize(
    "name",
    ["key", "value", "order", "row", "event", "topic", "select", "two words", "a.b", "it's", 'say "yes"', "Größe", "*"],
)
def test_a_column_may_have_any_name_that_can_be_seen(name: str, tmp_path: Path) -> None:
    """Also in a file that was printed."""
    settings = load_settings(None, declared(left_columns={"customer": "string", name: "long"}, join_columns=None))
    assert settings.declaration.left.column(name).type.kind is Kind.LONG
    file = tmp_path / "printed.toml"
    file.write_text(settings_toml(settings), encoding="utf-8")
    assert load_settings(file).declaration == settings.declaration


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
MANY = {f"c{number}": "string" for number in range(MOST_COLUMNS + 1)}
LONG_NAMES = {f"{'ü' * 120}{number}": "string" for number in range(40)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        # names of sources
        ({"left": {"name": "my orders"}}, "'my orders' cannot be the name of a source"),
        ({"left": {"name": "1st"}}, "'1st' cannot be the name of a source"),
        ({"left": {"name": "Größe"}}, "cannot be the name of a source"),
        ({"left": {"name": "final"}}, "'final' cannot be the name of a source"),
        ({"left": {"name": "o" * 49}}, "at most 48"),
        ({"left": {"name": "Customers"}, "join_columns": None}, "both sources are called 'Customers'"),
        ({"left": {"name": "right"}, "join_columns": None}, "'right' is what the other source is called by its side"),
        ({"right": {"name": "Left"}, "join_columns": None}, "'Left' is what the other source is called by its side"),
        ({"left": {"topic": "no topic"}}, "left.topic: no topic can be called so"),
        ({"left": {"topic": ".."}}, "left.topic: no topic can be called so"),
        ({"left": {"topic": "x" * 250}}, "left.topic: no topic can be called so"),
        ({"left": {"keep": "some"}}, "left.keep"),
        ({"left": {"colums": {}}}, "left.colums"),
        # columns
        ({"left_columns": {}}, "left.columns: a source has at least one column"),
        ({"left_columns": {"": "string"}}, "1 to 128 characters, not none"),
        ({"left_columns": {"x" * 129: "string"}}, "1 to 128 characters"),
        ({"left_columns": {"a\x1b[2J": "string"}}, r"'a\x1b[2J' cannot be the name of a column"),
        ({"left_columns": {"a\nb": "string"}}, "cannot be the name of a column or field"),
        ({"left_columns": {" a": "string"}}, "spaces at its ends would not be seen"),
        ({"left_columns": {"a\u202eb": "string"}}, "cannot be the name of a column or field"),
        ({"left_columns": {"a\u3164": "string"}}, "characters that are not drawn"),
        ({"left_columns": {"\ud800": "string"}}, "half of a character is no text"),
        (
            {"left_columns": {COMPOSED: "string", DECOMPOSED: "string"}},
            f"two columns '{COMPOSED}', which cannot be told",
        ),
        ({"left_columns": {**MANY, "customer": "string"}}, "at most 150 can be shown"),
        ({"left_columns": {**LONG_NAMES, "customer": "string"}, "join_columns": None}, "take shorter ones, or fewer"),
        # types
        ({"left_columns": {"a": "int"}}, "there is no type 'int': it is string, long, double"),
        ({"left_columns": {"a": "decimal"}}, "there is no type 'decimal'"),
        ({"left_columns": {"a": "decimal(39,2)"}}, "a decimal has 1 to 38 digits"),
        ({"left_columns": {"a": "decimal(0,0)"}}, "a decimal has 1 to 38 digits"),
        ({"left_columns": {"a": "decimal(2,3)"}}, "at most all of them after the point"),
        ({"left_columns": {"a": {"path": "b"}}}, "left.columns.a.type: Field required"),
        ({"left_columns": {"a": {"type": "long", "nul": 1}}}, "left.columns.a.nul"),
        ({"left_columns": {"a": 7}}, "left.columns.a"),
        # what a null becomes
        ({"left_columns": {"a": {"type": "long", "null": "0"}}}, "a: null = '0' is not a 64-bit integer"),
        ({"left_columns": {"a": {"type": "long", "null": 2**63}}}, "is not a 64-bit integer"),
        ({"left_columns": {"a": {"type": "boolean", "null": 0}}}, "null = 0 is not a boolean"),
        ({"left_columns": {"a": {"type": "double", "null": float("nan")}}}, "null = nan is not a number"),
        ({"left_columns": {"a": {"type": "double", "null": float("inf")}}}, "null = inf is not a number"),
        ({"left_columns": {"a": {"type": "double", "null": 10**400}}}, "is not a number"),
        ({"left_columns": {"a": {"type": "decimal(4,2)", "null": "1.005"}}}, "is not a decimal(4,2)"),
        ({"left_columns": {"a": {"type": "decimal(4,2)", "null": 100}}}, "is not a decimal(4,2)"),
        ({"left_columns": {"a": {"type": "date", "null": "2023-02-29"}}}, "is not a date like 2024-12-31"),
        ({"left_columns": {"a": {"type": "timestamp", "null": "2024-01-01T00:00:00"}}}, "an ISO-8601 time with a zone"),
        ({"left_columns": {"a": {"type": "timestamp(millis)", "null": "0"}}}, "is not epoch milliseconds"),
        ({"left_columns": {"a": {"type": "string", "null": "x" * 1001}}}, "null has 1001 characters: at most 1000"),
        # paths
        ({"left_columns": {"a": {"type": "long", "path": ""}}}, "1 to 128 characters, not none"),
        ({"left_columns": {"a": {"type": "long", "path": "b..c"}}}, "1 to 128 characters, not none"),
        ({"left_columns": {"a": {"type": "long", "path": ["b", "c\x00"]}}}, "cannot be the name of a column or field"),
        ({"left_columns": {"a": {"type": "long", "path": ".".join("abcdefghijklmnopq")}}}, "path has 17 fields"),
        (
            {"left_columns": {"customer": "string", "id": {"type": "long", "path": "customer.id"}}},
            "orders.id is read from customer.id, through customer, which orders.customer reads as a string: it cannot "
            "be that and an object",
        ),
        (
            {"left_columns": {"customer": "string", "number": {"type": "long", "path": "customer"}}},
            "orders.customer and orders.number are both read from customer, which cannot be a string and a 64-bit",
        ),
        # the join
        ({"join_type": "outer"}, "join.type: Input should be 'left', 'inner' or 'asof'"),
        ({"join_on": {}}, "join.on is missing: say which column of orders equals which column of customers"),
        ({"join_on": {"buyer": "id"}}, "orders has no column 'buyer' to be joined by: it has orderId, customer"),
        ({"join_on": {"customer": "key"}}, "customers has no column 'key' to be joined by"),
        ({"join_on": {"customer": "id", "orderId": "id"}}, "join.on names a column twice"),
        ({"join_on": {"total": "id"}}, "orders.total is decimal(18,2) and customers.id is string"),
        (
            {"left_columns": {"x": "double"}, "right_columns": {"x": "double"}, "join_on": {"x": "x"}},
            "orders.x is a double, which is not exact enough for a key",
        ),
        ({"join_on": {"order": "id"}}, "orders.order is a key, and a key is never null: leave out its `null`"),
        # columns of the joined table
        ({"join_columns": []}, "the joined table has no columns"),
        ({"join_columns": ["total"]}, "join.columns: 'total' is of no source: write orders.column or customers.column"),
        ({"join_columns": ["orders.sum"]}, "join.columns: orders has no column 'sum'"),
        ({"join_columns": ["orders.total as "]}, "orders has no column 'total as'"),
        ({"join_columns": ["orders.* as all"]}, "orders has no column '* as all'"),
        ({"join_columns": ["orders.total", "orders.total"]}, "the joined table has two columns 'orders.total'"),
        ({"join_columns": ["orders.total as a", "customers.name as a"]}, "the joined table has two columns 'a'"),
        ({"join_columns": ["orders.total as a\tb"]}, "cannot be the name of a column or field"),
        # what has moved
        ({"topics": {"users": "u"}}, "topics.users has moved to left.topic"),
        ({"topics": {"accounts": "u"}}, "topics.accounts has moved to right.topic"),
        ({"keep": {"users": "all"}}, "keep.users has moved to left.keep"),
        ({"keep": {"accounts": "all"}}, "keep.accounts has moved to right.keep"),
    ],
)
def test_what_cannot_be_declared_is_refused_with_a_sentence(changes: dict[str, Any], said: str) -> None:
    """Before anything starts."""
    assert said in refusal(declared(**changes))


def test_the_join_of_before_is_named_with_its_new_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file, on the command line and in the environment."""
    assert "the type of the join has moved to join.type" in refusal({"join": "inner"})
    with pytest.raises(SettingsError, match=r"has moved to join\.type"):
        load_settings(None, overrides_from(["join=inner"]))
    monkeypatch.setenv("LIVEJOIN_JOIN", "inner")
    with pytest.raises(SettingsError, match=r"has moved to join\.type, LIVEJOIN_JOIN__TYPE"):
        load_settings()


def test_variables_declare_columns_as_json_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a variable knows no small letters, and a column may have some."""
    monkeypatch.setenv("LIVEJOIN_LEFT__COLUMNS", '{"userId": "string", "Two Words": {"type": "long", "null": 0}}')
    assert [column.name for column in load_settings().declaration.left.columns] == ["userId", "Two Words"]
    monkeypatch.setenv("LIVEJOIN_LEFT__COLUMNS__userId", "string")
    with pytest.raises(SettingsError, match="cannot name a column") as refused:
        load_settings()
    assert "LIVEJOIN_LEFT__COLUMNS as JSON" in refused.value.do
    monkeypatch.delenv("LIVEJOIN_LEFT__COLUMNS__userId")
    monkeypatch.setenv("LIVEJOIN_LEFT__COLUMNS", "userId")
    with pytest.raises(SettingsError, match="LIVEJOIN_LEFT, or a variable that begins so, is not JSON"):
        load_settings()


def config(*options: str) -> str:
    """What `livejoin config` prints."""
    done = CliRunner().invoke(app, ["config", *options])
    assert done.exit_code == 0, done.exception
    return done.stdout


def test_what_is_printed_can_be_pasted_back(tmp_path: Path) -> None:
    """Everything that is in force, the declaration among it; secrets are comments."""
    file, printed = tmp_path / "mine.toml", tmp_path / "printed.toml"
    kafka = '[kafka]\n"bootstrap.servers" = "b:9092"\n"sasl.password" = "hunter2"\n"security.protocol" = "PLAINTEXT"\n'
    file.write_text(ORDERS + kafka, encoding="utf-8")
    printed.write_text(config(f"--config={file}"), encoding="utf-8")
    assert "hunter2" not in printed.read_text(encoding="utf-8")
    assert '# "sasl.password" = "********"' in printed.read_text(encoding="utf-8")
    again = load_settings(printed, {"kafka": {"sasl.password": "hunter2"}})
    assert again.masked() == load_settings(file).masked()
    columns = '[left.columns]\norderId = "string"\ncustomer = { type = "string", path = "buyer.id" }\n'
    assert columns in printed.read_text(encoding="utf-8")


def test_the_default_is_printed_in_full(tmp_path: Path) -> None:
    """Somebody who wants to begin from it finds its columns, its topics and its key."""
    (tmp_path / "livejoin.toml").write_text(config(), encoding="utf-8")
    found = tomllib.loads((tmp_path / "livejoin.toml").read_text(encoding="utf-8"))
    assert (found["left"]["topic"], found["join"]["on"]) == ("users", {"userId": "userId"})
    assert load_settings().declaration == DEFAULT


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_written_as_toml(said: str) -> None:
    """Whatever is in it."""
    assert tomllib.loads(f"said = {text(said)}") == {"said": said}


def test_a_wrong_declaration_ends_the_command_with_2(tmp_path: Path) -> None:
    """And its sentence, before anything is asked of anybody."""
    (tmp_path / "livejoin.toml").write_text(ORDERS.replace("customer = {", "kunde = {"), encoding="utf-8")
    done = CliRunner().invoke(app, ["config"])
    assert isinstance(done.exception, SettingsError)
    assert done.exception.exit_code == 2
    assert "orders has no column 'customer' to be joined by" in done.exception.what


@given(declarations())
def test_every_declaration_can_be_printed_and_read(declaration: Declaration) -> None:
    """Also those that nobody would think of."""
    settings = load_settings(None, settings_of(declaration))
    assert load_settings(None, tomllib.loads(settings_toml(settings))).declaration == settings.declaration


def settings_of(declaration: Declaration) -> dict[str, Any]:
    """Settings that declare it."""
    given: dict[str, Any] = {
        side: {
            "name": source.name,
            "keep": source.keep,
            "columns": {
                column.name: {"type": str(column.type), "path": list(column.path), "null": column.null_becomes}
                for column in source.columns
            },
        }
        for side, source in (("left", declaration.left), ("right", declaration.right))
    }
    given["join"] = {"on": dict(zip(declaration.left.key, declaration.right.key, strict=True))}
    return given
