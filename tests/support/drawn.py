"""Values drawn by hypothesis outside of a test of its own: that many, the same for the same seed."""

from collections.abc import Callable
from typing import TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

T = TypeVar("T")


def drawn(count: int, seed: int, strategy_of: Callable[[int], st.SearchStrategy[T]]) -> list[T]:
    """A value of the strategy of each number."""
    collected: list[T] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def collect(data: st.DataObject) -> None:
        collected.append(data.draw(strategy_of(len(collected))))

    collect()
    return collected[:count]
