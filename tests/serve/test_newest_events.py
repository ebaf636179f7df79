"""How old the newest event of a source is, and how long it has been silent."""

from livejoin.serve.engine.newest_events import NewestEvents


class Broker:
    """Tells times, and counts how often it is asked."""

    def __init__(self) -> None:
        self.times: dict[int, int] = {}
        self.asked = 0

    def newest_times(self, _: str) -> dict[int, int]:
        """As they are set."""
        self.asked += 1
        return dict(self.times)


def test_what_was_there_before_has_come_when_it_was_written() -> None:
    """Unless that is in the future: then nobody knows; a partition without a record has neither."""
    broker = Broker()
    newest = NewestEvents(broker, lambda: 100.0)
    broker.times = {0: 90_000, 1: 4_000_000}
    assert newest.look("t", {0: 5, 1: 7, 2: 0}) == {0: (90_000, 90_000), 1: (4_000_000, None), 2: (None, None)}


def test_what_comes_later_has_come_when_it_was_seen() -> None:
    """Whatever time it says itself; a partition that has not grown stays as it was."""
    broker, now = Broker(), [100.0]
    newest = NewestEvents(broker, lambda: now[0])
    broker.times = {0: 90_000, 1: 80_000}
    newest.look("t", {0: 5, 1: 5})
    now[0] = 160.0
    broker.times = {0: 10, 1: 80_000}
    assert newest.look("t", {0: 6, 1: 5}) == {0: (10, 160_000), 1: (80_000, 80_000)}


def test_a_silent_topic_costs_no_question() -> None:
    """The broker is asked where a topic has grown, or was forgotten meanwhile."""
    broker = Broker()
    newest = NewestEvents(broker)
    for end in (5, 5, 6, 6):
        newest.look("t", {0: end})
    assert broker.asked == 2
    newest.keep({"other"})
    newest.look("t", {0: 6})
    assert broker.asked == 3


def test_an_open_transaction_hides_nothing_that_was_known() -> None:
    """While it is open the broker tells no time."""
    broker = Broker()
    newest = NewestEvents(broker, lambda: 100.0)
    broker.times = {0: 90_000}
    newest.look("t", {0: 5})
    broker.times = {}
    assert newest.look("t", {0: 6}) == {0: (90_000, 100_000)}
