"""The embedded Deephaven engine, without Deephaven's server: it has no socket, no session and no console.

Modules that import `deephaven` can be imported only after `start_engine`, because there is no JVM before it.
"""

from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path
from typing import Any

from livejoin.errors import LivejoinError
from livejoin.jvm.class_archive import Jvm, archive_options
from livejoin.logs.configure import is_json
from livejoin.logs.java import logback
from livejoin.settings.settings import Settings

LOOKOUT_JAR = "java/lookout.jar"
IDLE_CYCLE_MS = 1_000
"""How far update cycles are apart where nobody asks for one."""


class LookoutMissing(LivejoinError):
    """The Java of the table server is not built."""


class Engine:
    """A running engine. It cannot be stopped other than by ending the process."""

    def __init__(self, update_interval: float, graph: Any, initializer: Any) -> None:
        from deephaven.execution_context import get_exec_ctx

        self.update_interval = update_interval
        """How far update cycles are apart at the least while rows come in a steady stream, in seconds."""
        self.j_graph = graph
        self.j_initializer = initializer
        self._context = get_exec_ctx()
        self.update_graph = self._context.update_graph

    def update(self) -> None:
        """Begin an update cycle now, or as soon as the one that runs is over: there are rows to show.

        A clock would let rows wait for half of its interval, and tick where there are none.
        """
        self.j_graph.requestRefresh()

    def context(self) -> AbstractContextManager[object]:
        """What a thread has to enter before it makes tables."""
        context: AbstractContextManager[object] = self._context
        return context


def start_engine(settings: Settings) -> Engine:
    """Start the engine in this process; the calling thread may make tables at once."""
    from deephaven_server import start_jvm

    folder = settings.data_dir / "table-server"
    classes = folder / "cache" / "classes"
    classes.mkdir(parents=True, exist_ok=True)
    log_config = folder / "logback.xml"
    log_config.write_text(logback(settings.logs, as_json=is_json(settings.logs)), encoding="utf-8")
    with resources.as_file(resources.files(__package__) / LOOKOUT_JAR) as lookout:
        if not lookout.is_file():
            raise LookoutMissing(f"{lookout} is not there", do="build it: `make up` and `make test` do")
        start_jvm.start_jvm(
            # Looking for equal texts, to keep their bytes once, would take a tenth of the time that rows take to load.
            jvm_args=[
                f"-Xmx{settings.server.heap}",
                "-XX:-UseStringDeduplication",
                "-XX:+ExitOnOutOfMemoryError",
                *archive_options(settings, Jvm.TABLES),
            ],
            jvm_properties={**start_jvm.DEFAULT_JVM_PROPERTIES, **_properties(folder, log_config)},
            extra_classpath=[str(lookout)],
        )
        return _open_context(settings, classes)


def _open_context(settings: Settings, classes: Path) -> Engine:
    """What Deephaven's own server does before it opens its port, and no more."""
    import jpy  # type: ignore[import-not-found]  # a C module without stubs

    def java(name: str) -> Any:
        return jpy.get_type(name)

    threads = java("io.deephaven.util.thread.ThreadInitializationFactory").NO_OP
    initializer = java("io.deephaven.engine.table.impl.OperationInitializationThreadPool")(threads)
    graph = (
        java("io.deephaven.engine.updategraph.impl.PeriodicUpdateGraph")
        .newBuilder("DEFAULT")
        .threadInitializationFactory(threads)
        .operationInitializer(initializer)
        .existingOrBuild()
    )
    loader = java("java.lang.Thread").currentThread().getContextClassLoader()
    compiler = java("io.deephaven.engine.context.QueryCompilerImpl").create(java("java.io.File")(str(classes)), loader)
    context = (
        java("io.deephaven.engine.context.ExecutionContext")
        .newBuilder()
        .markSystemic()
        .newQueryLibrary()
        # Nothing of Python can be named in a formula.
        .emptyQueryScope()
        .setQueryCompiler(compiler)
        .setUpdateGraph(graph)
        .setOperationInitializer(initializer)
        .build()
    )
    context.open()
    graph.start()
    return Engine(settings.server.update_interval_ms / 1000, graph, initializer)


def _properties(folder: Path, log_config: Path) -> dict[str, str]:
    return {
        "logback.configurationFile": str(log_config),
        "deephaven.quiet": "true",
        "deephaven.cacheDir": str(folder / "cache"),
        "deephaven.configDir": str(folder / "config"),
        "deephaven.dataDir": str(folder / "data"),
        "PeriodicUpdateGraph.targetCycleDurationMillis": str(IDLE_CYCLE_MS),
    }
