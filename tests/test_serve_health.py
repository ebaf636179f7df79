"""When an engine is not well."""

import pytest

from livejoin.serve.health import STALLED_SECONDS, engine_problem


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
