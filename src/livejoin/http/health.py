"""Whether a process lives, is well and is ready, for people, for supervisors and for load balancers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

NOT_KEPT = {"cache-control": "no-store"}


@dataclass(frozen=True, slots=True)
class Health:
    """What is wrong, in words; empty where nothing is."""

    components: Mapping[str, str] = field(default_factory=dict)
    """Everything that rows need to come on their way and to be right, each by its name."""
    not_ready: str = ""
    """Why rows cannot be shown, or are not those of this moment."""
    not_alive: str = ""
    """Why only a restart of this very process can help."""


def health_routes(health: Callable[[], Health], more: Callable[[], dict[str, Any]] = dict) -> list[Route]:
    """The three questions; 200 is yes and 503 is no."""

    def healthz(_: Request) -> Response:
        components = health().components
        report = {name: reason or "ok" for name, reason in components.items()}
        ok = not any(components.values())
        return _told({"ok": ok, "components": report, **more()}, well=ok)

    def readyz(_: Request) -> Response:
        reason = health().not_ready
        return _told({"ready": not reason, "reason": reason}, well=not reason)

    def livez(_: Request) -> Response:
        reason = health().not_alive
        return _told({"alive": not reason, "reason": reason}, well=not reason)

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/livez", livez)]


def _told(report: dict[str, Any], *, well: bool) -> Response:
    return JSONResponse(report, status_code=200 if well else 503, headers=NOT_KEPT)
