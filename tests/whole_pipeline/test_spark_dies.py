"""Spark's JVM is killed under a running pipeline."""

from http import HTTPStatus

import psutil

from await_that import await_that
from livejoin.local.stack import answers, asked
from livejoin.serve.engine.health import SILENT_SECONDS
from world import MEND_SECONDS, World


def test_a_pipeline_without_spark_ends_in_words_and_goes_on_when_started(serving: World) -> None:
    """Nothing would ever move again in that process, which must not look as if it did.

    Neither does its table server, which goes on to show rows: it says that it hears of no pipeline, by a code as well.
    """
    world, url = serving, serving.settings.local_url
    await_that(lambda: answers(f"{url}healthz") and answers(f"{url}readyz"), timeout=MEND_SECONDS)
    assert world.pipeline.pid is not None
    children = psutil.Process(world.pipeline.pid).children(recursive=True)
    [jvm] = [child for child in children if child.name() == "java"]
    jvm.kill()
    await_that(lambda: not world.pipeline.running, timeout=MEND_SECONDS)

    assert any("Spark's JVM has ended" in line for line in world.pipeline.last_lines())

    def silent() -> bool:
        health, ready = asked(f"{url}healthz"), asked(f"{url}readyz")
        assert (health[0], ready[0]) == (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE)
        return "the pipeline has not been heard of since" in health[1]["components"]["pipeline"]

    await_that(silent, timeout=3 * SILENT_SECONDS)
    world.pipeline.start()
    world.await_number(world.live_number)
    await_that(lambda: answers(f"{url}healthz") and answers(f"{url}readyz"), timeout=MEND_SECONDS)
