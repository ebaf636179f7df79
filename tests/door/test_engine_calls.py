"""How the engine is asked for what it takes long for: a few at a time, and not all of them with one key."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from livejoin.serve.door.engine_call import made_by
from livejoin.serve.door.limits import ENGINE_CALLS, ENGINE_CALLS_PER_KEY, Occupancy
from livejoin.settings.door import LimitSettings
from tests.door.fake_lookout import FakeView
from tests.door.scene import played


@played
async def test_who_asks_again_and_again_leaves_others_a_turn() -> None:
    """What he no longer waits for counts until the engine has made it, and is closed then."""
    occupancy, gate, made = Occupancy(LimitSettings()), threading.Event(), list[FakeView]()

    def quickly() -> FakeView:
        made.append(FakeView("t", None))  # type: ignore[arg-type]
        return made[-1]

    def slowly() -> FakeView:
        assert gate.wait(20)
        return quickly()

    def of_him() -> asyncio.Semaphore:
        return occupancy.engine_calls("somebody")

    with ThreadPoolExecutor(ENGINE_CALLS) as executor:
        for _ in range(2):
            asked = [asyncio.create_task(made_by(executor, of_him(), slowly)) for _ in range(3 * ENGINE_CALLS)]
            async with asyncio.timeout(5):
                (await made_by(executor, occupancy.engine_calls("another"), quickly)).close()
            for one in asked:
                one.cancel()
        await asyncio.wait(asked)
        late = asyncio.create_task(made_by(executor, of_him(), quickly))
        async with asyncio.timeout(5):
            (await made_by(executor, occupancy.engine_calls("another"), quickly)).close()
        assert not late.done()
        gate.set()
        (await late).close()
    assert len(made) == 3 + ENGINE_CALLS_PER_KEY + 1
    assert [view.is_closed for view in made] == [True] * len(made)
