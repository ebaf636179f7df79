"""The whole product with the rights that are listed and no others, and without those that only it can tell.

tests/orchestrator/test_listed_rights.py takes away the others, without Spark.
"""

from collections.abc import Iterator

import pytest

from livejoin.settings.settings import Settings
from livejoin.topics.rights import Operation, Who
from rights_stage import OTHER, RightsStage


@pytest.fixture(scope="module")
def stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RightsStage]:
    """A pipeline and a table server, ready, with a user and an account."""
    stage = RightsStage(broker, tmp_path_factory.mktemp("rights"))
    stage.produce(stage.settings.left.topic_name, b'{"userId": "u", "name": "Una"}')
    stage.produce(OTHER, b'{"userId": "v", "name": "Vera"}')
    try:
        stage.start()
        yield stage
    finally:
        stage.stop()


def test_the_listed_rights_are_enough_for_everything(stage: RightsStage) -> None:
    """Rows, dead letters, a swap and a rollback, with no right to create anything, on groups or on the cluster."""
    users, accounts = stage.settings.source_topics
    stage.produce(accounts, b'{"userId": "u", "balance": 3.5}')
    stage.produce(users, b"no JSON")
    stage.await_row("final_ui", name="Una", balance=3.5)
    stage.await_row("dead_letters", text="no JSON")
    swapped = stage.command("swap", "--users", OTHER, "--accounts", accounts, "--wait", "--timeout", "100")
    assert swapped.returncode == 0, swapped.stderr
    stage.await_live(OTHER, 60)
    back = stage.command("rollback", "--wait", "--timeout", "100")

    assert (back.returncode, back.stdout.splitlines()[-1]) == (0, "applied: generation 1 is live again"), back.stderr
    stage.await_well()


def test_what_spark_may_not_do_is_named_one_after_the_other(stage: RightsStage) -> None:
    """Reading a source, writing rows, writing dead letters; when all is granted, nothing was lost."""
    own, guest = stage.settings.own_topics, stage.guests[Who.PIPELINE]
    users, _ = stage.settings.source_topics
    missing = [
        stage.right(Who.PIPELINE, Operation.READ, users),
        stage.right(Who.PIPELINE, Operation.WRITE, stage.registry.of(stage.live_number).view_topic),
        stage.right(Who.PIPELINE, Operation.WRITE, own.dead_letters),
    ]
    for right in missing:
        guest.take_one(right)
    stage.produce(users, b'{"userId": "w", "name": "Wanda"}')
    stage.produce(users, b"no JSON either")
    for right in missing:
        stage.await_told(right)
        guest.allow_all([right])

    stage.await_row("final_ui", name="Wanda")
    stage.await_row("dead_letters", text="no JSON either")
    stage.await_well()


def test_what_a_table_server_may_not_do_is_named_and_done_when_it_may(stage: RightsStage) -> None:
    """Each of its readers says by itself what it is not allowed."""
    guest, (users, _) = stage.guests[Who.SERVE], stage.settings.source_topics
    not_used = {*stage.settings.topics.views} - stage.used | {OTHER}
    listed = [right for right in stage.listed(Who.SERVE) if right.topic not in not_used]
    reads = [right for right in listed if right.operation is Operation.READ]
    for right in reads:
        guest.take_one(right)
    for right in reads:
        stage.await_told(right)
    guest.allow_all(reads)
    for right in [right for right in listed if right not in reads]:
        guest.take_one(right)
        stage.await_told(right)
        guest.allow_all([right])
    stage.produce(users, b'{"userId": "x", "name": "Xenia"}')

    stage.await_row("final_ui", name="Xenia")
    stage.await_well()


def test_who_may_not_send_control_messages_is_told(stage: RightsStage) -> None:
    """By the command, and on the page, where the table server sends them."""
    topics, operator, serve = stage.settings.topics, stage.guests[Who.OPERATOR], stage.guests[Who.SERVE]
    users, accounts = stage.settings.source_topics
    writes = stage.right(Who.OPERATOR, Operation.WRITE, topics.control)
    operator.take_one(writes)
    refused = stage.command("swap", "--users", OTHER, "--accounts", accounts)
    operator.allow_all([writes])
    assert refused.returncode == 1
    assert operator.refused(writes) in refused.stderr
    by_page = stage.right(Who.SERVE, Operation.WRITE, topics.control)
    swap = {"usersTopic": users, "accountsTopic": accounts}
    assert serve.refused(by_page) in stage.ask("control/message", swap)["error"]
    serve.allow_all([by_page])

    assert "id" in stage.ask("control/message", swap)
