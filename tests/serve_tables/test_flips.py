"""The change from one generation to another, and what is left of the one before."""

import psutil

from await_that import await_that
from default_tables import ACCOUNTS_UI, FINAL_UI, USERS_UI
from door_client import DoorClient
from livejoin.wire.view_record import FORMAT
from table_server import Pipeline, Reader, ServeProcess
from view_records import Keyed, progress
from view_records import row as row_record


def test_a_flip_moves_every_table_at_once(pipeline: Pipeline, viewer: Reader, door: DoorClient) -> None:
    """Seen by one connection that looks at all of them: after every message all tables are of one generation."""
    tables = {USERS_UI.name: "age", ACCOUNTS_UI.name: "balance", FINAL_UI.name: "age"}

    def fill() -> int:
        generation = pipeline.open()
        number = generation.number
        for user in range(200):
            row = {"userId": f"u{user}", "age": number, "balance": float(number)}
            for table in tables:
                pipeline.upsert(generation, table, f"u{user}", 1, **row)
        pipeline.go_live(generation)
        return number

    viewer.await_generation(fill())
    status = door.views[door.open("orchestrator_status", columns=["generation"])]
    seen = [door.views[door.open(name, columns=[column])] for name, column in tables.items()]
    for _ in range(3):
        number = fill()
        while status.table != [[number]]:
            door.hear()
            marks = {row[0] for view in (status, *seen) for row in view.table}
            assert len(marks) == 1
            assert [view.size for view in seen] == [200, 200, 200]
            assert {view.generation for view in (status, *seen)} == marks


def test_a_generation_is_shown_when_its_rows_are_loaded_and_not_before(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess
) -> None:
    """`current` alone does not flip: the announced end of the view topic has to be reached."""
    before = viewer.status()["generation"]
    announced = pipeline.open()
    pipeline.upsert(announced, "users_ui", "u", 1, userId="u")
    pipeline.go_live(announced, view_ends={0: 2})
    await_that(lambda: f"generation {announced.number}" in served.answer("healthz")["components"])
    assert viewer.status()["generation"] == before
    pipeline.upsert(announced, "users_ui", "v", 1, userId="v")
    pipeline.flush()

    viewer.await_generation(announced.number)
    assert sorted(row["userId"] for row in viewer.rows("users_ui")) == ["u", "v"]


def test_a_generation_of_another_version_is_not_shown(pipeline: Pipeline, viewer: Reader, served: ServeProcess) -> None:
    """Its rows cannot be read: what is shown stays, and who looks is told, until there is one whose rows can be."""
    shown = pipeline.go_live(pipeline.open())
    viewer.await_generation(shown.number)
    other = pipeline.open(view_format=FORMAT + 1)
    # A row that this version would read, if it tried.
    pipeline.upsert(other, "users_ui", "u", 1, userId="u")
    pipeline.go_live(other)
    pipeline.close(shown)
    told = f"generation {other.number} is current, but was written by another version"
    await_that(lambda: told in viewer.status()["message"])

    assert viewer.status()["generation"] == shown.number
    assert viewer.rows("users_ui") == []
    assert told in served.answer("readyz")["reason"]
    assert f"generation {other.number}" not in served.answer("healthz")["components"]
    fresh = pipeline.go_live(pipeline.open())
    viewer.await_generation(fresh.number)
    assert told not in viewer.status()["message"]
    await_that(lambda: served.answer("readyz")["ready"])
    pipeline.close(other)


def test_a_closed_generation_is_gone_and_the_shown_one_stays(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess
) -> None:
    """Readers and threads of generations that are over end; what is on the screen stays until the next flip."""
    process = psutil.Process(served.process.pid)
    before = process.num_threads()
    generations = [pipeline.open() for _ in range(6)]
    numbers = [generation.number for generation in generations]
    last = pipeline.go_live(generations[-1])
    viewer.await_generation(last.number)
    for generation in generations[:-1]:
        pipeline.close(generation)
    pipeline.close(last)

    def loaded() -> set[int]:
        components = served.answer("healthz")["components"]
        return {number for number in numbers if f"generation {number}" in components}

    await_that(lambda: loaded() == {last.number})
    await_that(lambda: process.num_threads() <= before + 8)
    assert viewer.status()["generation"] == last.number
    viewer.await_generation(pipeline.go_live(pipeline.open()).number)
    await_that(lambda: not loaded())


def test_a_lingering_generation_comes_back_with_what_happened_meanwhile(pipeline: Pipeline, viewer: Reader) -> None:
    """It is kept up to date while another one is shown, and a flip back needs nothing to be loaded."""
    first = pipeline.open()
    pipeline.upsert(first, "users_ui", "u", 1, userId="old")
    live = pipeline.go_live(first)
    viewer.await_generation(first.number)
    second = pipeline.go_live(pipeline.open(), lingering=first.number)
    viewer.await_generation(second.number)
    pipeline.upsert(first, "users_ui", "v", 1, userId="meanwhile")
    pipeline.flush()
    pipeline.go_live(live, lingering=second.number)
    viewer.await_generation(first.number)

    await_that(lambda: [row["userId"] for row in viewer.rows("users_ui")] == ["old", "meanwhile"])
    stages = {row["generation"]: row["state"] for row in viewer.rows("generations")}
    assert (stages[first.number], stages[second.number]) == ("live", "lingering")


def test_who_takes_over_a_view_topic_is_not_seen_among_the_rows_of_the_one_before(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess
) -> None:
    """A server that still shows the one before reads no further than to the word that the topic is another's."""
    before = pipeline.open()
    pipeline.upsert(before, "users_ui", "u", 1, userId="old")
    pipeline.go_live(before)
    viewer.await_generation(before.number)
    pipeline.cluster.empty(before.view_topic)
    after = pipeline.open(view_topic=before.view_topic, taken=3)
    pipeline.take(after, epoch=3)
    pipeline.write(after, everything_of("new", epoch=3))
    pipeline.flush()
    await_that(lambda: b"view topic has gone to another generation" in served.log.read_bytes())

    assert [row["userId"] for row in viewer.rows("users_ui")] == ["old"]
    pipeline.go_live(after)
    viewer.await_generation(after.number)
    assert [row["userId"] for row in viewer.rows("users_ui")] == ["new"]
    assert viewer.status()["generation"] == after.number


def test_what_the_one_before_still_writes_into_a_view_topic_is_not_shown(pipeline: Pipeline, viewer: Reader) -> None:
    """Its process stands still, and its Spark does not; when it goes on it says once more that the topic is its own."""
    shown = pipeline.open(taken=5)
    pipeline.take(shown, epoch=5)
    pipeline.write(shown, everything_of("new", epoch=6))
    pipeline.write(shown, everything_of("before", epoch=4))
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)
    assert [row["userId"] for row in viewer.rows("users_ui")] == ["new"]

    pipeline.take(shown, epoch=4)
    pipeline.write(shown, everything_of("later, of before", epoch=4))
    pipeline.write(shown, row_record("users_ui", "live", 1, {"userId": "live, of before"}, epoch=4))
    pipeline.write(shown, progress("live", 1, "users", 0, 9, epoch=4))
    pipeline.write(shown, everything_of("newest", epoch=6))
    pipeline.flush()
    await_that(lambda: [row["userId"] for row in viewer.rows("users_ui")] == ["new", "newest"])


def everything_of(user: str, epoch: int) -> Keyed:
    """A user's row as a backfill writes it."""
    key, value = row_record("users_ui", user, 1, {"userId": user}, epoch=epoch)
    return f"everything/{key}", value
