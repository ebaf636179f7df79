"""How much may be asked for, with a clock that is set by hand."""

import pytest

from livejoin.serve.door.limits import (
    LOGINS_AT_ONCE,
    LONGEST_DELAY,
    SEARCHES_PER_VIEW,
    LoginGuard,
    Occupancy,
    TooMuch,
)
from livejoin.settings.door import LimitSettings


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """What time it is."""
        return self.now


def test_wrong_keys_are_answered_later_and_later() -> None:
    """Twenty of one address take more than a minute; another address is not made to wait for it."""
    clock = Clock()
    guard = LoginGuard(clock)
    waited = []
    for _ in range(20):
        guard.begin("a")
        waited.append(guard.wrong("a")[1])
        clock.now += waited[-1]
        guard.end("a")
    assert waited == sorted(waited)
    assert (waited[0], waited[-1], sum(waited) > 60) == (0.25, LONGEST_DELAY, True)
    guard.begin("b")
    assert guard.wrong("b") == (1, 0.25)


@pytest.mark.parametrize(
    ("one", "another", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("fe80::1%eth0", "fe80::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
    ],
)
def test_a_machine_with_very_many_addresses_is_one(one: str, another: str, is_same: bool) -> None:  # noqa: FBT001
    """A network of IPv6 has more of them than anybody can count; of IPv4 each is somebody else."""
    guard = LoginGuard(Clock())
    for address in (one, another):
        guard.begin(address)
    guard.wrong(one)
    assert guard.wrong(another)[0] == (2 if is_same else 1)


def test_an_address_tries_only_so_many_keys_at_once() -> None:
    """What is answered late cannot be made up for by asking often; others may log in meanwhile."""
    guard = LoginGuard(Clock())
    for _ in range(LOGINS_AT_ONCE):
        guard.begin("a")
    with pytest.raises(TooMuch):
        guard.begin("a")
    guard.begin("b")
    guard.end("a")
    guard.begin("a")


def test_wrong_keys_are_forgotten_after_a_while() -> None:
    """Who has mistyped yesterday is answered at once today, and nothing grows."""
    clock = Clock()
    guard = LoginGuard(clock)
    for number in range(100):
        guard.begin(str(number))
        guard.wrong(str(number))
        guard.end(str(number))
    clock.now += 120
    guard.begin("0")
    assert guard.wrong("0") == (1, 0.25)
    assert len(guard._addresses) == 1  # noqa: SLF001  what must not grow is not to be seen from outside


def test_connections_and_copies_are_counted() -> None:
    """One more than there may be is refused, and every refusal is known."""
    occupancy = Occupancy(LimitSettings(connections=1, copies=1))
    occupancy.enter()
    occupancy.begin_copy("a")
    for refused in (occupancy.enter, lambda: occupancy.begin_copy("b")):
        with pytest.raises(TooMuch):
            refused()
    assert occupancy.refused == {"connections": 1, "copies": 1}
    occupancy.leave()
    occupancy.end_copy("a")
    occupancy.enter()
    occupancy.begin_copy("b")


@pytest.mark.parametrize("others", [(), ("b",)])
def test_one_key_does_not_take_everything(others: tuple[str, ...]) -> None:
    """What others may have is left for them, and what they have does not count."""
    occupancy = Occupancy(LimitSettings(connections_per_key=1, copies_per_key=1, different_views_per_key=1))
    for name in (*others, "a"):
        occupancy.enter_with(name)
        occupancy.begin_copy(name)
        for _ in range(2):
            occupancy.begin_view(name, "one")
    with pytest.raises(TooMuch):
        occupancy.enter_with("a")
    with pytest.raises(TooMuch):
        occupancy.begin_copy("a")
    with pytest.raises(TooMuch):
        occupancy.begin_view("a", "another")
    for _ in range(2):
        occupancy.end_view("a", "one")
    occupancy.begin_view("a", "another")


def test_searches_are_counted_once_for_each_view_and_given_back() -> None:
    """With one key and in all, those that are about to be opened included."""
    most = SEARCHES_PER_VIEW * 2
    occupancy = Occupancy(LimitSettings(different_views=2, different_views_per_key=2))
    for _ in range(2):
        occupancy.begin_view("a", "one", most)
    with pytest.raises(TooMuch, match="searches"):
        occupancy.begin_view("a", "another", 1)
    occupancy.begin_view("a", "without any")
    occupancy.begin_view("b", "another", most)
    occupancy.begin_open(0, 0, most)
    for different, searches in ((0, 1), (1, most)):
        with pytest.raises(TooMuch, match="searches"):
            occupancy.begin_open(0, different, searches)
    for _ in range(2):
        occupancy.end_view("a", "one", most)
    occupancy.begin_view("a", "another", most)
    occupancy.end_open(most)
    occupancy.begin_open(1, 0, most)
    assert occupancy.refused == {"searches": 3}
