"""`livejoin serve` with its protections taken away: what an attack does here shows what they are for.

It shows the same rows as the server that is attacked in earnest, because it reads the same topics. Limits are taken
away by its settings, everything else by what this puts in the place of it.
"""

import gc
import json
import logging
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from livejoin.access.roles import Role
from livejoin.cli.main import main
from livejoin.http import server
from livejoin.serve.door import conversation, limits, socket
from livejoin.serve.door import row_lines as rows
from livejoin.serve.door.catalogue import Wanted
from livejoin.serve.door.conversation import Conversation
from livejoin.serve.door.message import Close, Copy, Description, FilterBy, Login, Look, Message, Open, Ping, SortBy
from livejoin.serve.door.sight import EngineView
from livejoin.serve.door.views import Views
from livejoin.serve.engine.health import STALLED_SECONDS
from livejoin.serve.http import web
from livejoin.settings.door import LimitSettings
from livejoin.wire.view_record import JOINED

ENDLESS = 10**9
STANDSTILL_SECONDS = STALLED_SECONDS + 2
_GRAPH = "io.deephaven.engine.updategraph.impl"
NO_LIMITS = LimitSettings(**dict.fromkeys(LimitSettings.model_fields, ENDLESS))
_ROOT = str(Path(__file__).parents[2])
START = f"import sys; sys.path.insert(0, {_ROOT!r}); from tests.attacks.unguarded import serve; serve()"
_MESSAGES: dict[str, type[Message]] = {
    "login": Login,
    "open": Open,
    "copy": Copy,
    "look": Look,
    "close": Close,
    "ping": Ping,
}


def serve() -> None:
    """Run in the process, with the options of `livejoin`."""
    for place, name, instead in _INSTEAD:
        # What is no longer there would stay protected, and its control case would show nothing.
        assert hasattr(place, name), f"{place} has no {name}"
        setattr(place, name, instead)
    for number, harm in HARMS.items():
        signal.signal(number, harm)
    sys.argv[0] = "livejoin"
    main()


def _stand_still(*_: object) -> None:
    """Keep the engine from its update cycles for some seconds, as a question that takes long once did."""
    with _no_cycle():
        time.sleep(STANDSTILL_SECONDS)


def _fail_a_table(*_: object) -> None:
    """Have the engine give up the joined table, as it does where a listener throws: in an update cycle."""
    import jpy  # type: ignore[import-not-found]  # there is one in a process that has a JVM
    from deephaven import time_table
    from deephaven.table_listener import listen

    from livejoin.serve.engine.edition import Edition
    from livejoin.serve.engine.engine import Engine

    [edition] = [found for found in gc.get_objects() if type(found) is Edition]
    [engine] = [found for found in gc.get_objects() if type(found) is Engine]
    problem = jpy.get_type("java.lang.IllegalStateException")("a test has it fail")
    table = jpy.cast(edition.flip.exports[JOINED].j_table, jpy.get_type("io.deephaven.engine.table.impl.BaseTable"))

    def fail(_update: object, _is_replay: object) -> None:
        if not table.isFailed():
            table.notifyListenersOnError(problem, None)

    with engine.context():
        _LISTENING.append(listen(time_table("PT0.1s"), fail))


@contextmanager
def _no_cycle(kind: str = "exclusiveLock") -> Iterator[None]:
    import jpy

    lock = getattr(jpy.get_type(f"{_GRAPH}.PeriodicUpdateGraph").getInstance("DEFAULT"), kind)()
    lock.lock()
    try:
        yield
    finally:
        lock.unlock()


def _take_all_memory(*_: object) -> None:
    """Of the engine, as nobody can from outside."""
    import jpy

    taken = []
    while True:
        taken.append(jpy.array("byte", 50_000_000))


def _believed_message(text: str) -> Message:
    """Whatever it says, as far as it is JSON at all."""
    given: dict[str, Any] = json.loads(text)
    nested = {"sort": SortBy, "filter": FilterBy}
    given |= {name: tuple(kind(**one) for one in given[name]) for name, kind in nested.items() if name in given}
    return _MESSAGES[given["do"]].model_construct(**given)


def _believed_description(text: str | bytes) -> Description:
    return Description.model_construct(**json.loads(text))


def _open_to_all(app: ASGIApp, **_: Any) -> ASGIApp:
    """In place of the guard: no name and no origin is strange, and no header is added."""
    return app


def _release(self: Conversation, watched: conversation.Watched) -> None:
    """What a viewer has is given back; what an operator has is not."""
    if self._visitor.role is not Role.OPERATOR:
        _RELEASE(self, watched)


def _open_while_no_row_moves(self: Views, wanted: Wanted) -> EngineView:
    """As whoever makes sure that no row moves while a table is sorted or searched."""
    with _no_cycle("sharedLock"):
        return _OPEN(self, wanted)


_LISTENING: list[object] = []
"""What is no longer held no longer listens."""
STAND_STILL, FAIL_A_TABLE, TAKE_ALL_MEMORY = signal.SIGALRM, signal.SIGVTALRM, signal.SIGUSR1
"""What a test sends; SIGUSR2 is the JVM's own."""
HARMS = {STAND_STILL: _stand_still, FAIL_A_TABLE: _fail_a_table, TAKE_ALL_MEMORY: _take_all_memory}
_RELEASE = Conversation._release  # noqa: SLF001
_OPEN = Views.open
_INSTEAD: Sequence[tuple[Any, str, type | int | Callable[..., Any]]] = (
    (server, "PatientHttp", H11Protocol),
    (server, "PatientWebSocket", WebSocketsSansIOProtocol),
    (server, "LARGEST_HEAD", ENDLESS),
    (server, "Noise", logging.Filter),
    (web, "LARGEST_MESSAGE", ENDLESS),
    (web, "Guard", _open_to_all),
    (rows, "LARGEST_MESSAGE", ENDLESS),
    (rows, "read_description", _believed_description),
    (socket, "read_message", _believed_message),
    (socket, "LOGIN_SECONDS", ENDLESS),
    (limits, "FIRST_DELAY", 0),
    (limits, "LOGINS_AT_ONCE", ENDLESS),
    (limits, "LARGE_COPY", ENDLESS),
    (limits, "ENGINE_CALLS_PER_KEY", ENDLESS),
    (conversation, "BACKLOG", ENDLESS),
    (conversation, "BACKLOG_BYTES", ENDLESS),
    (Conversation, "_release", _release),
    (Views, "open", _open_while_no_row_moves),
)
