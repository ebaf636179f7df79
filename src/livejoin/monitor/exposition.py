"""The answer to a scrape: everything that a process has, in the form that who asks prefers."""

from importlib.metadata import version

from prometheus_client import CollectorRegistry, ProcessCollector, disable_created_metrics
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import Response

from livejoin.http.health import NOT_KEPT, Health, NotReady
from livejoin.monitor.metric import Reading, gauge

BUILD = gauge("livejoin_build_info", "Always 1; the label says which version runs.", "version")
COMPONENT_UP = gauge(
    "livejoin_component_up",
    "1 where a component is well, 0 where /healthz says what is wrong with it. A generation is the component "
    "`generation`, whatever its number is.",
    "component",
)
READY = gauge("livejoin_ready", "1 while /readyz says so: for a pipeline and a table server, a generation is shown.")
METRICS = (BUILD, COMPONENT_UP, READY)


def registry_of(health: Health, not_ready: NotReady) -> CollectorRegistry:
    """The metrics that every process has: its version, its health, and what the machine knows about it."""
    # When each was first counted, as one more metric for each.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(Reading((BUILD,), lambda: [BUILD(1, version("livejoin"))]))
    registry.register(Reading((COMPONENT_UP,), lambda: [COMPONENT_UP(up, name) for name, up in _up(health()).items()]))
    registry.register(Reading((READY,), lambda: [READY(0 if not_ready() else 1)]))
    return registry


def exposed(request: Request, registry: CollectorRegistry) -> Response:
    """Every metric at this moment."""
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(registry), headers={"content-type": content_type, **NOT_KEPT})


def _up(health: dict[str, str]) -> dict[str, bool]:
    """Of several generations, none may be ill."""
    up: dict[str, bool] = {}
    for name, problem in health.items():
        component = name.partition(" ")[0]
        up[component] = up.get(component, True) and not problem
    return up
