"""The door, put together: one set of keys and limits for the WebSocket, rows, the control desk and signing in."""

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import structlog

from livejoin.access.keys import visitor
from livejoin.access.roles import Keyring, Role
from livejoin.model.declaration import Declaration
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.declaration_desk import DeclarationDesk
from livejoin.serve.door.house import House
from livejoin.serve.door.limits import ENGINE_CALLS, Occupancy
from livejoin.serve.door.reception import Reception
from livejoin.serve.door.row_lines import RowsDesk
from livejoin.serve.door.sight import Filters, Lookout
from livejoin.serve.door.sign_in import SignIn
from livejoin.serve.door.socket import TablesSocket
from livejoin.serve.door.views import Views
from livejoin.settings.settings import Settings

log = structlog.get_logger()


class Door:
    """Lives on the event loop that serves it; whoever makes it closes it."""

    def __init__(self, settings: Settings, keys: Keyring, loop: asyncio.AbstractEventLoop) -> None:
        self._settings = settings
        self.occupancy = Occupancy(settings.limits)
        self.reception = Reception(keys, self.occupancy)
        self._house = House(loop)
        self._executor = ThreadPoolExecutor(ENGINE_CALLS, thread_name_prefix="door")
        shared = (self.reception, self._house, self.occupancy, self._executor)
        self.socket = TablesSocket(*shared)
        self.rows = RowsDesk(*shared)
        self.declared = DeclarationDesk(*shared)
        self.sign_in = SignIn(settings, self.reception)

    @property
    def views(self) -> Views:
        """What is looked at; raises NotServed before there is a table."""
        return self._house.views

    @property
    def declaration(self) -> Declaration:
        """What is declared: by the generation that is shown, or by the settings before there is one."""
        return self._house.declaration or self._settings.declaration

    def serve(self, lookout: Lookout, filters: Filters, declaration: Declaration, tables: Iterable[Served]) -> None:
        """Serve these tables, and no others any more; may be called by any thread but that of the loop."""
        served = list(tables)
        self._house.furnish(lookout, filters, declaration, served)
        for role in Role:
            rights = visitor(self._settings, "", role).rights
            in_vain = rights.in_vain(one.declared for one in served)
            if in_vain:
                log.warning("what is to be hidden is in no table", role=role.value, hidden=sorted(in_vain))

    def close(self) -> None:
        """Tell no more."""
        self._house.close()
        self.sign_in.close()
        self._executor.shutdown(wait=False, cancel_futures=True)
