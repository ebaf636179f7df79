"""An engine that stands still is told of by a code, so that programs which watch see it as well as people."""

import os
import time
from http import HTTPStatus

import pytest

from await_that import await_that
from livejoin.local.stack import answers, asked
from tests.attacks.stage import Attacked, Stage
from tests.attacks.unguarded import STAND_STILL, STANDSTILL_SECONDS

QUESTIONS = ("healthz", "readyz")
TOLD = "the engine has not updated any table for"


@pytest.mark.usefixtures("stage")
def test_a_standstill_is_told_with_503_and_its_end_with_200(unguarded: Attacked) -> None:
    """In words, for as long as it lasts; the page, which waits for nothing, is there all the time."""
    url = unguarded.settings.local_url
    await_that(lambda: all(answers(f"{url}{question}") for question in QUESTIONS))
    began = time.monotonic()
    os.kill(unguarded.served.process.pid, STAND_STILL)

    def told() -> bool:
        assert all(asked(f"{url}{question}")[0] == HTTPStatus.SERVICE_UNAVAILABLE for question in QUESTIONS)
        return True

    await_that(told, timeout=STANDSTILL_SECONDS)
    assert TOLD in asked(f"{url}healthz")[1]["components"]["engine"]
    assert TOLD in asked(f"{url}readyz")[1]["reason"]
    assert answers(f"{url}livez"), "seconds are no reason to end a server"
    assert unguarded.ask("GET", "/", key="").status == HTTPStatus.OK
    assert time.monotonic() - began < STANDSTILL_SECONDS
    await_that(lambda: all(answers(f"{url}{question}") for question in QUESTIONS))
    assert asked(f"{url}healthz")[1]["components"]["engine"] == "ok"


def test_where_nothing_stands_still_all_is_well(stage: Stage) -> None:
    """The server beside it, which reads the same topics."""
    assert all(answers(f"{stage.settings.local_url}{question}") for question in QUESTIONS)
