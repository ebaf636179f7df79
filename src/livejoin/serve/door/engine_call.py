"""Having the engine make what it may take long for, for somebody who may be gone when it is there."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress

from livejoin.serve.door.sight import EngineView


async def made_by(executor: Executor, turns: asyncio.Semaphore, make: Callable[[], EngineView]) -> EngineView:
    """What a slow call makes on another thread; what comes when nobody waits any more is closed.

    It takes one of the turns until the call is over, also where nobody waits for it: the engine still works for it.
    """
    await turns.acquire()
    loop, doing = asyncio.get_running_loop(), executor.submit(make)

    def give_back(_: object) -> None:
        # A loop that is closed has nobody who waits for a turn.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(turns.release)

    doing.add_done_callback(give_back)
    try:
        return await asyncio.wrap_future(doing)
    except asyncio.CancelledError:
        _close_late(doing)
        raise


def _close_late(doing: Future[EngineView]) -> None:
    def close(done: Future[EngineView]) -> None:
        if not done.cancelled() and done.exception() is None:
            done.result().close()

    doing.add_done_callback(close)
