"""The embedded broker: Apache Kafka in KRaft mode, one node, on loopback, with its data below the data folder.

People reach it without a password, and `rights.py` tells what they may do. livejoin's own processes have a listener of
their own, with a password, and may do everything. The controller's listener has a password that only the broker knows.

This module prepares the folder and says how the broker is run; whoever runs it (`livejoin up`, a test)
owns the process.
"""

import base64
import secrets
import shutil
import subprocess
import uuid
from pathlib import Path

from livejoin.errors import LivejoinError, SettingsError
from livejoin.jvm.class_archive import Jvm, archive_options
from livejoin.jvm.jars import broker_classpath
from livejoin.jvm.java import java
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.jaas import JAAS, login_line
from livejoin.kafka.login import LOGIN_MODULES
from livejoin.local.broker_rights import grant
from livejoin.logs.java import log4j
from livejoin.secrecy.broker_password import MECHANISM, USER, make_password, password_file, read_password
from livejoin.secrecy.private_file import replace
from livejoin.settings.operation import LogFormat
from livejoin.settings.settings import LOOPBACK, Settings

NODE = 1
PLAIN_LOGIN = LOGIN_MODULES["PLAIN"]
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


class BrokerWithoutPassword(LivejoinError):
    """The broker's data are there, and its password is not."""


class EmbeddedKafka:
    """The folder and the command line of the embedded broker. Owns no process; nothing to close."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.data_dir / "kafka"
        self._properties = self._folder / "server.properties"
        self._log_config = self._folder / "log4j2.xml"
        self._data = self._folder / "data"

    def require_possible(self) -> None:
        """Raise what keeps the broker from being run in this folder and with these settings."""
        self._refuse_shared_names()
        if self._data.is_dir() and not password_file(self._settings.data_dir).exists():
            raise BrokerWithoutPassword(
                f"the embedded broker in {self._folder} has no password: an earlier livejoin has made it, which asked "
                "nobody for one, or its file was deleted",
                do=f"move {self._folder} and {self._settings.data_dir / 'checkpoints'} away, and livejoin begins with "
                "empty topics; or set data_dir to another folder",
            )

    def prepare(self) -> list[str]:
        """Write the configuration, format the storage where that was not done yet, and return the broker's command."""
        self.require_possible()
        self._folder.mkdir(parents=True, exist_ok=True)
        make_password(self._settings.data_dir)
        logs = self._settings.logs
        # Nobody looks on: its output goes to a file.
        self._log_config.write_text(log4j(logs, "broker", as_json=logs.format is not LogFormat.TEXT), encoding="utf-8")
        self._write_properties(self._data)
        program = java()
        classpath = ":".join(str(jar) for jar in broker_classpath(self._settings))
        common = ["-cp", classpath, f"-Dlog4j2.configurationFile={self._log_config}"]
        if not self._data.is_dir():
            self._format([program, *SHORT_RUN_FLAGS, *common])
        heap = f"-Xmx{self._settings.broker.heap}"
        archive = archive_options(self._settings, Jvm.BROKER)
        return [program, *JVM_FLAGS, heap, *archive, *common, "kafka.Kafka", str(self._properties)]

    def open_to_people(self) -> None:
        """Let people in, and create the topics that are joined by default and the control topic: nobody else would."""
        settings = self._settings
        client = settings.kafka_client
        grant(client, settings.own_topics, settings.topics.control, settings.broker.control)
        cluster = Cluster(client)
        for topic in self._topics_of_others.values():
            cluster.ensure(topic)

    def _refuse_shared_names(self) -> None:
        """What people write to cannot be among the topics that are livejoin's alone, which are known by a prefix."""
        topics, own = self._settings.topics, self._settings.own_topics
        prefix = own.own_prefix
        if own.views or not topics.create:
            raise SettingsError(
                "topics.views and topics.create = false are for a broker where somebody else makes livejoin's topics: "
                "on the embedded broker nobody else can",
                do="leave them out, or set kafka.bootstrap.servers",
            )
        for name in own.fixed:
            if not name.startswith(prefix):
                raise SettingsError(
                    f"{name!r} would be a topic of livejoin's own: on the embedded broker they begin with {prefix!r}, "
                    "because nobody else may touch what does",
                    do="set topics.prefix in place of single names",
                )
        for setting, topic in self._topics_of_others.items():
            if topic.startswith(prefix):
                raise SettingsError(
                    f"{setting} is {topic!r}: on the embedded broker, only livejoin writes to topics that begin with "
                    f"{prefix!r}",
                    do=f"set {setting} or topics.prefix to another name",
                )

    @property
    def _topics_of_others(self) -> dict[str, str]:
        """What people write to, by the setting that names it."""
        settings = self._settings
        return {
            "left.topic": settings.left.topic_name,
            "right.topic": settings.right.topic_name,
            "topics.control": settings.topics.control,
        }

    def _format(self, java_command: list[str]) -> None:
        """Format a draft and rename it, so that an interrupted run never leaves a folder that looks formatted."""
        draft = self._folder / "formatting"
        shutil.rmtree(draft, ignore_errors=True)
        draft_properties = self._write_properties(draft)
        cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        scram = f"{MECHANISM}=[name={USER},password={read_password(self._settings.data_dir)}]"
        # By a file: every user of the machine can read the arguments of a process.
        arguments = self._folder / "formatting.arguments"
        options = [f"--cluster-id={cluster_id}", f"--config={draft_properties}", f"--add-scram={scram}"]
        replace(arguments, "\n".join(options))
        command = [*java_command, "kafka.tools.StorageTool", "format", f"@{arguments}"]
        # In a session of its own, Ctrl-C in the terminal does not break it off.
        done = subprocess.run(command, capture_output=True, text=True, check=False, start_new_session=True)
        draft_properties.unlink()
        arguments.unlink()
        if done.returncode != 0:
            raise BrokerFormatFailed(
                f"Kafka could not format {draft}:\n{(done.stdout + done.stderr).strip()}",
                do="check that the folder is writable and has space, or set data_dir to another one",
            )
        draft.rename(self._data)

    def _write_properties(self, data: Path) -> Path:
        file = self._properties if data == self._data else self._folder / "formatting.properties"
        lines = [f"{name}={value}" for name, value in self._broker_properties(data).items()]
        replace(file, "\n".join(lines) + "\n")
        return file

    def _broker_properties(self, data: Path) -> dict[str, str | int]:
        broker = self._settings.broker
        people, internal = f"PEOPLE://{broker.address}", f"INTERNAL://{LOOPBACK}:{broker.internal_port}"
        controller = f"{LOOPBACK}:{broker.controller_port}"
        return {
            **self._who_may_do_what(),
            "process.roles": "broker,controller",
            "node.id": NODE,
            "controller.quorum.voters": f"{NODE}@{controller}",
            "listeners": f"{people},{internal},CONTROLLER://{controller}",
            "advertised.listeners": f"{people},{internal}",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "INTERNAL",
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

    def _who_may_do_what(self) -> dict[str, str]:
        """Nobody but livejoin may do anything that was not allowed, from the first moment on."""
        own_login = self._settings.kafka_client.java()[JAAS]
        # Nobody else needs it: the broker and its controller are one process.
        known_to_itself = secrets.token_urlsafe(32)
        to_itself = {"username": USER, "password": known_to_itself, f"user_{USER}": known_to_itself}
        return {
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found": "false",
            "super.users": f"User:{USER}",
            "listener.security.protocol.map": "PEOPLE:PLAINTEXT,INTERNAL:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
            "sasl.mechanism.inter.broker.protocol": MECHANISM,
            "listener.name.internal.sasl.enabled.mechanisms": MECHANISM,
            f"listener.name.internal.{MECHANISM.lower()}.sasl.jaas.config": own_login,
            "sasl.mechanism.controller.protocol": "PLAIN",
            "listener.name.controller.sasl.enabled.mechanisms": "PLAIN",
            "listener.name.controller.plain.sasl.jaas.config": login_line(PLAIN_LOGIN, **to_itself),
        }
