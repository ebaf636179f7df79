"""Tables of other declarations: any name, every type, and a change of what is declared under somebody who looks on."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from await_that import await_that
from door_client import DoorClient, enter
from livejoin.access.keys import server_key
from livejoin.model.column import Column, ColumnType
from livejoin.model.declaration import Declaration, Keep, Source
from livejoin.model.generation import Generation, JoinType
from table_server import Pipeline, Reader, ServeProcess, declaration
from tests.serve_tables.keys import WALL

HOSTILE = ("value", "order", "select", "two words", "a.b", "it's", 'say "yes" \\', "Größe 😀", "__proto__", "x" * 128)


def source(name: str, keep: Keep, key: tuple[str, ...], /, **columns: str) -> Source:
    """A source with columns of these types."""
    return Source(name, tuple(Column(one, ColumnType.named(of)) for one, of in columns.items()), key, keep)


ORDERS = Declaration.of(
    source(
        "orders",
        Keep.ALL,
        ("key", "no"),
        key="string",
        no="long",
        total="decimal(38,2)",
        fine="decimal(38,38)",
        placed="timestamp",
        due="date",
        paid="boolean",
        weight="double",
        count="long",
        email="string",
    ),
    source("customers", Keep.ALL, ("id", "at"), id="string", at="long", name="string", email="string"),
    ["orders.*", "customers.name as customerName", "customers.id as who", "customers.email as contact"],
)
NAMED = Declaration.of(
    Source("orders", tuple(Column(name, ColumnType.named("string")) for name in ("key", *HOSTILE)), ("key",), Keep.ALL),
    Source("Orders2", tuple(Column(name, ColumnType.named("string")) for name in ("k", *HOSTILE)), ("k",), Keep.ALL),
)

LARGEST = 10**36 - 1
VALUES: dict[str, list[Any]] = {
    "total": [f"-{LARGEST}.99", "-0.01", "0.00", "12.30", f"{LARGEST}.99", None],
    "fine": [f"-0.{'9' * 38}", f"-0.{'0' * 37}1", f"0.{'0' * 38}", f"0.{'1' * 38}", f"0.{'9' * 38}", None],
    "placed": [-(2**63) + 1, -1, 0, 1_715_934_600_123_456_789, 2**63 - 1, None],
    "due": [-719_162, -1, 0, 20_088, 2_932_896, None],
    "paid": [False, False, True, True, True, None],
    "weight": [-1.5e300, -5e-324, 0.0, 0.1, 1.5e300, None],
    "count": [-(2**63) + 1, -(2**53), 0, 2**53 + 1, 2**63 - 1, None],
    "email": ["", "a", "b", "ö", "😀", None],
}
"""Of each column: six values, in their order, as the wire has them."""
TOLD: dict[str, list[Any]] = {
    **VALUES,
    "placed": [None if value is None else str(value) for value in VALUES["placed"]],
    "due": ["0001-01-01", "1969-12-31", "1970-01-01", "2024-12-31", "9999-12-31", None],
    "count": [str(-(2**63) + 1), str(-(2**53)), 0, str(2**53 + 1), str(2**63 - 1), None],
}
"""The same as clients are told."""


@pytest.fixture(scope="module")
def orders(pipeline: Pipeline, viewer: Reader) -> Generation:
    """Six orders, each with a value of every type; the first has a customer."""
    generation = pipeline.open(declaration=ORDERS)
    for number in range(6):
        row = {"key": f"k{number}", "no": number, **{name: values[number] for name, values in VALUES.items()}}
        shown = {name: value for name, value in row.items() if value is not None}
        pipeline.upsert(generation, "orders_ui", str(number), 1, **shown)
        customer = {"customerName": "Ada", "who": "k0", "contact": "ada@hidden.example"} if number == 0 else {}
        pipeline.upsert(generation, "final_ui", str(number), 1, **shown, **customer)
    return shown_now(pipeline, viewer, generation)


def shown_now(pipeline: Pipeline, viewer: Reader, generation: Generation, **how: Any) -> Generation:
    """Make a generation live, and return when it is shown."""
    live = pipeline.go_live(generation, **how)
    viewer.await_generation(live.number)
    return live


def asked(served: ServeProcess, key: str | None = None, **view: Any) -> httpx.Response:
    """The answer to a view over HTTP."""
    bearer = {"Authorization": f"Bearer {key or server_key(served.settings)}"}
    return httpx.post(f"{served.settings.page_url}rows?newest=100", headers=bearer, json=view)


def lines(answer: httpx.Response) -> list[dict[str, Any]]:
    """The rows of an answer."""
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.split(b"\n") if line]


@pytest.mark.usefixtures("orders")
def test_every_type_is_told_exactly(served: ServeProcess, door: DoorClient) -> None:
    """Over the WebSocket and as lines of JSON, in the joined table and in that of its source."""
    types = {"total": "decimal", "placed": "instant", "due": "date", "paid": "boolean", "weight": "double"}
    for table in ("orders_ui", "final_ui"):
        view = door.views[door.open(table, columns=list(VALUES), sort=[{"column": "no", "direction": "ascending"}])]
        assert view.table == [list(row) for row in zip(*TOLD.values(), strict=True)]
        told = {column["name"]: column["type"] for column in view.columns}
        assert types.items() <= told.items()
        rows = lines(asked(served, table=table, columns=list(VALUES), filter=[{"column": "no", "is": "less", "to": 6}]))
        assert {name: [row[name] for row in rows] for name in VALUES} == TOLD
    first, second = lines(asked(served, table="final_ui", columns=["key", "customerName", "who"]))[:2]
    assert first == {"key": "k0", "customerName": "Ada", "who": "k0"}
    assert second == {"key": "k1", "customerName": None, "who": None}


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize("column", list(VALUES))
def test_every_type_is_sorted_and_filtered(door: DoorClient, column: str) -> None:
    """A null comes last in both directions and compares with nothing; what is told of a value finds it again."""

    def found(*filters: dict[str, Any], direction: str = "ascending") -> list[Any]:
        by = [{"column": column, "direction": direction}, {"column": "no", "direction": direction}]
        conditions = [{"column": column, **one} for one in filters]
        number = door.open("orders_ui", columns=[column], sort=by, filter=conditions)
        rows = [row[0] for row in door.views[number].table]
        door.close(number)
        return rows

    values = TOLD[column][:-1]
    assert found() == [*values, None]
    assert found(direction="descending") == [*reversed(values), None]
    assert found({"is": "null"}) == [None]
    assert found({"is": "notNull"}) == values
    for value in dict.fromkeys(values):
        at, after = values.index(value), len(values) - values[::-1].index(value)
        assert found({"is": "equal", "to": value}) == values[at:after]
        assert found({"is": "notEqual", "to": value}) == [*values[:at], *values[after:], None]
        assert found({"is": "less", "to": value}) == values[:at]
        assert found({"is": "lessOrEqual", "to": value}) == values[:after]
        assert found({"is": "greater", "to": value}) == values[after:]
        assert found({"is": "greaterOrEqual", "to": value}) == values[at:]
    low, high = values[1], values[3]
    between = [value for value in values if values.index(low) <= values.index(value) <= values.index(high)]
    assert found({"is": "greaterOrEqual", "to": low}, {"is": "lessOrEqual", "to": high}) == between
    assert found({"is": "oneOf", "to": [values[0], values[-1]]}) == [v for v in values if v in (values[0], values[-1])]


@pytest.mark.usefixtures("orders")
def test_a_decimal_is_compared_with_more_digits_than_it_has(door: DoorClient) -> None:
    """Nothing is rounded: a number that lies between two cells equals neither."""
    by = [{"column": "no", "direction": "ascending"}]
    for condition, numbers in (
        ({"is": "equal", "to": "12.300"}, [3]),
        ({"is": "equal", "to": 12.3}, [3]),
        ({"is": "equal", "to": "12.3000000000000000000000000000000000000001"}, []),
        ({"is": "less", "to": "12.3000000000000000000000000000000000000001"}, [0, 1, 2, 3]),
        ({"is": "less", "to": "12.2999999999999999999999999999999999999999"}, [0, 1, 2]),
        ({"is": "greater", "to": f"{LARGEST}.989"}, [4]),
        ({"is": "greater", "to": 10**60}, []),
        ({"is": "less", "to": 10**60}, [0, 1, 2, 3, 4]),
    ):
        view = door.open("orders_ui", columns=["no"], sort=by, filter=[{"column": "total", **condition}])
        assert door.views[view].table == [[number] for number in numbers], condition
        door.close(view)


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize(("column", "to"), [("due", "31.12.2024"), ("due", "2023-02-29"), ("total", "much")])
def test_what_cannot_be_compared_is_answered_by_a_sentence(served: ServeProcess, column: str, to: str) -> None:
    """With the name of the column, and what it can be compared with."""
    answer = asked(served, table="orders_ui", filter=[{"column": column, "is": "less", "to": to}])
    assert answer.status_code == 400
    assert column in answer.json()["error"]


@pytest.mark.usefixtures("orders")
def test_what_is_hidden_does_not_come_back_under_another_name(served: ServeProcess) -> None:
    """Viewers may not see `email` here, and `contact` is what the joined table calls that of the customer."""
    tables = declaration(served, WALL)["tables"]
    names = {name: [column["name"] for column in columns] for name, columns in tables.items()}
    assert "name" in names["customers_ui"]
    assert not {"email", "contact"} & {*names["orders_ui"], *names["customers_ui"], *names["final_ui"]}
    answer = asked(served, WALL, table="final_ui")
    assert "hidden.example" not in answer.text
    assert "contact" not in answer.headers["livejoin-columns"]
    assert asked(served, WALL, table="final_ui", search="hidden.example").content == b""
    assert len(lines(asked(served, table="final_ui", search="hidden.example"))) == 1
    for refused in ({"columns": ["contact"]}, {"sort": [{"column": "contact", "direction": "ascending"}]}):
        assert asked(served, WALL, table="final_ui", **refused).status_code == 400


def test_a_column_may_have_any_name(served: ServeProcess, pipeline: Pipeline, viewer: Reader, door: DoorClient) -> None:
    """It is told, chosen, sorted, filtered and searched by that name, over the WebSocket and HTTP."""
    generation = pipeline.open(declaration=NAMED)
    for number in range(3):
        row = {name: f"{name} {number}" for name in HOSTILE}
        pipeline.upsert(generation, "orders_ui", str(number), 1, key=str(number), **row)
        joined = {f"{side}.{name}": f"{side} {name} {number}" for side in ("orders", "Orders2") for name in HOSTILE}
        pipeline.upsert(generation, "final_ui", str(number), 1, key=str(number), **joined)
    shown_now(pipeline, viewer, generation)

    opened = door.views[door.open("final_ui")]
    joined_names = ["key", *(f"orders.{name}" for name in HOSTILE), *(f"Orders2.{name}" for name in HOSTILE)]
    assert [column["name"] for column in opened.columns] == joined_names
    assert opened.columns[0] == {"name": "key", "type": "text", "key": True, "source": "orders"}
    assert opened.columns[-1] == {"name": joined_names[-1], "type": "text", "source": "Orders2"}
    for name in HOSTILE:
        asking: dict[str, Any] = {
            "table": "orders_ui",
            "columns": [name],
            "sort": [{"column": name, "direction": "descending"}],
            "filter": [{"column": name, "is": "notEqual", "to": f"{name} 1"}],
            "search": name,
        }
        assert lines(asked(served, **asking)) == [{name: f"{name} {number}"} for number in (2, 0)]
        view = door.open(asking.pop("table"), **asking)
        assert door.views[view].table == [[f"{name} 2"], [f"{name} 0"]]
        door.close(view)
    assert [tuple(row) for row in viewer.rows("orders_ui")] == [("key", *HOSTILE)] * 3
    header = asked(served, table="orders_ui").headers["livejoin-columns"]
    assert header.isascii()
    assert [column["name"] for column in json.loads(header)] == ["key", *HOSTILE]


@pytest.fixture
def people(pipeline: Pipeline, viewer: Reader) -> Generation:
    """A generation of the default, shown, with a row in each table."""
    generation = pipeline.open()
    for table in ("users_ui", "accounts_ui", "final_ui"):
        pipeline.upsert(generation, table, "u", 1, userId="u", name="Ada", balance=1.5)
    return shown_now(pipeline, viewer, generation)


@pytest.fixture
def onlooker(served: ServeProcess, people: Generation) -> Iterator[DoorClient]:
    """Somebody who looks at every table of it."""
    with enter(served.settings) as found:
        for table in ("users_ui", "accounts_ui", "final_ui", "orchestrator_status"):
            assert found.views[found.open(table)].generation == people.number
        yield found


def heard_of_a_change(onlooker: DoorClient) -> None:
    """What is declared is told, then the end of every view; before that no frame is empty."""
    ended: set[int] = set()
    was = onlooker.declared
    while len(ended) < len(onlooker.views):
        heard = onlooker.hear()
        if heard["is"] == "failed":
            assert onlooker.declared != was
            ended.add(heard["view"])
        elif heard["is"] == "rows":
            assert onlooker.declared == was
            assert {view.size for view in onlooker.views.values()} == {1}
    assert ended == onlooker.views.keys()
    onlooker.views.clear()


def test_a_changed_declaration_reaches_who_looks_on(
    served: ServeProcess, pipeline: Pipeline, viewer: Reader, people: Generation, onlooker: DoorClient
) -> None:
    """Views end, what is declared is told, and the tables have other columns; and back, while the old one lingers."""
    before = onlooker.declared
    coming = pipeline.open(declaration=ORDERS)
    pipeline.upsert(coming, "final_ui", "1", 1, key="k1", no=1, total="12.30")
    assert declaration(served)["left"]["name"] == "users"
    other = shown_now(pipeline, viewer, coming, lingering=people.number)
    heard_of_a_change(onlooker)
    assert (onlooker.declared["left"]["table"], onlooker.declared["on"]) == ("orders_ui", [["key", "id"], ["no", "at"]])
    view = onlooker.views[onlooker.open("final_ui", columns=["key", "total"])]
    assert (view.table, view.generation) == ([["k1", "12.30"]], other.number)
    status = onlooker.views[onlooker.open("orchestrator_status")]
    assert [column["name"] for column in status.columns][:2] == ["ordersTopic", "customersTopic"]
    assert asked(served, table="users_ui").status_code == 404

    # Rows go on for the one that lingers, and are there when it comes back.
    pipeline.upsert(people, "users_ui", "v", 1, userId="v", name="Bea")
    pipeline.flush()
    shown_now(pipeline, viewer, people, lingering=other.number)
    heard_of_a_change(onlooker)
    assert onlooker.declared == before
    await_that(lambda: [row["userId"] for row in viewer.rows("users_ui")] == ["u", "v"])
    assert onlooker.views[onlooker.open("users_ui", columns=["name"])].table == [["Ada"], ["Bea"]]
    assert asked(served, table="orders_ui").status_code == 404
    pipeline.close(other)


def test_no_moment_is_without_tables(served: ServeProcess, pipeline: Pipeline, people: Generation) -> None:
    """Who asks again and again while declarations change hears of one or the other, and of rows in each of them."""
    bearer = {"Authorization": f"Bearer {server_key(served.settings)}"}
    purchases = Declaration.of(replace(ORDERS.left, name="purchases"), ORDERS.right)
    shown, followed = people, alive(served, "Status")
    seen: set[tuple[str, ...]] = set()
    with httpx.Client(base_url=served.settings.page_url, headers=bearer) as web:
        for turn in range(4):
            coming = pipeline.open(declaration=purchases) if turn % 2 == 0 else pipeline.open()
            row = {"key": "k", "no": 1} if turn % 2 == 0 else {"userId": "u"}
            pipeline.upsert(coming, "final_ui", "1", 1, **row)
            live = pipeline.go_live(coming)
            pipeline.close(shown)
            shown = live
            while True:
                answer = web.get("/rows/final_ui")
                assert answer.status_code == 200
                assert answer.content.count(b"\n") == 1
                seen.add(tuple(column["name"] for column in json.loads(answer.headers["livejoin-columns"])))
                if answer.headers["livejoin-generation"] == str(live.number):
                    break
    assert len(seen) == 2
    # The tables that nobody can come back to are freed.
    await_that(lambda: alive(served, "Status") == followed)


def alive(served: ServeProcess, name: str) -> int:
    """How many objects of a class of livejoin are alive in the engine, after a garbage collection."""
    jcmd = shutil.which("jcmd")
    assert jcmd, "no jcmd: install a JDK, as `make test` says"
    command = [jcmd, str(served.process.pid), "GC.class_histogram"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(rf"^\s*\d+:\s+(\d+)\s+\d+\s+livejoin\.{name}$", told, re.MULTILINE)
    return int(found[1]) if found else 0


def test_what_differs_only_in_what_is_kept_is_one_flip(
    pipeline: Pipeline, viewer: Reader, people: Generation, onlooker: DoorClient
) -> None:
    """The tables are the same: no view ends, and who looks on hears that something else is declared."""
    kept = people.request.declaration
    latest = replace(kept, right=replace(kept.right, keep=Keep.LATEST))
    coming = pipeline.open(declaration=latest, join=JoinType.INNER)
    for table in ("users_ui", "accounts_ui", "final_ui"):
        pipeline.upsert(coming, table, "u", 1, userId="u", name="Bea", balance=1.5)
    live = shown_now(pipeline, viewer, coming)
    while {view.generation for view in onlooker.views.values()} != {live.number}:
        assert onlooker.hear()["is"] in ("rows", "declared")
    while onlooker.declared["right"]["keep"] != "latest":
        assert onlooker.hear()["is"] in ("rows", "declared")
    assert len(onlooker.views) == 4
