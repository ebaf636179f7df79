"""Having the engine make what it may take long for, for somebody who may be gone when it is there."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future

from livejoin.serve.door.sight import EngineView


async def made_by(executor: Executor, make: Callable[[], EngineView]) -> EngineView:
    """What a slow call makes on another thread; what comes when nobody waits any more is closed."""
    doing = executor.submit(make)
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
