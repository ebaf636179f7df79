"""The table server with a real engine and a real broker: what viewers see, and what nobody may do."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pydeephaven import DHError, Session
from pydeephaven.table import Table
from pydeephaven.ticket import ApplicationTicket, ScopeTicket

from await_that import await_that
from conftest import free_ports
from livejoin.errors import TableServerGone, TableServerRefused
from livejoin.generation import Progress, State
from livejoin.key import server_key
from livejoin.schema import ACCOUNTS_UI, APPLICATION, CONTROL_RAW, DEAD_LETTERS, FINAL_UI, TABLES, USERS_UI, ColumnType
from livejoin.settings import Settings
from livejoin.table_client import PSK, connect
from table_server import Pipeline, Reader, ServeProcess, reader

ARROW_TYPES = {
    ColumnType.STRING: pa.string(),
    ColumnType.LONG: pa.int64(),
    ColumnType.DOUBLE: pa.float64(),
    ColumnType.INSTANT: pa.timestamp("ns", tz="UTC"),
}


@pytest.fixture(scope="module")
def served(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """A table server that runs before any topic of livejoin exists."""
    folder = tmp_path_factory.mktemp("serve")
    server_port, web_port = free_ports(2)
    settings = broker.model_copy(
        update={
            "data_dir": folder / "data",
            "topics": broker.topics.model_copy(update={"prefix": "serve-test"}),
            "server": broker.server.model_copy(update={"port": server_port, "heap": "800m"}),
            "web": broker.web.model_copy(update={"port": web_port}),
        }
    )
    serve = ServeProcess(settings, folder / "serve.log")
    try:
        serve.await_tables()
        yield serve
    finally:
        if serve.process.poll() is None:
            serve.process.kill()
            serve.process.wait()


@pytest.fixture(scope="module")
def viewer(served: ServeProcess) -> Iterator[Reader]:
    """One viewer that stays through all tests, so that a handle that dies is noticed."""
    with reader(served.settings) as found:
        yield found


@pytest.fixture(scope="module")
def pipeline(served: ServeProcess) -> Pipeline:
    """What writes for this table server."""
    return Pipeline(served.settings)


@pytest.fixture
def session(served: ServeProcess) -> Iterator[Session]:
    """A bare session of somebody who has the key."""
    key = server_key(served.settings)
    with Session("127.0.0.1", served.settings.server.port, auth_type=PSK, auth_token=key) as found:
        yield found


def fetch(session: Session, table: str) -> Table:
    """An exported table, as somebody with a session of their own gets it."""
    export = session.fetch(ApplicationTicket.app_ticket(APPLICATION, table))
    return session.fetch_table(export)  # type: ignore[arg-type]


def test_before_any_topic_exists_tables_are_empty_and_the_status_says_what_is_waited_for(
    served: ServeProcess, viewer: Reader
) -> None:
    """A viewer that comes first can log in and is told why there is nothing to see."""
    status = await_that(lambda: next((s for s in [viewer.status()] if "serve-test.state" in s["message"]), None))

    assert (status["generation"], status["state"]) == (0, "starting")
    assert [viewer.client.size(table.name) for table in (USERS_UI, ACCOUNTS_UI, FINAL_UI)] == [0, 0, 0]
    assert "serve-test.state" in served.answer("readyz")["reason"]


def test_every_table_has_the_columns_and_types_of_the_schema(session: Session) -> None:
    """Names, order and types are those declared, before there is a single row."""
    for table in TABLES:
        fetched = fetch(session, table.name)
        assert [(f.name, f.type) for f in fetched.schema or []] == [
            (c.name, ARROW_TYPES[c.type]) for c in table.columns
        ]


def test_rows_appear_as_they_were_written(pipeline: Pipeline, viewer: Reader, served: ServeProcess) -> None:
    """The first generation fills all three tables, nulls and any script included, and the status row names it."""
    pipeline.create_topics()
    one = pipeline.open(1)
    user = {"userId": "u1", "name": "Zoë 🦊", "email": "", "age": 41}
    account = {"accountType": "gold", "balance": 12.5}
    pipeline.upsert(one, "users_ui", "u1/0/0", 1, **user)
    pipeline.upsert(one, "accounts_ui", "u1", 2, userId="u1", **account)
    pipeline.upsert(one, "final_ui", "u1/0/0", 2, **user, **account)
    pipeline.upsert(one, "final_ui", "u2/0/1", 1, userId="u2", name="", email="")
    pipeline.go_live(one, why="backfilled")
    viewer.await_generation(1)

    assert viewer.rows("users_ui") == [user]
    assert viewer.rows("accounts_ui") == [{"userId": "u1", **account}]
    empty = {"userId": "u2", "name": "", "email": "", "age": None, "accountType": None, "balance": None}
    assert viewer.rows("final_ui") == [{**user, **account}, empty]
    assert viewer.status() == {
        "usersTopic": "users",
        "accountsTopic": "accounts",
        "joinType": "left",
        "lastApplied": "2024-05-17T08:30:00.000Z",
        "generation": 1,
        "state": "live",
        "message": "backfilled",
    }
    assert served.answer("readyz")["ready"] is True


def test_a_stale_version_is_dropped_and_the_last_of_equal_versions_is_taken(pipeline: Pipeline, viewer: Reader) -> None:
    """Whatever a restarted pipeline emits again changes nothing, within one batch and over several."""
    two = pipeline.open(2)
    for user in range(3000):
        for version, name in ((1, "first"), (3, "old"), (2, "stale"), (3, "newest"), (1, "stale")):
            pipeline.upsert(two, "users_ui", f"u{user}", version, userId=f"u{user}", name=name)
    pipeline.go_live(two)
    viewer.await_generation(2)
    assert {row["name"] for row in viewer.rows("users_ui")} == {"newest"}

    pipeline.upsert(two, "users_ui", "u0", 2, userId="u0", name="stale")
    pipeline.upsert(two, "users_ui", "u1", 3, userId="u1", name="equal")
    pipeline.flush()
    await_that(lambda: viewer.rows("users_ui")[1]["name"] == "equal")
    names = [row["name"] for row in viewer.rows("users_ui")]
    assert (len(names), names[0], set(names[2:])) == (3000, "newest", {"newest"})


def test_a_delete_takes_the_row_away_until_a_newer_version_brings_it_back(pipeline: Pipeline, viewer: Reader) -> None:
    """A delete is ordered by its version like any other change."""
    three = pipeline.open(3)
    for row_id in ("gone", "back", "kept"):
        pipeline.upsert(three, "accounts_ui", row_id, 5, userId=row_id)
    pipeline.delete(three, "accounts_ui", "gone", 6)
    pipeline.upsert(three, "accounts_ui", "gone", 5, userId="gone")
    pipeline.delete(three, "accounts_ui", "back", 6)
    pipeline.delete(three, "accounts_ui", "kept", 4)
    pipeline.upsert(three, "accounts_ui", "back", 7, userId="back")
    pipeline.go_live(three)
    viewer.await_generation(3)

    assert sorted(row["userId"] for row in viewer.rows("accounts_ui")) == ["back", "kept"]


def test_a_record_that_cannot_be_decoded_is_skipped_and_said(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess
) -> None:
    """It stops nothing: rows before and after it are shown, and the log names its place."""
    four = pipeline.open(4)
    pipeline.upsert(four, "users_ui", "before", 1, userId="before")
    pipeline.send(four.view_topic, "users_ui/broken", b"\xff not json")
    pipeline.upsert(four, "users_ui", "wrong", 1, userId="wrong", age="old")
    pipeline.upsert(four, "users_ui", "after", 1, userId="after")
    pipeline.go_live(four)
    viewer.await_generation(4)

    assert [row["userId"] for row in viewer.rows("users_ui")] == ["before", "after"]
    assert '"topic": "serve-test.view.4"' in served.log.read_text(encoding="utf-8")


def test_a_broken_registry_record_is_skipped(pipeline: Pipeline, viewer: Reader) -> None:
    """Nothing that stands in the state topic stops the server from following it."""
    for key, value in (("current", b"{}"), ("generation/x", b"{}"), ("generation/9", b"no"), ("", b"")):
        pipeline.send(pipeline.topics.state, key, value)
    five = pipeline.open(5)
    pipeline.go_live(five)

    viewer.await_generation(5)


def test_a_change_of_state_updates_the_status_row_in_place(pipeline: Pipeline, viewer: Reader) -> None:
    """The shown generation's state and message follow the registry."""
    six = pipeline.go_live(pipeline.open(6))
    viewer.await_generation(6)
    recovering = six.move(State.RECOVERING, why="the query ended, attempt 2", now=six.since)
    pipeline.record(recovering)

    status = await_that(lambda: next((s for s in [viewer.status()] if s["state"] == "recovering"), None))
    assert (status["message"], status["generation"]) == ("the query ended, attempt 2", 6)
    pipeline.record(recovering.move(State.LIVE, why="", now=six.since))
    await_that(lambda: viewer.status()["state"] == "live")


def test_each_rejected_event_is_one_row_and_is_accounted_for(pipeline: Pipeline, viewer: Reader) -> None:
    """Dead letters and progress together bring the lag to nothing, and the versions add up to the events."""
    pipeline.cluster.ensure("people", partitions=1)
    for _ in range(4):
        pipeline.send("people", "", b"{}")
    seven = pipeline.open(7, users="people")
    for user, version, offset in (("a", 1, 0), ("b", 1, 1), ("a", 2, 2)):
        progress = {"s": "users", "p": 0, "o": offset, "t": 0}
        pipeline.upsert(seven, "progress", user, version, **progress)
    pipeline.go_live(seven)
    viewer.await_generation(7)
    people = [{"source": "users", "topic": "people", "partition": 0, "begin": 0, "position": 3, "end": 4}]
    await_that(lambda: [r for r in viewer.rows("source_progress") if r["topic"] == "people"] == people)

    headers = {"topic": "people", "partition": "0", "offset": "3", "timestamp": "1715934600123", "reason": "bad"}
    for _ in range(2):
        pipeline.send(pipeline.topics.dead_letters, "people/0/3", b"{\xff", {**headers, "generation": "7"})
    pipeline.send(pipeline.topics.dead_letters, "nonsense", b"")
    pipeline.flush()

    [letter] = await_that(lambda: viewer.rows(DEAD_LETTERS.name))
    when = letter.pop("when")
    assert when == "2024-05-17T08:30:00.123Z"
    assert letter == {"topic": "people", "partition": 0, "offset": 3, "reason": "bad", "text": "{�"}
    await_that(lambda: all(r["position"] == r["end"] for r in viewer.rows("source_progress")))
    assert viewer.rows("accounting") == [{"events": 3, "deadLetters": 1, "cut": 0}]


def test_control_messages_are_shown_in_order(pipeline: Pipeline, viewer: Reader) -> None:
    """Every message is one row, in the order of arrival, also where its verdict comes after that of a later one."""
    for key, verdict in (("0", '"rejected"'), ("1", "null"), ("2", '"applied"'), ("1", '"applied"')):
        pipeline.send(
            pipeline.topics.control_log, key, f'{{"raw": "?", "when": 1715934600123, "verdict": {verdict}}}'.encode()
        )
    pipeline.flush()

    def judged() -> list[dict[str, Any]]:
        rows = viewer.rows(CONTROL_RAW.name)
        assert [row["verdict"] for row in rows] == ["rejected", "applied", "applied"]
        return rows

    rows = await_that(judged)
    assert rows[0]["when"] == "2024-05-17T08:30:00.123Z"


def test_a_flip_moves_every_table_at_once(pipeline: Pipeline, viewer: Reader, session: Session) -> None:
    """Seen through one table that merges all of them: never empty, never two generations."""

    def marked(table: str, formula: str) -> Any:
        return fetch(session, table).view([f"mark = {formula}"])

    def fill(number: int) -> None:
        generation = pipeline.open(number)
        for user in range(200):
            row = {"userId": f"u{user}", "age": number, "balance": float(number)}
            for table in (USERS_UI, ACCOUNTS_UI, FINAL_UI):
                pipeline.upsert(generation, table.name, f"u{user}", 1, **row)
        pipeline.go_live(generation)

    fill(10)
    viewer.await_generation(10)
    everything = session.merge_tables(
        [
            marked("orchestrator_status", "generation + 0"),
            marked("users_ui", "age + 0"),
            marked("accounts_ui", "(long) balance"),
            marked("final_ui", "age + 0"),
        ]
    )
    for number in (11, 12, 13):
        fill(number)
        frames: list[set[int]] = []
        deadline = time.monotonic() + 20
        while not frames or frames[-1] != {number}:
            assert time.monotonic() < deadline
            marks = everything.to_arrow()["mark"].to_pylist()
            assert len(marks) == 601
            frames.append(set(marks))
        assert all(len(frame) == 1 for frame in frames)


def test_a_generation_is_shown_when_its_rows_are_loaded_and_not_before(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess
) -> None:
    """`current` alone does not flip: the announced end of the view topic has to be reached."""
    fourteen = pipeline.open(14)
    pipeline.upsert(fourteen, "users_ui", "u", 1, userId="u")
    pipeline.go_live(fourteen, view_ends={0: 2})
    await_that(lambda: "generation 14" in served.answer("healthz")["components"])
    assert viewer.status()["generation"] == 13
    pipeline.upsert(fourteen, "users_ui", "v", 1, userId="v")
    pipeline.flush()

    viewer.await_generation(14)
    assert sorted(row["userId"] for row in viewer.rows("users_ui")) == ["u", "v"]


def test_a_closed_generation_is_gone_and_the_shown_one_stays(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess
) -> None:
    """Readers and threads of generations that are over end; what is on the screen stays until the next flip."""
    process = psutil.Process(served.process.pid)
    before = process.num_threads()
    generations = [pipeline.open(number) for number in range(20, 26)]
    last = pipeline.go_live(generations[-1])
    viewer.await_generation(25)
    for generation in generations[:-1]:
        pipeline.close(generation)
    pipeline.close(last)

    def loaded() -> set[str]:
        components = served.answer("healthz")["components"]
        return {name for name in components if name.startswith("generation 2")}

    await_that(lambda: not loaded() & {f"generation {number}" for number in range(20, 25)})
    await_that(lambda: process.num_threads() <= before + 8)
    assert viewer.status()["generation"] == 25
    twenty_six = pipeline.open(26)
    pipeline.go_live(twenty_six)
    viewer.await_generation(26)
    await_that(lambda: "generation 25" not in loaded())


def test_several_servers_flip_each_for_itself_and_converge(
    pipeline: Pipeline, viewer: Reader, served: ServeProcess, tmp_path: Path
) -> None:
    """A server that stands still holds up nobody, and shows the same generation when it goes on."""
    server_port, web_port = free_ports(2)
    update = {
        "server": served.settings.server.model_copy(update={"port": server_port}),
        "web": served.settings.web.model_copy(update={"port": web_port}),
    }
    second = ServeProcess(served.settings.model_copy(update=update), tmp_path / "second.log")
    process = psutil.Process(second.process.pid)
    try:
        second.await_tables()
        with reader(second.settings) as other:
            other.await_generation(26)
            process.suspend()
            twenty_seven = pipeline.open(27)
            pipeline.upsert(twenty_seven, "users_ui", "u", 1, userId="u")
            pipeline.go_live(twenty_seven, lingering=26)
            viewer.await_generation(27)
            process.resume()
            other.await_generation(27)
            assert other.rows("users_ui") == viewer.rows("users_ui")
    finally:
        process.resume()
        second.process.kill()
        second.process.wait()


def test_a_lingering_generation_comes_back_with_what_happened_meanwhile(pipeline: Pipeline, viewer: Reader) -> None:
    """It is kept up to date while another one is shown, and a flip back needs nothing to be loaded."""
    thirty = pipeline.open(30)
    pipeline.upsert(thirty, "users_ui", "u", 1, userId="old")
    live = pipeline.go_live(thirty)
    viewer.await_generation(30)
    pipeline.go_live(pipeline.open(31), lingering=30)
    viewer.await_generation(31)
    pipeline.upsert(thirty, "users_ui", "v", 1, userId="meanwhile")
    pipeline.flush()
    pipeline.go_live(live, lingering=31)
    viewer.await_generation(30)

    await_that(lambda: [row["userId"] for row in viewer.rows("users_ui")] == ["old", "meanwhile"])
    stages = {row["generation"]: row["state"] for row in viewer.rows("generations")}
    assert (stages[30], stages[31]) == ("live", "lingering")


def test_the_progress_of_a_build_is_told(pipeline: Pipeline, viewer: Reader) -> None:
    """In the status row of the generation that is shown, and as numbers in `generations`."""
    progress = Progress(done=120_000, total=200_000, rate=40_000)
    building = pipeline.record(pipeline.open(32).model_copy(update={"progress": progress}))

    told = "120,000 of 200,000 events, 40,000/s, about 2 s left"
    await_that(lambda: told in viewer.status()["message"])
    numbers = {"state": "backfilling", "done": 120_000, "total": 200_000, "secondsLeft": 2.0}

    def numbered() -> bool:
        [row] = [row for row in viewer.rows("generations") if row["generation"] == 32]
        assert {name: row[name] for name in numbers} == numbers
        return True

    await_that(numbered)
    pipeline.close(building)


def test_a_wrong_key_is_refused_and_no_server_is_said(served: ServeProcess) -> None:
    """Each failure says what to do."""
    server = served.settings.server
    wrong = served.settings.model_copy(update={"data_dir": served.settings.data_dir.parent / "other"})
    with pytest.raises(TableServerRefused) as refused, connect(wrong):
        pass
    assert str(wrong.data_dir / "key") in refused.value.do
    nobody = served.settings.model_copy(update={"server": server.model_copy(update={"port": free_ports(1)[0]})})
    with pytest.raises(TableServerGone), connect(nobody):
        pass


def test_a_key_holder_gets_tables_and_nothing_else(session: Session) -> None:
    """No console, no names of the server's program, no writing into what is exported."""
    with pytest.raises(DHError):
        session.run_script("print(1)")
    for name in ("sys", "main", "__builtins__", "engine", "final_ui"):
        with pytest.raises(DHError):
            session.fetch_table(ScopeTicket.scope_ticket(name))  # type: ignore[arg-type]
    status = fetch(session, "orchestrator_status")
    fields = set(session.exportable_objects)
    assert fields == {table.name for table in TABLES}
    with pytest.raises(DHError):
        status.update(['x = System.getProperty("authentication.psk")']).to_arrow()


def test_the_key_is_in_no_output_no_argument_and_no_environment(served: ServeProcess) -> None:
    """Whoever reads logs or lists processes does not learn the key."""
    key = server_key(served.settings)
    process = psutil.Process(served.process.pid)

    assert key not in served.log.read_text(encoding="utf-8")
    assert key not in " ".join(process.cmdline())
    assert key not in " ".join(process.environ().values())
    assert key not in "".join(Path(f"/proc/{process.pid}/cmdline").read_text(encoding="utf-8"))


def test_both_servers_listen_on_loopback_only(served: ServeProcess) -> None:
    """Nobody else on the network reaches them unless a setting says so."""
    listening = [c for c in psutil.Process(served.process.pid).net_connections() if c.status == psutil.CONN_LISTEN]

    assert {c.laddr.ip.removeprefix("::ffff:") for c in listening} == {"127.0.0.1"}
    ports = {c.laddr.port for c in listening}
    assert {served.settings.server.port, served.settings.web.port} <= ports


def test_a_second_server_says_which_port_is_taken(served: ServeProcess) -> None:
    """It ends at once, before any JVM is started."""
    port = served.settings.server.port
    second = subprocess.run(
        [sys.executable, "-m", "livejoin", "serve", "--set", f"server.port={port}"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert second.returncode == 1
    assert f"127.0.0.1:{port}" in second.stderr


def test_nothing_failed_and_a_signal_ends_it_cleanly(served: ServeProcess, viewer: Reader) -> None:
    """After all of this every component is well; SIGTERM ends the process within 5 s with exit code 0."""
    health = await_that(lambda: h if (h := served.answer("healthz"))["ok"] else None)
    assert set(health["components"]) >= {"engine", "broker", "registry", "dead_letters", "control_raw"}
    assert viewer.status()["generation"] == 30
    began = time.monotonic()

    assert served.stop() == 0
    assert time.monotonic() - began < 5
