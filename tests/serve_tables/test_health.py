"""What a table server says of itself and of the pipeline, to people who look and to programs that watch."""

from http import HTTPStatus
from threading import Event, Thread

from await_that import await_that
from livejoin.local.stack import answers, asked
from livejoin.model.table import STATUS
from livejoin.serve.engine.health import SILENT_SECONDS
from table_server import Pipeline, Reader, ServeProcess

SILENT = "the pipeline has not been heard of since"
TROUBLE = "User:livejoin has no right to READ topic 'control'"


def test_what_is_wrong_with_the_pipeline_is_said_where_people_and_programs_look(
    served: ServeProcess, pipeline: Pipeline, viewer: Reader
) -> None:
    """In the status row, in the health of the component, and by a code; and not any longer when it is mended."""
    generation = pipeline.open()
    pipeline.go_live(generation)
    await_that(lambda: served.answer("readyz")["ready"])
    pipeline.heart.stop()
    try:
        pipeline.heart.beat(**{"control topic": TROUBLE})
        await_that(lambda: TROUBLE in served.answer("readyz")["reason"])

        assert served.answer("healthz")["components"]["pipeline: control topic"] == TROUBLE
        assert not answers(f"{served.settings.local_url}readyz")
        assert not answers(f"{served.settings.local_url}healthz")
        assert answers(f"{served.settings.local_url}livez")
        await_that(lambda: TROUBLE in str(viewer.rows(STATUS)[0]["message"]))
    finally:
        pipeline.revive()
    await_that(lambda: answers(f"{served.settings.local_url}healthz"))
    await_that(lambda: TROUBLE not in str(viewer.rows(STATUS)[0]["message"]))


def test_a_pipeline_that_falls_silent_is_told_by_a_code_and_in_words(
    served: ServeProcess, pipeline: Pipeline, viewer: Reader
) -> None:
    """When nothing was heard of it for some time; nothing else is wrong, and the next heartbeat ends it."""
    pipeline.go_live(pipeline.open())
    url = served.settings.local_url
    await_that(lambda: answers(f"{url}healthz") and answers(f"{url}readyz"))
    pipeline.heart.stop()
    try:
        await_that(lambda: not answers(f"{url}healthz") and not answers(f"{url}readyz"), timeout=2 * SILENT_SECONDS)
        (health, told), (ready, why) = asked(f"{url}healthz"), asked(f"{url}readyz")

        assert (health, ready) == (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE)
        assert SILENT in told["components"]["pipeline"]
        assert {name for name, said in told["components"].items() if said != "ok"} == {"pipeline"}
        assert SILENT in why["reason"]
        assert answers(f"{url}livez")
        await_that(lambda: SILENT in str(viewer.rows(STATUS)[0]["message"]))
    finally:
        pipeline.revive()
    await_that(lambda: answers(f"{url}healthz") and answers(f"{url}readyz"))


def test_a_swap_is_no_trouble(served: ServeProcess, pipeline: Pipeline) -> None:
    """What has only begun to be loaded is kept from nothing: nobody who asks meanwhile hears of trouble."""
    pipeline.go_live(pipeline.open())
    url = served.settings.local_url
    await_that(lambda: answers(f"{url}healthz") and answers(f"{url}readyz"))
    told: list[object] = []
    is_over = Event()

    def ask() -> None:
        while not is_over.is_set():
            code, health = asked(f"{url}healthz")
            told.append(code if code == HTTPStatus.OK else health)

    asking = Thread(target=ask)
    asking.start()
    try:
        for _ in range(10):
            generation = pipeline.open()
            pipeline.go_live(generation)
            await_that(lambda: served.answer("readyz")["ready"])
    finally:
        is_over.set()
        asking.join()
    assert set(map(str, told)) == {str(HTTPStatus.OK.value)}
