"""What a table server says of itself and of the pipeline, to people who look and to programs that watch."""

from await_that import await_that
from livejoin.local.stack import answers
from livejoin.model.table import STATUS
from table_server import Pipeline, Reader, ServeProcess

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
