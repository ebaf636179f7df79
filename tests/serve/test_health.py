"""When an engine, or the pipeline behind it, is not well."""

from datetime import UTC, datetime, timedelta

import pytest

from livejoin.model.registry import Pulse, Standby
from livejoin.serve.engine.health import SILENT_SECONDS, STALLED_SECONDS, PipelineWatch, engine_problem

BEGINNING = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "failed", "is_alive", "told"),
    [
        (0.02, [], True, ""),
        (0.02, [], False, "stopped"),
        (STALLED_SECONDS + 1, [], True, "the engine has not updated any table for 6 s"),
        (0.02, ["final_ui", "users_ui"], True, "failed tables: final_ui, users_ui"),
    ],
)
def test_an_engine_that_stands_still_or_has_given_up_a_table_is_not_well(
    age: float, failed: list[str], *, is_alive: bool, told: str
) -> None:
    """Six minutes without a row must not look healthy."""
    assert engine_problem(failed, age, is_alive=is_alive) == told


def test_a_pipeline_that_is_not_heard_of_is_told_in_words_that_stay_the_same() -> None:
    """The sentence stands in the status row, which must not change every second; the next heartbeat ends it."""
    now = [0.0]
    watch = PipelineWatch(lambda: now[0])
    first = Pulse(at=BEGINNING)
    watch.hear(first)
    now[0] = SILENT_SECONDS - 1
    assert watch.silence == ""

    now[0] = SILENT_SECONDS + 1
    told = watch.silence
    watch.hear(first)
    now[0] += 100
    assert watch.silence == told
    assert "the pipeline has not been heard of since" in told

    watch.hear(Pulse(at=BEGINNING + timedelta(seconds=1), problems={"control topic": "no right"}))
    assert watch.silence == ""
    assert watch.problems == {"control topic": "no right"}


def test_a_pipeline_that_was_never_there_is_missed_as_well() -> None:
    """A server alone must not look as if rows could come."""
    now = [0.0]
    watch = PipelineWatch(lambda: now[0])
    watch.hear(None)
    now[0] = SILENT_SECONDS + 1
    assert watch.silence


def test_a_standby_counts_until_it_is_not_heard_of() -> None:
    """It says so every few seconds: what was said once and never again is of one that is gone."""
    now = [0.0]
    watch = PipelineWatch(lambda: now[0])
    told = {name: Standby(name=name, at=BEGINNING) for name in ("a", "b")}
    watch.hear_standbys(told)
    assert watch.standbys == 2

    now[0] = SILENT_SECONDS - 1
    watch.hear_standbys({**told, "b": Standby(name="b", at=BEGINNING + timedelta(seconds=1))})
    now[0] = SILENT_SECONDS + 1
    assert watch.standbys == 1

    watch.hear_standbys({})
    assert watch.standbys == 0
