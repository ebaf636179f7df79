"""How often something may happen, with a clock that is set by hand."""

from livejoin.process.bucket import Bucket


def test_a_bucket_lets_through_what_its_rate_allows_and_a_burst() -> None:
    """Ten a second, and thirty at once where little was asked for before; of several together, all or none."""
    now = 100.0
    bucket = Bucket(10, 30, lambda: now)
    assert [bucket.take() for _ in range(31)] == [True] * 30 + [False]
    now += 0.5
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]
    now += 3600
    assert [bucket.take() for _ in range(31)].count(True) == 30
    now += 1.0
    assert [bucket.take(many) for many in (11, 10, 1)] == [False, True, False]


def test_who_waits_in_a_queue_passes_behind_those_before() -> None:
    """Nobody who asks whether he may pass at once gets in between."""
    now = 100.0
    bucket = Bucket(10, 2, lambda: now)
    assert [round(bucket.queue(), 3) for _ in range(5)] == [0, 0, 0.1, 0.2, 0.3]
    now += 0.35
    assert not bucket.take()
    assert round(bucket.queue(), 3) == 0.05
    now += 0.15
    assert [bucket.take() for _ in range(2)] == [True, False]
