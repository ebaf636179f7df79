"""The embedded broker: Apache Kafka in KRaft mode, one node, on loopback, with its data below the data folder.

This module prepares the folder and says how the broker is run; whoever runs it (`livejoin up`, a test)
owns the process.
"""

import base64
import shutil
import subprocess
import uuid
from importlib import resources
from pathlib import Path

from livejoin.embedded.jars import broker_classpath
from livejoin.embedded.java import java
from livejoin.errors import LivejoinError
from livejoin.kafka import Cluster
from livejoin.settings import Settings

NODE = 1
# The broker starts with little and keeps what it has grown to; serial collection needs no threads of its own.
JVM_FLAGS = (
    "-Xms64m",
    "-XX:+UseSerialGC",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:-UsePerfData",
    "-Djava.awt.headless=true",
)
# One short run that never gets hot.
SHORT_RUN_FLAGS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData")


class BrokerFormatFailed(LivejoinError):
    """Kafka's own tool did not accept the data folder."""


class EmbeddedKafka:
    """The folder and the command line of the embedded broker. Owns no process; nothing to close."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.data_dir / "kafka"
        self._properties = self._folder / "server.properties"
        self._log_config = self._folder / "log4j2.xml"
        self._data = self._folder / "data"

    def prepare(self) -> list[str]:
        """Write the configuration, format the storage where that was not done yet, and return the broker's command."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._log_config.write_bytes(resources.files("livejoin.embedded").joinpath("log4j2.xml").read_bytes())
        self._write_properties(self._data)
        program = java()
        classpath = ":".join(str(jar) for jar in broker_classpath(self._settings))
        common = ["-cp", classpath, f"-Dlog4j2.configurationFile={self._log_config}"]
        if not self._data.is_dir():
            self._format([program, *SHORT_RUN_FLAGS, *common])
        heap = f"-Xmx{self._settings.broker.heap}"
        return [program, *JVM_FLAGS, heap, *common, "kafka.Kafka", str(self._properties)]

    def create_source_topics(self) -> None:
        """Create the topics that are joined by default, and the control topic: here nobody else would."""
        cluster, topics = Cluster(self._settings.kafka_client), self._settings.topics
        for topic in (topics.users, topics.accounts, topics.control):
            cluster.ensure(topic)

    def _format(self, java_command: list[str]) -> None:
        """Format a draft and rename it, so that an interrupted run never leaves a folder that looks formatted."""
        draft = self._folder / "formatting"
        shutil.rmtree(draft, ignore_errors=True)
        draft_properties = self._write_properties(draft)
        cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        command = [*java_command, "kafka.tools.StorageTool", "format", f"--cluster-id={cluster_id}"]
        command += ["--config", str(draft_properties)]
        # In a session of its own, Ctrl-C in the terminal does not break it off.
        done = subprocess.run(command, capture_output=True, text=True, check=False, start_new_session=True)
        draft_properties.unlink()
        if done.returncode != 0:
            raise BrokerFormatFailed(
                f"Kafka could not format {draft}:\n{(done.stdout + done.stderr).strip()}",
                do="check that the folder is writable and has space, or set data_dir to another one",
            )
        draft.rename(self._data)

    def _write_properties(self, data: Path) -> Path:
        file = self._properties if data == self._data else self._folder / "formatting.properties"
        lines = [f"{name}={value}" for name, value in self._broker_properties(data).items()]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return file

    def _broker_properties(self, data: Path) -> dict[str, str | int]:
        broker = self._settings.broker
        return {
            "process.roles": "broker,controller",
            "node.id": NODE,
            "controller.quorum.voters": f"{NODE}@{broker.host}:{broker.controller_port}",
            "listeners": f"PLAINTEXT://{broker.host}:{broker.port},CONTROLLER://{broker.host}:{broker.controller_port}",
            "advertised.listeners": f"PLAINTEXT://{broker.host}:{broker.port}",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "PLAINTEXT",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            "log.dirs": str(data),
            "auto.create.topics.enable": "false",
            "num.partitions": 1,
            "default.replication.factor": 1,
            "offsets.topic.replication.factor": 1,
            "offsets.topic.num.partitions": 1,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.num.partitions": 1,
            "transaction.state.log.min.isr": 1,
            "share.coordinator.state.topic.replication.factor": 1,
            "share.coordinator.state.topic.num.partitions": 1,
            "share.coordinator.state.topic.min.isr": 1,
            "group.initial.rebalance.delay.ms": 0,
            # Sized for one machine that also carries Spark, the table server and a browser.
            "num.network.threads": 2,
            "num.io.threads": 4,
            "background.threads": 2,
            "log.cleaner.dedupe.buffer.size": 32 * 1024 * 1024,
        }
