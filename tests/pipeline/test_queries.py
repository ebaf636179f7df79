"""What a backfill does where Spark does not do as it is told."""

from typing import Any, cast

import pytest

from livejoin.pipeline.spark.backfill_meter import BackfillMeter


def test_a_number_that_cannot_be_read_does_not_end_a_backfill(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count stays what it was."""
    meter = cast("Any", BackfillMeter.__new__(BackfillMeter))
    meter._done = 7  # noqa: SLF001  as after some seconds
    monkeypatch.setattr(BackfillMeter, "_ask", lambda _: int("1.5 million"))

    assert meter.count() == 7
