"""Letting in: whose key it is, and what becomes of those who have none."""

import asyncio
from concurrent.futures import Executor
from dataclasses import dataclass

import structlog
from starlette.requests import Request

from livejoin.access.roles import Key, Keyring, Visitor
from livejoin.serve.door.house import House
from livejoin.serve.door.limits import LONGEST_DELAY, LoginGuard, Occupancy, TooMuch
from livejoin.serve.door.refusal import Refusal

BEARER = "Bearer "
WITHDRAWN_SECONDS = 1.0
"""How often it is looked whether a key is still there."""

log = structlog.get_logger()


class Reception:
    """Knows the keys, and slows down whoever tries them. Lives on the event loop of the door."""

    def __init__(self, keys: Keyring, occupancy: Occupancy) -> None:
        self.keys = keys
        self._occupancy = occupancy
        self._guard = LoginGuard()

    async def admit(self, address: str, secret: str) -> Key | None:
        """The key that a secret is, at once, whatever others try; a wrong one is told late. Raises TooMuch."""
        key = self.keys.key(secret)
        if key is not None:
            return key
        self._occupancy.refused[Refusal.KEYS] += 1
        try:
            self._guard.begin(address)
        except TooMuch:
            # To be told this at once would be to be told at once that the key is wrong.
            await asyncio.sleep(LONGEST_DELAY)
            raise
        try:
            count, delay = self._guard.wrong(address)
            log.warning("a wrong key was presented", address=address, lately=count)
            await asyncio.sleep(delay)
            return None
        finally:
            self._guard.end(address)

    async def presented(self, request: Request) -> Key | None:
        """The key in the header of a request; None without one, or with a wrong one. Raises TooMuch."""
        given = request.headers.get("authorization", "")
        if not given.startswith(BEARER):
            self._occupancy.refused[Refusal.NO_KEY] += 1
            return None
        address = request.client.host if request.client else ""
        return await self.admit(address, given.removeprefix(BEARER))

    async def key(self, request: Request) -> Key | None:
        """The same, for a request that counts: with one key there are only so many. Raises TooMuch."""
        key = await self.presented(request)
        if key is not None:
            self._occupancy.spend(key.visitor.name)
        return key

    async def visitor(self, request: Request) -> Visitor | None:
        """Whom that key lets in. Raises TooMuch."""
        key = await self.key(request)
        return key.visitor if key is not None else None

    async def withdrawn(self, key: Key) -> None:
        """Return when a key is taken away, or gets other rights: what was begun with it has to end."""
        while self.keys.still_has(key):  # noqa: ASYNC110  a file has no event to wait for
            await asyncio.sleep(WITHDRAWN_SECONDS)
        log.info("a key was withdrawn or changed", name=key.visitor.name)


@dataclass(frozen=True, slots=True)
class WayIn:
    """What every way to the tables shares."""

    reception: Reception
    house: House
    occupancy: Occupancy
    executor: Executor
    """Where the engine is asked for what it may take long for."""
