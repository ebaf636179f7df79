"""A flood of dead letters, more than the table server could hold: the newest are shown, and nobody notices."""

from collections.abc import Iterator

import pytest

from await_that import await_that
from livejoin.model.table import DEAD_LETTERS
from livejoin.settings.settings import Settings
from table_server import Pipeline, Reader, ServeProcess, reader, settings_of_server

LETTERS, BYTES = 4_000, 60_000
HEAP = "300m"
MOST_BYTES = 24_000_000


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


def flood(pipeline: Pipeline, generation: int) -> None:
    """As the pipeline writes them."""
    text = b"x" * BYTES
    for offset in range(LETTERS):
        place = {"topic": "users", "partition": "0", "offset": str(offset), "generation": str(generation)}
        headers = {**place, "timestamp": "1715934600123", "reason": "bad", "kind": "not_json"}
        pipeline.send(pipeline.topics.dead_letters, f"users/0/{offset}", text, headers)
    pipeline.flush()


def test_the_newest_are_shown_and_all_are_counted(small: ServeProcess) -> None:
    """In order, as many as have the bytes that are allowed; a generation that rejects them again changes nothing."""
    pipeline = Pipeline(small.settings)
    pipeline.create_topics()
    shown = pipeline.open()
    pipeline.go_live(shown)
    try:
        with reader(small.settings) as viewer:
            viewer.await_generation(shown.number)
            for generation in (1, 2):
                flood(pipeline, generation)
                await_that(lambda: _newest(viewer)[-1] == LETTERS - 1, timeout=60)
                offsets = _newest(viewer)
                assert offsets == [*range(LETTERS - len(offsets), LETTERS)]
                assert MOST_BYTES / 2 < len(offsets) * 2 * BYTES <= MOST_BYTES
                assert viewer.rows("accounting")[0]["deadLetters"] == LETTERS
    finally:
        pipeline.heart.stop()
    assert small.process.poll() is None


def _newest(viewer: Reader) -> list[int]:
    return [row["offset"] for row in viewer.rows(DEAD_LETTERS.name)] or [-1]
