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
