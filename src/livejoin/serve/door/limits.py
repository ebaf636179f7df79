"""How much one visitor, and all of them, may ask for; beyond that they are told so."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address, ip_network

from livejoin.process.bucket import Bucket
from livejoin.serve.door.places import Place, Places
from livejoin.serve.door.refusal import Refusal
from livejoin.settings.door import LimitSettings

FIRST_DELAY = 0.25
LONGEST_DELAY = 5.0
FORGIVEN_AFTER = 60.0
"""Seconds after which wrong keys of an address are forgotten."""
LOGINS_AT_ONCE = 16
"""Wrong ones of one address that are answered one by one, and logged. Beyond that they are told to be too many."""
MOST_ADDRESSES = 10_000
HOME_BITS = 64
"""Of an address of IPv6 that name the network of one household or one machine."""
SEARCHES_PER_VIEW = 4
"""That look through texts, for each view that there may be; one view may have more of them where others have fewer.
Each costs the engine some two milliseconds for every million characters that change."""
LARGE_COPY = 100_000
"""Rows. While a copy is made no row moves: several larger ones at a time would be noticed by everybody."""
AT_ONCE = 5
"""How many seconds' worth of messages may come at once, where little was said before."""


ENGINE_CALLS = 4
"""What the engine is asked for at a time that it may take long for."""
ENGINE_CALLS_PER_KEY = ENGINE_CALLS - 1
"""With one key: who asks for what takes it long, again and again, does not keep those with another key from asking."""


class TooMuch(Exception):
    """More than a visitor may ask for; the text says what, for the person who asked."""


@dataclass(slots=True)
class _Address:
    wrong: int = 0
    last: float = 0.0
    under_way: int = 0


class LoginGuard:
    """Slows down whoever tries keys: a right key is answered at once, a wrong one later and later."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._addresses: dict[str, _Address] = {}

    def begin(self, address: str) -> None:
        """A wrong key of that address is going to be answered; raises TooMuch. `end` must follow."""
        self._forgive()
        found = self._addresses.setdefault(_neighbourhood(address), _Address())
        if found.under_way >= LOGINS_AT_ONCE:
            raise TooMuch("too many logins at once")
        found.under_way += 1

    def wrong(self, address: str) -> tuple[int, float]:
        """It was wrong: how many of that address were lately, and for how many seconds not to answer."""
        found = self._addresses[_neighbourhood(address)]
        found.wrong += 1
        found.last = self._clock()
        return found.wrong, min(LONGEST_DELAY, FIRST_DELAY * 2 ** min(found.wrong - 1, 10))

    def end(self, address: str) -> None:
        """It has been answered."""
        self._addresses[_neighbourhood(address)].under_way -= 1

    def _forgive(self) -> None:
        long_ago = self._clock() - FORGIVEN_AFTER
        if len(self._addresses) < MOST_ADDRESSES:
            kept = {name: one for name, one in self._addresses.items() if one.under_way or one.last > long_ago}
        else:
            kept = {name: one for name, one in self._addresses.items() if one.under_way}
        self._addresses = kept


def _neighbourhood(address: str) -> str:
    """What counts as one address: of IPv6 the network, in which a single machine can have any address it likes."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return address
    return str(found.ipv4_mapped or ip_network((found, HOME_BITS), strict=False))


@dataclass(slots=True)
class Held:
    """What is in use with one key."""

    messages: Bucket
    """How often something may be said, over all connections and over HTTP."""
    engine_calls: asyncio.Semaphore
    """Those that may be made at a time."""
    connections: int = 0
    copies: int = 0
    copied_rows: int = 0
    searches: int = 0
    views: Counter[object] = field(default_factory=Counter)
    """How often each view is open."""
    places: Places = field(default_factory=Places)
    """Where it is looked."""


class Occupancy:
    """How much is in use at the moment, by all and with each key. Lives on the event loop of the door."""

    def __init__(self, limits: LimitSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.connections = 0
        self.refused: Counter[Refusal] = Counter()
        """How often something was refused, for each kind of it."""
        self._clock = clock
        self._copies = 0
        self._copied_rows = 0
        self._is_large_made = False
        self._opening = 0
        self._opening_searches = 0
        self._held: defaultdict[str, Held] = defaultdict(self._nothing)

    def _nothing(self) -> Held:
        rate = self.limits.messages_per_second_per_key
        return Held(Bucket(rate, AT_ONCE * rate, self._clock), asyncio.Semaphore(ENGINE_CALLS_PER_KEY))

    def own_messages(self) -> Bucket:
        """How often something may be said over one connection."""
        rate = self.limits.messages_per_second
        return Bucket(rate, AT_ONCE * rate, self._clock)

    def turn(self, name: str) -> float:
        """One message more with that key: after how many seconds it is its turn.

        Nobody is cut off for what others say with the same key; all of them are slowed down.
        """
        return self._held[name].messages.queue()

    def engine_calls(self, name: str) -> asyncio.Semaphore:
        """What the engine may be asked for at a time with that key; one is taken for each call."""
        return self._held[name].engine_calls

    def spend(self, name: str) -> None:
        """One request more with that key; raises TooMuch."""
        if not self._held[name].messages.take():
            raise self.too_much(Refusal.MESSAGES, "there are too many messages and requests with this key")

    def enter(self) -> None:
        """One connection more; raises TooMuch. `leave` must follow."""
        if self.connections >= self.limits.connections:
            raise self.too_much(Refusal.CONNECTIONS, f"there are {self.connections} connections already")
        self.connections += 1

    def leave(self) -> None:
        """One connection less."""
        self.connections -= 1

    def enter_with(self, name: str) -> None:
        """One connection more with that key; raises TooMuch. `leave_with` must follow."""
        if self._held[name].connections >= self.limits.connections_per_key:
            raise self.too_much(Refusal.CONNECTIONS, "there are too many connections with this key already")
        self._held[name].connections += 1

    def leave_with(self, name: str) -> None:
        """One connection less with that key."""
        self._held[name].connections -= 1

    def begin_view(self, name: str, view: object, searches: int = 0) -> None:
        """One view more with that key; raises TooMuch. `end_view` must follow."""
        held = self._held[name]
        if view not in held.views:
            most = self.limits.different_views_per_key
            if len(held.views) >= most:
                raise self.too_much(Refusal.VIEWS, "too many different views are open with this key")
            if held.searches + searches > SEARCHES_PER_VIEW * most:
                raise self.too_much(Refusal.SEARCHES, "too many different searches are open with this key")
            held.searches += searches
        held.views[view] += 1

    def end_view(self, name: str, view: object, searches: int = 0) -> None:
        """One view less."""
        held = self._held[name]
        held.views[view] -= 1
        if not held.views[view]:
            del held.views[view]
            held.searches -= searches

    def begin_copy(self, name: str) -> None:
        """One copy more; raises TooMuch. `end_copy` must follow."""
        if self._copies >= self.limits.copies or self._held[name].copies >= self.limits.copies_per_key:
            raise self.too_much(Refusal.COPIES, "too many copies are being made at once, try again later")
        self._copies += 1
        self._held[name].copies += 1

    def end_copy(self, name: str, rows: int = 0) -> None:
        """One copy less, with the rows that were kept for it."""
        self._copies -= 1
        self._held[name].copies -= 1
        self.keep_copied(name, -rows)

    @contextmanager
    def copying(self, name: str, rows: int) -> Iterator[None]:
        """A copy of so many rows is being made; raises TooMuch. When it is there, `keep_copied` must follow."""
        if rows > min(self.limits.copied_rows_per_key, self.limits.copied_rows):
            raise self.too_many_rows()
        if self._held[name].copied_rows + rows > self.limits.copied_rows_per_key:
            raise self.too_much(Refusal.COPIES, "the copies that are open with this key have too many rows already")
        if self._copied_rows + rows > self.limits.copied_rows:
            raise self.too_much(Refusal.COPIES, "the copies that are open have too many rows already, try again later")
        is_large = rows > LARGE_COPY
        if is_large and self._is_large_made:
            raise self.too_much(Refusal.COPIES, "another large copy is being made, try again later")
        self._is_large_made |= is_large
        self.keep_copied(name, rows)
        try:
            yield
        finally:
            self.keep_copied(name, -rows)
            self._is_large_made &= not is_large

    def keep_copied(self, name: str, rows: int) -> None:
        """So many rows more are kept in copies."""
        self._copied_rows += rows
        self._held[name].copied_rows += rows

    def too_many_rows(self) -> TooMuch:
        """A copy would have more rows than any may have."""
        most = min(self.limits.copied_rows_per_key, self.limits.copied_rows)
        return self.too_much(Refusal.COPIES, f"a copy has at most {most} rows: filter them")

    def begin_open(self, different_views: int, different_searches: int = 0, searches: int = 0) -> None:
        """One view more with so many searches, beside those that there are; raises TooMuch. `end_open` must follow."""
        most = self.limits.different_views
        if different_views + self._opening >= most:
            raise self.too_much(Refusal.VIEWS, "too many different views are open")
        if different_searches + self._opening_searches + searches > SEARCHES_PER_VIEW * most:
            raise self.too_much(Refusal.SEARCHES, "too many different searches are open")
        self._opening += 1
        self._opening_searches += searches

    def end_open(self, searches: int = 0) -> None:
        """It is there, or will not be."""
        self._opening -= 1
        self._opening_searches -= searches

    def check_rows(self, own: int, different: int) -> None:
        """One connection is going to look at that many rows, and all of them at that many; raises TooMuch."""
        if own > self.limits.rows_looked_at:
            raise self.too_much(Refusal.ROWS, f"a connection looks at {self.limits.rows_looked_at} rows at the most")
        if different > self.limits.different_rows_looked_at:
            raise self.too_much(Refusal.ROWS, "too many different rows are looked at")

    def move_look(self, name: str, place: Place, instead_of: Place | None) -> None:
        """A look with that key goes there from another place, or comes; raises TooMuch. `end_look` must follow."""
        places = self._held[name].places
        if places.rows_with(place, instead_of) > self.limits.different_rows_looked_at_per_key:
            raise self.too_much(Refusal.ROWS, "too many different rows are looked at with this key")
        places.add(place)
        self.end_look(name, instead_of)

    def end_look(self, name: str, place: Place | None) -> None:
        """Nobody looks there any more by that look, if there was one."""
        if place is not None:
            self._held[name].places.remove(place)

    def too_much(self, what: Refusal, reason: str) -> TooMuch:
        """The error for something that is refused, which is counted."""
        self.refused[what] += 1
        return TooMuch(reason)
