"""What viewers see of the rows, the status, the logs and the progress that a pipeline writes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from await_that import await_that
from default_tables import ACCOUNTS_UI, FINAL_UI, USERS_UI
from door_client import DoorClient
from livejoin.model.declaration import Side
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import JoinType, Progress, State
from livejoin.model.judgement import judgement
from livejoin.model.table import CONTROL_RAW, DEAD_LETTERS, Table
from table_server import ALL, Pipeline, Reader, ServeProcess
from view_records import everything, progress
from view_records import row as row_record


def test_rows_appear_as_they_were_written(pipeline: Pipeline, viewer: Reader, served: ServeProcess) -> None:
    """A generation fills all three tables, nulls and any script included, and the status row names it."""
    shown = pipeline.open()
    user = {"userId": "u1", "name": "Zoë 🦊", "email": "", "age": 41}
    account = {"accountType": "gold", "balance": 12.5}
    pipeline.upsert(shown, "users_ui", "u1/0/0", 1, **user)
    pipeline.upsert(shown, "accounts_ui", "u1", 2, userId="u1", **account)
    pipeline.upsert(shown, "final_ui", "u1/0/0", 2, **user, **account)
    pipeline.upsert(shown, "final_ui", "u2/0/1", 1, userId="u2", name="", email="")
    pipeline.go_live(shown, why="backfilled")
    viewer.await_generation(shown.number)

    assert viewer.rows("users_ui") == [user]
    assert viewer.rows("accounts_ui") == [{"userId": "u1", **account}]
    empty = {"userId": "u2", "name": "", "email": "", "age": None, "accountType": None, "balance": None}
    assert viewer.rows("final_ui") == [{**user, **account}, empty]
    assert viewer.status() == {
        "usersTopic": "users",
        "accountsTopic": "accounts",
        "joinType": "left",
        "lastApplied": "2024-05-17T08:30:00.000Z",
        "generation": shown.number,
        "state": "live",
        "message": "backfilled",
    }
    assert served.answer("readyz")["ready"] is True


@pytest.mark.parametrize(
    ("asked", "mirrored"),
    [
        ({"join": JoinType.LEFT, "declaration": DEFAULT}, USERS_UI),
        ({"join": JoinType.ASOF, "declaration": ALL}, ACCOUNTS_UI),
    ],
)
def test_a_table_that_mirrors_the_joined_one_has_its_rows_with_fewer_columns(
    pipeline: Pipeline, viewer: Reader, asked: dict[str, Any], mirrored: Table
) -> None:
    """They are written once; a change and a delete of the joined row are seen in both tables."""
    shown = pipeline.open(**asked)
    rows: list[dict[str, Any]] = [
        dict(zip(FINAL_UI.column_names, (f"u{n}", "Ann", "", n, "gold", n / 2), strict=True)) for n in range(3)
    ]
    for row in rows:
        pipeline.upsert(shown, FINAL_UI.name, row["userId"], 1, **row)
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)

    assert viewer.rows(mirrored.name) == [{name: row[name] for name in mirrored.column_names} for row in rows]

    pipeline.upsert(shown, FINAL_UI.name, "u1", 2, **{**rows[1], "userId": "changed"})
    pipeline.delete(shown, FINAL_UI.name, "u0", 2)
    pipeline.flush()
    await_that(lambda: [row["userId"] for row in viewer.rows(mirrored.name)] == ["changed", "u2"])
    assert [row["userId"] for row in viewer.rows(FINAL_UI.name)] == ["changed", "u2"]


def test_a_stale_version_is_dropped_and_the_last_of_equal_versions_is_taken(pipeline: Pipeline, viewer: Reader) -> None:
    """Whatever a restarted pipeline emits again changes nothing, within one batch and over several."""
    shown = pipeline.open()
    for user in range(3000):
        for version, name in ((1, "first"), (3, "old"), (2, "stale"), (3, "newest"), (1, "stale")):
            pipeline.upsert(shown, "users_ui", f"u{user}", version, userId=f"u{user}", name=name)
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)
    assert {row["name"] for row in viewer.rows("users_ui")} == {"newest"}

    pipeline.upsert(shown, "users_ui", "u0", 2, userId="u0", name="stale")
    pipeline.upsert(shown, "users_ui", "u1", 3, userId="u1", name="equal")
    pipeline.flush()
    await_that(lambda: viewer.rows("users_ui")[1]["name"] == "equal")
    names = [row["name"] for row in viewer.rows("users_ui")]
    assert (len(names), names[0], set(names[2:])) == (3000, "newest", {"newest"})


def test_no_viewer_sees_half_of_an_event(pipeline: Pipeline, viewer: Reader, door: DoorClient) -> None:
    """An account changes all rows of its user: they change together, also where their records arrive one by one."""
    shown, rows, last = pipeline.open(), ("u0/0", "u0/1", "u0/2"), 20

    def change(version: int) -> None:
        for row_id in rows:
            pipeline.write(shown, row_record("final_ui", row_id, version, {"userId": "u0", "balance": version}))
            pipeline.flush()
        pipeline.write(shown, progress("u0", version, "accounts", 0, version))
        pipeline.flush()

    change(1)
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)
    view = door.views[door.open("final_ui", columns=["balance"])]
    for version in range(2, last + 1):
        change(version)
    while view.table != [[last]] * len(rows):
        assert len({balance for [balance] in view.table}) == 1, view.table
        door.hear()


def test_what_a_later_start_wrote_counts_whatever_the_version(pipeline: Pipeline, viewer: Reader) -> None:
    """A pipeline that was replaced may go on writing, and what is counted again may come to less than before."""
    shown = pipeline.open()
    written = (("u0", 1, 5, "replaced"), ("u0", 2, 3, "newest"), ("u0", 1, 9, "replaced, and does not know"))
    for user, epoch, version, name in (*written, ("u1", 1, 7, "of before")):
        pipeline.write(shown, row_record("users_ui", user, version, {"userId": user, "name": name}, epoch=epoch))
    for user, epoch, version, _ in (*written, ("u1", 1, 7, "of before")):
        pipeline.write(shown, progress(user, version, "users", 0, version, epoch))
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)

    assert [found["name"] for found in viewer.rows("users_ui")] == ["newest", "of before"]
    await_that(lambda: viewer.rows("accounting")[0]["events"] == 3 + 7)


def test_no_row_becomes_older_while_one_pipeline_takes_over_from_another(
    pipeline: Pipeline, viewer: Reader, door: DoorClient
) -> None:
    """The Spark of the one that stands still was ahead: what the new one writes is shown when it has caught up."""
    shown = pipeline.open()

    def write(epoch: int, version: int) -> None:
        pipeline.write(shown, row_record("users_ui", "u0", version, {"userId": "u0", "age": version}, epoch=epoch))
        pipeline.write(shown, progress("u0", version, "users", 0, version, epoch))
        pipeline.flush()

    write(1, 4)
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)
    view = door.views[door.open("users_ui", columns=["age"])]
    ages = [age for [age] in view.table]
    for epoch, version in ((1, 6), (2, 4), (2, 5), (1, 7), (2, 6), (2, 7), (2, 8)):
        write(epoch, version)
    while ages[-1] != 8:
        door.hear()
        ages += [age for [age] in view.table]

    assert ages == sorted(ages)


def test_a_delete_takes_the_row_away_until_a_newer_version_brings_it_back(pipeline: Pipeline, viewer: Reader) -> None:
    """A delete is ordered by its version like any other change."""
    shown = pipeline.open()
    for row_id in ("gone", "back", "kept"):
        pipeline.upsert(shown, "accounts_ui", row_id, 5, userId=row_id)
    pipeline.delete(shown, "accounts_ui", "gone", 6)
    pipeline.upsert(shown, "accounts_ui", "gone", 5, userId="gone")
    pipeline.delete(shown, "accounts_ui", "back", 6)
    pipeline.delete(shown, "accounts_ui", "kept", 4)
    pipeline.upsert(shown, "accounts_ui", "back", 7, userId="back")
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)

    assert sorted(row["userId"] for row in viewer.rows("accounts_ui")) == ["back", "kept"]


def test_what_a_backfill_wrote_together_changes_row_by_row(pipeline: Pipeline, viewer: Reader) -> None:
    """Later records set or delete single rows of it, and what is older than it changes nothing."""
    shown = pipeline.open()
    pipeline.upsert(shown, "users_ui", "1", 2, userId="u", name="before")
    rows = [{"id": str(number), "name": "together"} for number in range(4)]
    account = {"id": "u", "balance": 1.5}
    where = {"s": "left", "p": 0, "o": 9}
    pipeline.write(shown, everything("u", 5, users_ui=rows, accounts_ui=[account], **where))
    pipeline.upsert(shown, "users_ui", "2", 6, userId="u", name="after")
    pipeline.delete(shown, "users_ui", "3", 7)
    pipeline.upsert(shown, "users_ui", "0", 4, userId="u", name="again")
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)

    found = {(row["userId"], row["name"]) for row in viewer.rows("users_ui")}
    assert (found, len(viewer.rows("users_ui"))) == ({("u", "together"), ("u", "after")}, 3)
    assert viewer.rows("accounts_ui") == [{"userId": "u", "accountType": None, "balance": 1.5}]
    assert viewer.rows("accounting") == [{"events": 5, "deadLetters": 0, "cut": 0}]


def test_a_record_that_cannot_be_decoded_is_skipped_and_said(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess
) -> None:
    """It stops nothing: rows before and after it are shown, and the log names its place."""
    shown = pipeline.open()
    pipeline.upsert(shown, "users_ui", "before", 1, userId="before")
    pipeline.send(shown.view_topic, "left/broken", b"\xff not json")
    pipeline.upsert(shown, "users_ui", "wrong", 1, userId="wrong", age="old")
    pipeline.upsert(shown, "users_ui", "after", 1, userId="after")
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)

    assert [row["userId"] for row in viewer.rows("users_ui")] == ["before", "after"]
    assert f'"topic": "{shown.view_topic}"' in served.log.read_text(encoding="utf-8")


def test_a_broken_registry_record_is_skipped(pipeline: Pipeline, viewer: Reader) -> None:
    """Nothing that stands in the state topic stops the server from following it."""
    for key, value in (("current", b"{}"), ("generation/x", b"{}"), ("generation/9", b"no"), ("", b"")):
        pipeline.send(pipeline.topics.state, key, value)
    shown = pipeline.open()
    pipeline.go_live(shown)

    viewer.await_generation(shown.number)


def test_a_change_of_state_updates_the_status_row_in_place(pipeline: Pipeline, viewer: Reader) -> None:
    """The shown generation's state and message follow the registry."""
    shown = pipeline.go_live(pipeline.open())
    viewer.await_generation(shown.number)
    recovering = shown.move(State.RECOVERING, why="the query ended, attempt 2", now=shown.since)
    pipeline.record(recovering)

    status = await_that(lambda: next((s for s in [viewer.status()] if s["state"] == "recovering"), None))
    assert (status["message"], status["generation"]) == ("the query ended, attempt 2", shown.number)
    pipeline.record(recovering.move(State.LIVE, why="", now=shown.since))
    await_that(lambda: viewer.status()["state"] == "live")


def test_each_rejected_event_is_one_row_and_is_accounted_for(pipeline: Pipeline, viewer: Reader) -> None:
    """Dead letters and progress together bring the lag to nothing, and the versions add up to the events."""
    pipeline.cluster.ensure("people", partitions=1)
    began = datetime.now(UTC) - timedelta(seconds=1)
    for _ in range(4):
        pipeline.send("people", "", b"{}")
    shown = pipeline.open(users="people")
    for user, version, offset in (("a", 1, 0), ("b", 1, 1), ("a", 2, 2)):
        pipeline.write(shown, progress(user, version, "users", 0, offset))
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)
    people = {"source": "users", "topic": "people", "partition": 0, "begin": 0, "position": 3, "end": 4, "absent": 0}

    def of_people() -> dict[str, Any]:
        found = [row for row in viewer.rows("source_progress") if row["topic"] == "people"]
        assert [{name: row[name] for name in people} for row in found] == [people]
        return found[0]

    row = await_that(of_people)
    newest, arrived, waiting = (datetime.fromisoformat(row[name]) for name in ("newest", "arrived", "waitingSince"))
    assert began < newest <= min(arrived, waiting)

    place = {"topic": "people", "partition": "0", "offset": "3", "judgement": judgement(shown, Side.LEFT)}
    headers = {**place, "timestamp": "1715934600123", "reason": "bad"}
    for _ in range(2):
        pipeline.send(pipeline.topics.dead_letters, "people/0/3", b"{\xff", headers)
    pipeline.send(pipeline.topics.dead_letters, "nonsense", b"")
    pipeline.flush()

    [letter] = await_that(lambda: viewer.rows(DEAD_LETTERS.name))
    when = letter.pop("when")
    assert when == "2024-05-17T08:30:00.123Z"
    assert letter == {"topic": "people", "partition": 0, "offset": 3, "reason": "bad", "text": "{�"}
    await_that(lambda: all(r["position"] == r["end"] for r in viewer.rows("source_progress")))
    assert {r["waitingSince"] for r in viewer.rows("source_progress")} == {None}
    assert viewer.rows("accounting") == [{"events": 3, "deadLetters": 1, "cut": 0}]


def test_a_letter_that_comes_again_is_one_row_and_one_of_a_topic_that_was_created_again_is_another(
    pipeline: Pipeline, viewer: Reader
) -> None:
    """As it is before the broker has compacted them: what was not committed is rejected once more."""
    shown = pipeline.open(users="rejected")
    before = len(viewer.rows(DEAD_LETTERS.name))

    def reject(offset: int, topic_id: str, judged: str, reason: str) -> None:
        place = {"topic": "rejected", "partition": "0", "offset": str(offset), "judgement": judged}
        headers = {**place, "timestamp": "1715934600123", "reason": reason}
        pipeline.send(pipeline.topics.dead_letters, f"rejected/0/{offset}/{topic_id}/{judged}", b"{", headers)

    for offset in (*range(5), *range(2, 5)):
        reject(offset, "first", "of the first", "bad")
    reject(4, "first", "of another declaration", "bad otherwise")
    for offset in (*range(3), *range(3)):
        reject(offset, "second", judgement(shown, Side.LEFT), "bad again")
    pipeline.cluster.ensure("rejected", partitions=1)
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)
    await_that(lambda: viewer.rows("accounting")[0]["deadLetters"] == 3)
    rows = [(row["offset"], row["reason"]) for row in viewer.rows(DEAD_LETTERS.name)[before:]]

    of_first = [*((offset, "bad") for offset in range(4)), (4, "bad otherwise")]
    assert rows == [*of_first, *((offset, "bad again") for offset in range(3))]


def test_what_transactions_leave_is_neither_lag_nor_missing(pipeline: Pipeline, viewer: Reader) -> None:
    """Aborted records and the ends of transactions have offsets too; an open transaction is not waited for."""
    pipeline.cluster.ensure("transacted", partitions=1)
    producer = pipeline.cluster.producer(**{"transactional.id": "transacted"})
    producer.init_transactions(30)
    for end in (producer.abort_transaction, producer.commit_transaction):
        producer.begin_transaction()
        for _ in range(2):
            producer.produce("transacted", b"{}")
        assert producer.flush(10) == 0
        end(30)
    shown = pipeline.open(users="transacted")
    for user, offset in (("a", 3), ("b", 4)):
        pipeline.write(shown, progress(user, 1, "users", 0, offset))
    pipeline.go_live(shown)
    viewer.await_generation(shown.number)

    def places() -> list[tuple[int, int, int]]:
        found = [row for row in viewer.rows("source_progress") if row["topic"] == "transacted"]
        return [(row["position"], row["end"], row["absent"]) for row in found]

    await_that(lambda: places() == [(6, 6, 4)])
    producer.begin_transaction()
    producer.produce("transacted", b"{}")
    assert producer.flush(10) == 0
    pipeline.write(shown, progress("a", 2, "users", 0, 6))
    _await_look(pipeline, viewer, "accounts")
    assert places()[0][1:] == (6, 4)
    producer.commit_transaction(30)
    await_that(lambda: places() == [(8, 8, 5)])


def test_control_messages_are_shown_in_order(pipeline: Pipeline, viewer: Reader) -> None:
    """Every message is one row, in the order of arrival, also where its verdict comes after that of a later one."""
    for key, verdict in (("0", '"rejected"'), ("1", "null"), ("2", '"applied"'), ("1", '"applied"')):
        pipeline.send(
            pipeline.topics.control_log, key, f'{{"raw": "?", "when": 1715934600123, "verdict": {verdict}}}'.encode()
        )
    pipeline.flush()

    def judged() -> list[dict[str, Any]]:
        rows = viewer.rows(CONTROL_RAW)
        assert [row["verdict"] for row in rows] == ["rejected", "applied", "applied"]
        return rows

    rows = await_that(judged)
    assert rows[0]["when"] == "2024-05-17T08:30:00.123Z"


def test_the_progress_of_a_build_is_told(pipeline: Pipeline, viewer: Reader) -> None:
    """In the status row of the generation that is shown, and as numbers in `generations`."""
    viewer.await_generation(pipeline.go_live(pipeline.open()).number)
    far = Progress(done=120_000, total=200_000, rate=40_000)
    building = pipeline.record(replace(pipeline.open(), progress=far))

    told = "120,000 of 200,000 events, 40,000/s, about 2 s left"
    await_that(lambda: told in viewer.status()["message"])
    numbers = {"state": "backfilling", "done": 120_000, "total": 200_000, "secondsLeft": 2.0}

    def numbered() -> bool:
        [row] = [row for row in viewer.rows("generations") if row["generation"] == building.number]
        assert {name: row[name] for name in numbers} == numbers
        return True

    await_that(numbered)
    pipeline.close(building)


def test_a_flip_shows_how_far_the_backfill_has_read(pipeline: Pipeline, viewer: Reader) -> None:
    """Not how far it had been when the sources were last looked at: a swap would seem to be far behind for a second."""
    shown = pipeline.go_live(pipeline.open())
    viewer.await_generation(shown.number)
    pipeline.cluster.ensure("backlog")
    for number in range(50):
        pipeline.send("backlog", str(number), b"{}")
    coming = pipeline.open(users="backlog")
    # All generations are looked at in turn: after the second look the one that is coming has been looked at too.
    _await_look(pipeline, viewer)
    _await_look(pipeline, viewer)
    pipeline.go_live(replace(coming, source_ends={"users": {0: 50}}))
    viewer.await_generation(coming.number)

    [row] = [row for row in viewer.rows("source_progress") if row["topic"] == "backlog"]
    assert (row["position"], row["end"]) == (50, 50)


def _await_look(pipeline: Pipeline, viewer: Reader, topic: str = "users") -> None:
    """Return when the ends of the sources have been looked at again."""

    def ends() -> list[int]:
        return [row["end"] for row in viewer.rows("source_progress") if row["topic"] == topic]

    before = ends()
    pipeline.send(topic, "u", b"{}")
    pipeline.flush()
    await_that(lambda: ends() != before)
