"""The password of the embedded broker while the real pipeline uses it, and after it was changed."""

import secrets
from typing import Any, cast

import psutil
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from await_that import await_that
from livejoin.model.declaration import JOINED_TABLE
from livejoin.secrecy.broker_password import USER, password_file, read_password
from livejoin.secrecy.private_file import replace
from what_is_shown import argv_and_environment
from world import MEND_SECONDS, World


def test_spark_does_not_spread_the_password(world: World) -> None:
    """No argument, environment, log or checkpoint of the pipeline holds the password that Spark logs in with."""
    data = world.settings.data_dir
    password = read_password(data)
    assert world.pipeline.pid is not None
    shown = [argv_and_environment(process) for process in psutil.Process(world.pipeline.pid).children(recursive=True)]
    assert any("SparkSubmit" in text for text in shown)
    assert not [text for text in shown if password in text]
    checkpoints = [file for file in (data / "checkpoints").rglob("*") if file.is_file()]
    assert checkpoints
    files = (file for file in data.rglob("*") if file.is_file())
    holding = {file.relative_to(data).as_posix() for file in files if password.encode() in file.read_bytes()}
    assert holding == {"kafka/password", "kafka/server.properties"}


def test_another_password_is_taken_up_at_the_next_start(world: World) -> None:
    """A generation goes on from its checkpoint with a password that it did not begin with."""
    live = world.live_number
    others = [child for child in (world.serve,) if child.running]
    for child in (world.pipeline, *others):
        child.stop()
    changed = secrets.token_urlsafe(32)
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
    admin = AdminClient({**world.settings.kafka_client.librdkafka()})
    answers = admin.alter_user_scram_credentials([UserScramCredentialUpsertion(USER, info, changed.encode())])
    for answer in cast("dict[str, Any]", answers).values():
        answer.result(30.0)
    world.broker.stop()
    replace(password_file(world.settings.data_dir), changed)
    world.restart_broker()
    for child in (world.pipeline, *others):
        child.start()
    world.await_number(live, timeout=180)
    world.produce(world.registry.generations[live].request.left_topic, "after the change", name="Ada")
    view = world.view(live)
    try:

        def shown() -> bool:
            view.read_available()
            return "after the change" in {row[0] for row in view.tables()[JOINED_TABLE]}

        await_that(shown, timeout=MEND_SECONDS)
    finally:
        view.close()
