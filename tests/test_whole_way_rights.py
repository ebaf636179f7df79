"""The whole product with the rights that are listed and no others, and without those that only it can tell.

tests/orchestrator/test_listed_rights.py takes away the others, without Spark.
"""

from collections.abc import Iterator

import pytest

from livejoin.kafka.rights import Operation, Who
from livejoin.settings import Settings
from rights_stage import OTHER, RightsStage


@pytest.fixture(scope="module")
def stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RightsStage]:
    """A pipeline and a table server, ready, with a user and an account."""
    stage = RightsStage(broker, tmp_path_factory.mktemp("rights"))
    stage.produce(stage.settings.topics.users, b'{"userId": "u", "name": "Una"}')
    stage.produce(OTHER, b'{"userId": "v", "name": "Vera"}')
    try:
        stage.start()
        yield stage
    finally:
        stage.stop()


def test_the_listed_rights_are_enough_for_everything(stage: RightsStage) -> None:
    """Rows, dead letters, a swap and a rollback, with no right to create anything, on groups or on the cluster."""
    topics = stage.settings.topics
    stage.produce(topics.accounts, b'{"userId": "u", "balance": 3.5}')
    stage.produce(topics.users, b"no JSON")
    assert [row["name"] for row in stage.await_rows("final_ui", 1)] == ["Una"]
    stage.await_rows("dead_letters", 1)
    swapped = stage.command("swap", "--users", OTHER, "--accounts", topics.accounts, "--wait", "--timeout", "100")
    assert swapped.returncode == 0, swapped.stderr
    stage.await_live(OTHER, 60)
    back = stage.command("rollback", "--wait", "--timeout", "100")

    assert (back.returncode, back.stdout.splitlines()[-1]) == (0, "applied: generation 1 is live again"), back.stderr
    stage.await_well()


def test_what_spark_may_not_do_is_named_one_after_the_other(stage: RightsStage) -> None:
    """Reading a source, writing rows, writing dead letters; when all is granted, nothing was lost."""
    topics, own, guest = stage.settings.topics, stage.settings.own_topics, stage.guests[Who.PIPELINE]
    missing = [
        stage.right(Who.PIPELINE, Operation.READ, topics.users),
        stage.right(Who.PIPELINE, Operation.WRITE, stage.registry.of(stage.live_number).view_topic),
        stage.right(Who.PIPELINE, Operation.WRITE, own.dead_letters),
    ]
    for right in missing:
        guest.take_one(right)
    stage.produce(topics.users, b'{"userId": "w", "name": "Wanda"}')
    stage.produce(topics.users, b"no JSON either")
    for right in missing:
        stage.await_told(right)
        guest.allow_all([right])

    stage.await_rows("final_ui", 2)
    stage.await_rows("dead_letters", 2)
    stage.await_well()


def test_what_a_table_server_may_not_do_is_named_and_done_when_it_may(stage: RightsStage) -> None:
    """Each of its readers says by itself what it is not allowed."""
    guest, topics = stage.guests[Who.SERVE], stage.settings.topics
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
    stage.produce(topics.users, b'{"userId": "x", "name": "Xenia"}')

    stage.await_rows("final_ui", 3)
    stage.await_well()


def test_who_may_not_send_control_messages_is_told(stage: RightsStage) -> None:
    """By the command, and on the page, where the table server sends them."""
    topics, operator, serve = stage.settings.topics, stage.guests[Who.OPERATOR], stage.guests[Who.SERVE]
    writes = stage.right(Who.OPERATOR, Operation.WRITE, topics.control)
    operator.take_one(writes)
    refused = stage.command("swap", "--users", OTHER, "--accounts", topics.accounts)
    assert refused.returncode == 1
    assert any(refusal in refused.stderr for refusal in operator.refused(writes)), refused.stderr
    by_page = stage.right(Who.SERVE, Operation.WRITE, topics.control)
    swap = {"usersTopic": topics.users, "accountsTopic": topics.accounts}
    assert any(refusal in stage.ask("control/message", swap)["error"] for refusal in serve.refused(by_page))
    serve.allow_all([by_page])

    assert "id" in stage.ask("control/message", swap)
