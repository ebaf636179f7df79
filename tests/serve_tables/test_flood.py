"""A flood of dead letters, more than the table server could hold: the newest are shown, and nobody notices."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from await_that import await_that
from livejoin.model.table import DEAD_LETTERS
from livejoin.settings.settings import Settings
from table_server import Pipeline, Reader, ServeProcess, reader, settings_of_server

BYTES = 60_000
HEAP = "300m"
MOST_BYTES = 24_000_000
SOON = 5.0
"""How long a row may take beside a flood, on a machine that has much else to do."""
A_THOUSAND_SECONDS = 3.0
"""How long a thousand dead letters may take, by the same measure."""


@pytest.fixture(scope="module")
def letters(request: pytest.FixtureRequest) -> int:
    """How many there are: more than the table server could hold, and in `make bench` a hundred thousand."""
    return int(request.config.getoption("--letters"))


@pytest.fixture
def small(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """A table server with less memory than the flood has bytes."""
    folder = tmp_path_factory.mktemp("small")
    settings = settings_of_server(broker, folder / "data", prefix="flooded")
    server = settings.server.model_copy(update={"heap": HEAP, "dead_letters_bytes": MOST_BYTES})
    serve = ServeProcess(settings.model_copy(update={"server": server}), folder / "serve.log")
    try:
        serve.await_tables()
        yield serve
    finally:
        serve.kill()


def flood(pipeline: Pipeline, generation: int, letters: int, between: Callable[[int], None] = lambda _: None) -> None:
    """As the pipeline writes them; `between` is called from time to time."""
    text = b"x" * BYTES
    for offset in range(letters):
        place = {"topic": "users", "partition": "0", "offset": str(offset), "generation": str(generation)}
        headers = {**place, "timestamp": "1715934600123", "reason": "bad", "kind": "not_json"}
        pipeline.send(pipeline.topics.dead_letters, f"users/0/{offset}", text, headers)
        if offset % 1_000 == 999:
            pipeline.flush()
            between(offset)


@pytest.mark.timeout(3600)
def test_the_newest_are_shown_and_all_are_counted_while_rows_go_on(
    small: ServeProcess, tmp_path: Path, letters: int, record_property: Callable[[str, object], None]
) -> None:
    """In order, as many as have the bytes that are allowed; a generation that rejects them again changes nothing.

    Nor does a start among all of them.
    """
    pipeline = Pipeline(small.settings)
    pipeline.create_topics()
    shown = pipeline.open()
    pipeline.go_live(shown)
    patience = letters / 1_000 * A_THOUSAND_SECONDS + 60

    def check(viewer: Reader) -> None:
        await_that(lambda: _newest(viewer)[-1] == letters - 1, timeout=patience)
        offsets = _newest(viewer)
        assert offsets == [*range(letters - len(offsets), letters)]
        assert MOST_BYTES / 2 < len(offsets) * 2 * BYTES <= MOST_BYTES
        await_that(lambda: viewer.rows("accounting")[0]["deadLetters"] == letters, timeout=patience)

    try:
        with reader(small.settings) as viewer:
            viewer.await_generation(shown.number)
            waits: list[float] = []

            def row(number: int) -> None:
                began = time.monotonic()
                pipeline.upsert(shown, "users_ui", "u", number, userId="u", age=number)
                pipeline.flush()
                await_that(lambda: [one["age"] for one in viewer.rows("users_ui")] == [number])
                waits.append(time.monotonic() - began)

            for generation in (1, 2):
                flood(pipeline, generation, letters, lambda done, of=generation: row(of * letters + done))  # type: ignore[misc]
                check(viewer)
        record_property("longest a row took", max(waits))
        assert max(waits) < SOON, waits
        assert small.process.poll() is None
        small.kill()
        again = ServeProcess(small.settings, tmp_path / "serve.log")
        try:
            began = time.monotonic()
            again.await_tables()
            with reader(again.settings) as viewer:
                viewer.await_generation(shown.number)
                record_property("rows after a start", time.monotonic() - began)
                check(viewer)
            record_property("all after a start", time.monotonic() - began)
        finally:
            again.kill()
    finally:
        pipeline.heart.stop()


def _newest(viewer: Reader) -> list[int]:
    return [row["offset"] for row in viewer.rows(DEAD_LETTERS.name)] or [-1]
