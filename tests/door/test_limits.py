"""How much may be asked for, with a clock that is set by hand."""

import pytest

from livejoin.serve.door.limits import (
    LARGE_COPY,
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


def test_messages_and_requests_are_counted_together_for_each_key() -> None:
    """Whoever says too much waits for his turn, over all connections; over HTTP he is refused. Others are not."""
    clock = Clock()
    occupancy = Occupancy(LimitSettings(messages_per_second_per_key=10), clock)
    assert [occupancy.turn("a") for _ in range(40)] == [0.0] * 40
    for _ in range(10):
        occupancy.spend("a")
    with pytest.raises(TooMuch, match="with this key"):
        occupancy.spend("a")
    occupancy.spend("b")
    assert [occupancy.turn("a") for _ in range(3)] == pytest.approx([0.1, 0.2, 0.3])
    clock.now += 0.3
    with pytest.raises(TooMuch):
        occupancy.spend("a")
    clock.now += 0.11
    occupancy.spend("a")
    clock.now += 3600
    assert [occupancy.turn("a") for _ in range(51)].count(0.0) == 50
    assert occupancy.refused == {"messages": 2}


def test_different_rows_are_counted_for_each_key() -> None:
    """Those that several look at count once, and a look that goes elsewhere gives up those before."""
    occupancy = Occupancy(LimitSettings(different_rows_looked_at_per_key=100))
    first, same_rows, next_rows, elsewhere = ("v", 0, 59), ("v", 0, 59), ("v", 60, 99), ("w", 0, 59)
    for place in (first, same_rows, next_rows):
        occupancy.move_look("a", place, None)
    with pytest.raises(TooMuch, match="with this key"):
        occupancy.move_look("a", elsewhere, None)
    # The other one still looks there.
    with pytest.raises(TooMuch):
        occupancy.move_look("a", elsewhere, same_rows)
    occupancy.move_look("b", elsewhere, None)
    occupancy.end_look("a", same_rows)
    occupancy.move_look("a", elsewhere, first)
    with pytest.raises(TooMuch):
        occupancy.move_look("a", ("w", 60, 60), None)
    occupancy.end_look("a", next_rows)
    occupancy.move_look("a", ("w", 60, 60), None)
    assert occupancy.refused == {"rows": 3}


def test_rows_of_copies_are_counted_with_each_key_and_in_all() -> None:
    """While a copy is made, and until it is given back; one that could never be made is told so."""
    occupancy = Occupancy(LimitSettings(copied_rows=150, copied_rows_per_key=100))
    with occupancy.copying("a", 60), pytest.raises(TooMuch, match="open with this key"), occupancy.copying("a", 41):
        pass
    occupancy.begin_copy("a")
    occupancy.keep_copied("a", 60)
    with pytest.raises(TooMuch, match="open with this key"), occupancy.copying("a", 41):
        pass
    with pytest.raises(TooMuch, match="have too many rows already, try again later"), occupancy.copying("b", 91):
        pass
    with pytest.raises(TooMuch, match="at most 100 rows"), occupancy.copying("b", 101):
        pass
    with occupancy.copying("b", 90):
        pass
    occupancy.end_copy("a", 60)
    with occupancy.copying("a", 100):
        pass
    assert occupancy.refused == {"copies": 4}


def test_one_large_copy_is_made_at_a_time() -> None:
    """Small ones are made beside it, and the next large one after it."""
    occupancy = Occupancy(LimitSettings())
    with occupancy.copying("a", LARGE_COPY + 1):
        with pytest.raises(TooMuch, match="another large copy"), occupancy.copying("b", LARGE_COPY + 1):
            pass
        with occupancy.copying("b", LARGE_COPY):
            pass
        with pytest.raises(TooMuch), occupancy.copying("b", LARGE_COPY + 1):
            pass
    with occupancy.copying("b", LARGE_COPY + 1):
        pass
