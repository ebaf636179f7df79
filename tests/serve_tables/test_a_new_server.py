"""A table server before anything has been written for it."""

from await_that import await_that
from default_tables import ACCOUNTS_UI, FINAL_UI, TABLES, USERS_UI
from door_client import DoorClient
from livejoin.model.column import Kind
from table_server import Reader, ServeProcess, declaration

TYPES = {Kind.STRING: "text", Kind.LONG: "integer", Kind.DOUBLE: "double", Kind.TIMESTAMP: "instant"}


def test_before_any_topic_exists_tables_are_empty_and_the_status_says_what_is_waited_for(
    served: ServeProcess, viewer: Reader
) -> None:
    """A viewer that comes first can log in and is told why there is nothing to see."""
    status = await_that(lambda: next((s for s in [viewer.status()] if "serve-test.state" in s["message"]), None))

    assert (status["generation"], status["state"]) == (0, "starting")
    assert [viewer.client.size(table.name) for table in (USERS_UI, ACCOUNTS_UI, FINAL_UI)] == [0, 0, 0]
    assert "serve-test.state" in served.answer("readyz")["reason"]


def test_every_table_has_the_columns_and_types_of_the_schema(door: DoorClient) -> None:
    """Names, order and types are those declared, before there is a single row."""
    for table in TABLES.all:
        opened = door.views[door.open(table.name)]
        assert [(column["name"], column["type"]) for column in opened.columns] == [
            (column.name, TYPES[column.type.kind]) for column in table.columns
        ]


def test_what_is_declared_is_told_to_everybody_who_comes_in(served: ServeProcess, door: DoorClient) -> None:
    """First of all, before anything is asked; and a column says whether it is a key, and from which source it comes."""
    declared = {
        "left": {"name": "users", "table": "users_ui", "topicField": "usersTopic", "keep": "all"},
        "right": {"name": "accounts", "table": "accounts_ui", "topicField": "accountsTopic", "keep": "latest"},
        "joined": {"table": "final_ui"},
        "on": [["userId", "userId"]],
        "joins": ["left", "inner", "asof"],
    }
    assert door.declared == declared
    found = declaration(served)
    tables = found.pop("tables")
    assert found == declared
    assert list(tables) == [table.name for table in TABLES.all]
    assert tables["accounts_ui"] == [
        {"name": "userId", "type": "text", "key": True, "source": "accounts"},
        {"name": "accountType", "type": "text", "source": "accounts"},
        {"name": "balance", "type": "double", "source": "accounts"},
    ]
    assert door.views[door.open("accounts_ui")].columns == tables["accounts_ui"]
    assert tables["orchestrator_status"][0] == {"name": "usersTopic", "type": "text"}
