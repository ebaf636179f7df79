"""Spark's Kafka clients log in with what is in force when they connect, as every other client of livejoin does.

Java's clients read passwords, keys and certificates once, when they are made, and those of a live query are made once
in ten minutes at the most: after an exchange, the next connection that is lost would end the query. So they are given
classes of livejoin's own that look for what is in force, and what that is is put into Spark's JVM when it changes.
"""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import structlog
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark import InheritableThread
from pyspark.sql import SparkSession

from livejoin.errors import LivejoinError
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.jaas import JAAS, read_login_line
from livejoin.kafka.login import HANDLER, MECHANISM, OIDC, PASSWORD, TOKEN_URL, USERNAME
from livejoin.process.worker import Worker

JAR = "java/renewal.jar"
CLIENT_HANDLER = "sasl.client.callback.handler.class"
ENGINES = "ssl.engine.factory.class"
OPTION = "option."
"""What options of the line of JAAS are named after."""
POLL_SECONDS = 0.25

log = structlog.get_logger()


class RenewalMissing(LivejoinError):
    """The Java of the pipeline is not built."""


def renewal_jar() -> Path:
    """The classes, for Spark."""
    jar = Path(str(resources.files(__package__) / JAR))
    if not jar.is_file():
        raise RenewalMissing(f"{jar} is not there", do="build it: `make up` and `make test` do")
    return jar


def renewable(java: Mapping[str, str]) -> dict[str, str]:
    """Properties of Java's client with the classes that look for what is in force."""
    classes: dict[str, str] = {}
    if java.get(MECHANISM) == OIDC:
        classes[HANDLER] = "livejoin.RenewedToken"
    elif MECHANISM in java:
        classes[CLIENT_HANDLER] = "livejoin.RenewedPassword"
    if java.get("security.protocol", "").endswith("SSL") and ENGINES not in java:
        classes[ENGINES] = "livejoin.RenewedTls"
    return {**java, **classes}


def in_force(client: KafkaClient) -> dict[str, str]:
    """What these classes look for, as it is at this moment."""
    java, own = client.java(), client.librdkafka()
    known = {name: value for name, value in java.items() if name.startswith("ssl.") or name in (MECHANISM, TOKEN_URL)}
    known |= {name: own[name] for name in (USERNAME, PASSWORD) if name in own}
    if JAAS in java:
        known |= {f"{OPTION}{name}": value for name, value in read_login_line(java[JAAS]).options.items()}
    return known


def put_in_force(spark: SparkSession, client: KafkaClient) -> None:
    """Have connections that begin from now on log in with what the files say, if that has changed."""
    edition = client.renew()
    of_java = spark._jvm.livejoin.InForce  # type: ignore[union-attr]  # noqa: SLF001  it has no public name
    if edition == 1 or of_java.edition() == edition:
        return
    of_java.become(edition, in_force(client))
    log.info("Spark connects with other properties from now on", edition=edition)


class Renewal(Worker):
    """Does so while the pipeline runs."""

    def __init__(self, spark: SparkSession, client: KafkaClient) -> None:
        # Spark's kind of thread, because it gives back its connection to the JVM when it ends.
        super().__init__("renewal", InheritableThread)
        self._spark = spark
        self._client = client

    def _run(self) -> None:
        while not self._stop.wait(POLL_SECONDS):
            try:
                put_in_force(self._spark, self._client)
            except (Py4JError, OSError):
                # Spark has ended, which somebody else finds out and tells.
                return
