"""The routes below /sign-in: to the provider, back with a session key, and its end. docs/sign-in.md tells the way.

The key goes to the page in the fragment of its address, which no browser sends to any server. Nothing that is secret is
logged or shown: neither codes nor tokens nor keys.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import escape
from typing import TypeVar
from urllib.parse import urlsplit

import structlog
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from livejoin.access.keys import visitor
from livejoin.access.oidc import Provider
from livejoin.errors import LivejoinError, NoRole, ProviderFailed, SignInRefused
from livejoin.process.recurring import Recurring
from livejoin.serve.door.attempts import ATTEMPT_SECONDS, Attempt, Attempts
from livejoin.serve.door.limits import TooMuch
from livejoin.serve.door.reception import Reception
from livejoin.settings.settings import Settings

COOKIE = "livejoin-sign-in"
MOVED = "moved"
THREADS = 4
"""That wait for the provider; nothing else does."""
MOST_WAITING = 64
PATIENCE_SECONDS = 20.0
LONGEST_PARAMETER = 4_096
MOST_REASONS = 100
"""Why a sign-in has failed, of which it is known that they were told. Some name somebody, or repeat a provider."""
NO_STORE = {"cache-control": "no-store"}
PROBLEMS: dict[type[Exception], tuple[int, str]] = {
    NoRole: (403, "You have signed in, but you have no role here. Ask whoever runs livejoin for one."),
    SignInRefused: (
        400,
        "The sign-in did not come back as it should: it was too old, or of another window or browser.",
    ),
    ProviderFailed: (502, "The sign-in service does not answer as it should. Try again in a moment."),
    TooMuch: (503, "Too many people are signing in at the same time. Try again in a moment."),
}

_FAILED = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>livejoin: not signed in</title>
<main><h1>Not signed in</h1>
<p>{sentence}</p>
<p><a href="{page}sign-in">Try again</a> or <a href="{page}">go to the page</a>.</p></main>
</html>
"""

T = TypeVar("T")

log = structlog.get_logger()


class SignIn:
    """Answers where people can sign in, and says so where they cannot. Owned by the door, which closes it."""

    def __init__(self, settings: Settings, reception: Reception) -> None:
        self._settings = settings
        self._reception = reception
        self._sessions = reception.keys.sessions
        self._page = urlsplit(settings.page_url)
        self._attempts = Attempts()
        self._waiting = 0
        self._failures: dict[str, Recurring] = {}
        self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="sign-in")
        oidc = settings.access.oidc
        self._provider = Provider(oidc, f"{settings.page_url}sign-in/back") if oidc is not None else None

    def routes(self) -> list[Route]:
        """What a browser may ask."""
        return [
            Route("/sign-in/offer", self._offer, methods=["GET"]),
            Route("/sign-in", self._begin, methods=["GET"]),
            Route("/sign-in/back", self._back, methods=["GET"]),
            Route("/sign-in/end", self._end, methods=["POST"]),
        ]

    def close(self) -> None:
        """Ask the provider no more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _offer(self, _: Request) -> Response:
        oidc = self._settings.access.oidc
        if oidc is None:
            return _not_offered()
        return JSONResponse({"name": oidc.shown_name}, headers=NO_STORE)

    async def _begin(self, request: Request) -> Response:
        if self._provider is None:
            return _not_offered()
        if request.method != "GET":
            return Response(status_code=405)
        if request.headers.get("host") != self._page.netloc and MOVED not in request.query_params:
            # The cookie has to be where the way back leads to. Once: a proxy may call this server by another name.
            return _redirect(f"{self._settings.page_url}sign-in?{MOVED}")
        attempt = self._attempts.begin()
        provider = self._provider
        try:
            address = await self._ask(lambda: provider.address(attempt.state, attempt.nonce, attempt.verifier))
        except tuple(PROBLEMS) as problem:
            return self._failed(problem)
        answer = _redirect(address)
        self._set_cookie(answer, attempt.browser, ATTEMPT_SECONDS)
        return answer

    async def _back(self, request: Request) -> Response:
        if self._provider is None or self._sessions is None:
            return _not_offered()
        if request.method != "GET":
            # It would use up the one answer that somebody else waits for.
            return Response(status_code=405)
        provider = self._provider
        try:
            attempt, code = self._returned(request)
            person = await self._ask(lambda: provider.person(code, attempt.nonce, attempt.verifier))
        except tuple(PROBLEMS) as problem:
            answer = self._failed(problem)
        else:
            log.info("somebody signed in", name=person.name, role=person.role.value)
            key = self._sessions.open(visitor(self._settings, person.name, person.role))
            answer = _redirect(f"{self._settings.page_url}#key={key}")
        self._set_cookie(answer, "", 0)
        return answer

    async def _end(self, request: Request) -> Response:
        """Log out: the session key that is presented opens nothing from now on. A configured key is not one."""
        try:
            # However much was asked for with it: who wants out is let out.
            key = await self._reception.presented(request)
        except TooMuch as problem:
            return JSONResponse({"error": str(problem)}, 429, headers=NO_STORE)
        if key is None:
            return JSONResponse({"error": "this needs a key: Authorization: Bearer ..."}, 401, headers=NO_STORE)
        if self._sessions is not None and self._sessions.end(key):
            log.info("somebody logged out", name=key.visitor.name)
        return Response(status_code=204, headers=NO_STORE)

    def _returned(self, request: Request) -> tuple[Attempt, str]:
        """The sign-in that a browser has come back from, and its code; raises SignInRefused."""
        given = request.query_params
        names = ("state", "code", "error", "iss")
        if any(len(given.getlist(name)) > 1 or len(given.get(name, "")) > LONGEST_PARAMETER for name in names):
            raise SignInRefused("the way back has a parameter twice, or one that is too long")
        attempt = self._attempts.end(given.get("state", ""), request.cookies.get(COOKIE, ""))
        if attempt is None:
            raise SignInRefused("the way back is of no sign-in that this browser has begun lately")
        oidc = self._settings.access.oidc
        if oidc is None or given.get("iss", oidc.issuer) != oidc.issuer:
            raise SignInRefused("the way back is from another provider")
        if "error" in given or not given.get("code"):
            raise SignInRefused("the provider has let nobody in")
        return attempt, given["code"]

    async def _ask(self, ask: Callable[[], T]) -> T:
        """What the provider answers, waited for beside everything else; raises ProviderFailed or TooMuch."""
        if self._waiting >= MOST_WAITING:
            raise TooMuch("too many sign-ins at once")
        self._waiting += 1
        try:
            return await asyncio.wait_for(
                asyncio.get_running_loop().run_in_executor(self._executor, ask), PATIENCE_SECONDS
            )
        except TimeoutError:
            raise ProviderFailed(f"the provider needs more than {PATIENCE_SECONDS:.0f} seconds") from None
        finally:
            self._waiting -= 1

    def _failed(self, problem: Exception) -> Response:
        status, sentence = PROBLEMS[type(problem)]
        self._tell(problem.in_words if isinstance(problem, LivejoinError) else str(problem))
        text = _FAILED.format(sentence=escape(sentence), page=escape(self._settings.page_url))
        return HTMLResponse(text, status, headers=NO_STORE)

    def _tell(self, why: str) -> None:
        """In the log, once for each reason: anybody can come back from nowhere all day."""
        if len(self._failures) > MOST_REASONS:
            self._failures.clear()
        self._failures.setdefault(why, Recurring("a sign-in has failed")).tell(why)

    def _set_cookie(self, answer: Response, value: str, seconds: float) -> None:
        answer.set_cookie(
            COOKIE,
            value,
            max_age=int(seconds),
            path=f"{self._page.path}sign-in",
            secure=self._page.scheme == "https",
            httponly=True,
            samesite="lax",
        )


def _redirect(address: str) -> Response:
    """See there. The address is one of the provider's, or of this page: never one that a request names."""
    return RedirectResponse(address, 303, headers=NO_STORE)


def _not_offered() -> Response:
    return JSONResponse({"error": "nobody can sign in here: there is no access.oidc"}, 404, headers=NO_STORE)
