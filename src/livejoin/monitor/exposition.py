"""The answer to a scrape: everything that a process has, in Prometheus's text format."""

import asyncio
import re
from collections.abc import Callable, Iterator
from importlib.metadata import version

from prometheus_client import CollectorRegistry, ProcessCollector, disable_created_metrics
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from livejoin.http.health import NOT_KEPT, Health
from livejoin.monitor.metric import Reading, Sample, gauge

BUILD = gauge("livejoin_build_info", "Always 1; the label says which version runs.", "version")
COMPONENT_UP = gauge(
    "livejoin_component_up",
    "1 where a component is well, 0 where /healthz says what is wrong with it. A generation is the component "
    "`generation`, whatever its number is.",
    "component",
)
READY = gauge("livejoin_ready", "1 while /readyz says so: for a pipeline and a table server, a generation is shown.")
METRICS = (BUILD, COMPONENT_UP, READY)

_NUMBERED = re.compile(r" \d+$")


def registry_of(health: Callable[[], Health]) -> CollectorRegistry:
    """The metrics that every process has: its version, its health, and what the machine knows about it."""
    # When each was first counted, as one more metric for each.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(Reading((BUILD,), lambda: [BUILD(1, version("livejoin"))]))
    registry.register(Reading((COMPONENT_UP, READY), lambda: _health(health())))
    return registry


class Exposition:
    """Answers scrapes. Lives on the event loop of a server.

    Who asks while it is read for somebody else gets the same answer: many cannot take more than one.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._reading: asyncio.Future[Response] | None = None

    async def answer(self) -> Response:
        """Every metric at this moment."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(run_in_threadpool(self._read))
        return await asyncio.shield(self._reading)

    def _read(self) -> Response:
        return Response(generate_latest(self._registry), headers={"content-type": CONTENT_TYPE_LATEST, **NOT_KEPT})


def _health(health: Health) -> Iterator[Sample]:
    """Of several generations, and of the parts of a component, none may be ill."""
    up: dict[str, bool] = {}
    for name, problem in health.components.items():
        component = _NUMBERED.sub("", name).partition(":")[0]
        up[component] = up.get(component, True) and not problem
    for component, is_up in up.items():
        yield COMPONENT_UP(is_up, component)
    yield READY(not health.not_ready)
