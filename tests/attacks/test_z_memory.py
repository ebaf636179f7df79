"""The last things that are done to those where attacks work, because they end them."""

import os

import pytest
from pydeephaven import DHError

from await_that import await_that
from livejoin.local.stack import answers, asked
from tests.attacks.plain_deephaven import PlainDeephaven
from tests.attacks.stage import Attacked
from tests.attacks.unguarded import FAIL_A_TABLE, TAKE_ALL_MEMORY

EXIT_OF_A_JVM_WITHOUT_MEMORY = 3


def test_control_one_request_ends_the_server(control: PlainDeephaven) -> None:
    """A table of a thousand million rows that nobody has is begun to be made, and there is no memory for it."""
    session = control.session()
    with pytest.raises(DHError):
        session.empty_table(1_000_000_000).update(["x = ii", "y = `` + ii"])

    assert control.process.wait(30) != 0


def test_a_table_that_the_engine_has_given_up_is_told_with_503(unguarded: Attacked) -> None:
    """Nothing mends it but a restart, which `livez` asks for; the reason names the table."""
    url = unguarded.settings.local_url
    await_that(lambda: answers(f"{url}healthz") and answers(f"{url}livez"))
    os.kill(unguarded.served.process.pid, FAIL_A_TABLE)
    await_that(lambda: not any(answers(f"{url}{question}") for question in ("healthz", "readyz", "livez")))
    assert asked(f"{url}healthz")[1]["components"]["engine"] == "failed tables: final_ui"
    assert asked(f"{url}livez")[1]["reason"] == "failed tables: final_ui"


def test_a_table_server_whose_memory_is_used_up_ends_at_once(unguarded: Attacked) -> None:
    """It does not go on half dead: who watches over it starts it again, as after any other death.

    `tests/whole_way/test_swaps.py` shows how soon it is back, and that pages heal.
    """
    process = unguarded.served.process
    os.kill(process.pid, TAKE_ALL_MEMORY)
    assert process.wait(30) == EXIT_OF_A_JVM_WITHOUT_MEMORY
    assert "OutOfMemoryError" in unguarded.log
