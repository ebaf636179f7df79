"""A table server before anything has been written for it."""

from await_that import await_that
from door_client import DoorClient
from livejoin.schema import ACCOUNTS_UI, FINAL_UI, TABLES, USERS_UI, ColumnType
from table_server import Reader, ServeProcess

TYPES = {
    ColumnType.STRING: "text",
    ColumnType.LONG: "integer",
    ColumnType.DOUBLE: "decimal",
    ColumnType.INSTANT: "instant",
}


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
    for table in TABLES:
        opened = door.views[door.open(table.name)]
        assert opened.columns == [{"name": c.name, "type": TYPES[c.type]} for c in table.columns]
