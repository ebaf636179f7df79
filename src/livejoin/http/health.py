"""Whether a process lives, is well and is ready, for people, for supervisors and for load balancers."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Health = Callable[[], dict[str, str]]
"""What is wrong with each component, in words; empty where nothing is."""
NotReady = Callable[[], str]
"""Why it is of no use yet; empty when it is."""

NOT_KEPT = {"cache-control": "no-store"}


def health_routes(health: Health, not_ready: NotReady, more: Callable[[], dict[str, Any]] = dict) -> list[Route]:
    """The three questions. What ails a component is told with 200: a restart would seldom help it."""

    def livez(_: Request) -> Response:
        return JSONResponse({"alive": True}, headers=NOT_KEPT)

    def healthz(_: Request) -> Response:
        failing = health()
        report = {name: reason or "ok" for name, reason in failing.items()}
        answer = {"ok": not any(failing.values()), "components": report, **more()}
        return JSONResponse(answer, headers=NOT_KEPT)

    def readyz(_: Request) -> Response:
        reason = not_ready()
        answer = {"ready": not reason, "reason": reason}
        return JSONResponse(answer, status_code=503 if reason else 200, headers=NOT_KEPT)

    return [Route("/livez", livez), Route("/healthz", healthz), Route("/readyz", readyz)]
