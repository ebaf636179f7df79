"""Spark's JVM is killed under a running pipeline."""

import psutil

from await_that import await_that
from world import MEND_SECONDS, World


def test_a_pipeline_without_spark_ends_in_words_and_goes_on_when_started(world: World) -> None:
    """Nothing would ever move again in that process, which must not look as if it did."""
    assert world.pipeline.pid is not None
    children = psutil.Process(world.pipeline.pid).children(recursive=True)
    [jvm] = [child for child in children if child.name() == "java"]
    jvm.kill()
    await_that(lambda: not world.pipeline.running, timeout=MEND_SECONDS)

    assert any("Spark's JVM has ended" in line for line in world.pipeline.last_lines())
    world.pipeline.start()
    world.await_number(world.live_number)
