"""The embedded Deephaven engine: started locked down, with one application whose fields are the exports.

Modules that import `deephaven` can be imported only after `start_engine`, because there is no JVM before it.
"""

import sys
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livejoin.schema import APPLICATION
from livejoin.settings import Settings

if TYPE_CHECKING:
    from deephaven.table import Table

_DESCRIPTOR = f"""\
type=script
scriptType=python
enabled=true
id={APPLICATION}
name={APPLICATION}
file_0=application.py
"""
_SCRIPT = "import livejoin.serve.engine as engine; engine.adopt_application()\n"
_KEY_PROPERTY = "authentication.psk"

_adopted: list[Any] = []


class Engine:
    """A running engine. It cannot be stopped other than by ending the process."""

    def __init__(self, application: Any, update_interval: float) -> None:
        from deephaven.execution_context import get_exec_ctx

        self.update_interval = update_interval
        """How far update cycles are apart, in seconds."""
        self._application = application
        self._context = get_exec_ctx()
        self.update_graph = self._context.update_graph

    def context(self) -> AbstractContextManager[object]:
        """What a thread has to enter before it makes tables."""
        context: AbstractContextManager[object] = self._context
        return context

    def export(self, tables: Mapping[str, "Table"]) -> None:
        """Make tables fetchable by their names."""
        for name, table in tables.items():
            self._application[name] = table


def start_engine(settings: Settings, key: str) -> Engine:
    """Start the engine in this process, listening where the settings say, for readers that present the key."""
    from deephaven_server import Server, start_jvm

    streams = sys.stdout, sys.stderr
    with (
        tempfile.TemporaryDirectory(prefix="livejoin-application-") as folder,
        resources.as_file(resources.files(__package__) / "logback.xml") as logback,
    ):
        Path(folder, "livejoin.app").write_text(_DESCRIPTOR, encoding="utf-8")
        Path(folder, "application.py").write_text(_SCRIPT, encoding="utf-8")
        start_jvm.start_jvm(
            # Looking for equal texts, to keep their bytes once, would take a tenth of the time that rows take to load.
            jvm_args=[f"-Xmx{settings.server.heap}", "-XX:-UseStringDeduplication"],
            jvm_properties={**start_jvm.DEFAULT_JVM_PROPERTIES, **_properties(settings, folder, logback)},
        )
        import jpy  # type: ignore[import-not-found]  # a C module without stubs

        system = jpy.get_type("java.lang.System")
        # Set here and not as a JVM argument, because those are shown by jcmd and written into crash reports.
        system.setProperty(_KEY_PROPERTY, key)
        server = Server(host=settings.server.host, port=settings.server.port)
        server.start()
        system.clearProperty(_KEY_PROPERTY)
    # The engine copies both streams into a buffer that its clients can subscribe to.
    sys.stdout, sys.stderr = streams
    _clear_main()
    return Engine(_adopted[0], settings.server.update_interval_ms / 1000)


def adopt_application() -> None:
    """Called by the application script: keep the state whose fields are the exports."""
    from deephaven.appmode import get_app_state

    _adopted.append(get_app_state())  # type: ignore[no-untyped-call]


def _properties(settings: Settings, application: str, logback: Path) -> dict[str, str]:
    interval = str(settings.server.update_interval_ms)
    folder = settings.data_dir / "table-server"
    return {
        "logback.configurationFile": str(logback),
        "deephaven.quiet": "true",
        "deephaven.console.disable": "true",
        "deephaven.application.dir": application,
        "deephaven.cacheDir": str(folder / "cache"),
        "deephaven.configDir": str(folder / "config"),
        "deephaven.dataDir": str(folder / "data"),
        "PeriodicUpdateGraph.targetCycleDurationMillis": interval,
        "barrage.minUpdateInterval": interval,
    }


def _clear_main() -> None:
    """Readers can fetch every name of `__main__` by an `s/<name>` ticket: leave none."""
    names = vars(sys.modules["__main__"])
    names.clear()
    names["__name__"] = "__main__"
