"""Guessing keys: it is slow, it keeps nobody else out, and it leaves a trace without the key in it."""

import time
from concurrent.futures import ThreadPoolExecutor

from await_that import await_that
from door_client import enter
from tests.attacks.stage import Attacked, Stage

GUESSES = 20
SOMEBODY_ELSE = "203.0.113.{}"


def _guess(server: Attacked, number: int) -> tuple[int, float]:
    began = time.monotonic()
    headers = {"X-Forwarded-For": SOMEBODY_ELSE.format(number), "Forwarded": f"for={SOMEBODY_ELSE.format(number)}"}
    answer = server.ask("GET", "/rows/final_ui", key=f"wrong-key-number-{number}", headers=headers)
    assert b"userId" not in answer.body
    return answer.status, time.monotonic() - began


def test_control_where_nobody_is_slowed_down_guesses_take_no_time(unguarded: Attacked) -> None:
    """All of them are answered one after the other before a slow server would have answered the second half."""
    answered = [_guess(unguarded, number) for number in range(GUESSES)]
    assert {status for status, _ in answered} == {401}
    assert sum(seconds for _, seconds in answered) < 5.0


def test_many_wrong_keys_take_long_and_a_right_one_is_answered_at_once(stage: Stage) -> None:
    """Also where each guess says to come from another address, and while more are under way than are answered.

    They are logged with the address of the connection, and without the key.
    """
    before = stage.served.answer("healthz")["door"]["refused"].get("keys", 0)
    with ThreadPoolExecutor(GUESSES) as guessing:
        guesses = [guessing.submit(_guess, stage, number) for number in range(GUESSES)]
        await_that(lambda: stage.served.answer("healthz")["door"]["refused"].get("keys", 0) >= before + GUESSES)
        began = time.monotonic()
        with enter(stage.settings, stage.viewer_key):
            pass
        assert stage.ask("GET", "/rows/final_ui").status == 200
        assert time.monotonic() - began < 1.0
        answered = [guess.result() for guess in guesses]
    assert {status for status, _ in answered} == {401, 429}
    assert sum(seconds > 1.5 for _, seconds in answered) >= GUESSES - 4
    assert sum(seconds for _, seconds in answered) > 60.0
    warned = [line for line in stage.log.splitlines() if "wrong key" in line]
    assert warned
    assert all("127.0.0.1" in line for line in warned)
    assert "wrong-key-number" not in stage.log
    assert SOMEBODY_ELSE[:10] not in stage.log
