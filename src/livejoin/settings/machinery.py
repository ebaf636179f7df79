"""Settings of what runs: jars, the embedded broker, Spark, the table server and the demo."""

from enum import StrEnum
from pathlib import Path

from pydantic import Field, field_validator

from livejoin.folders import jar_folder
from livejoin.settings.section import Section, is_loopback


class JarSettings(Section):
    """Where the jars are kept, and the Maven repository they come from (empty: Ivy's default)."""

    dir: Path | None = None
    repository: str = ""

    @property
    def folder(self) -> Path:
        """The configured one, or livejoin's own."""
        return self.dir.expanduser().absolute() if self.dir is not None else jar_folder()


class ControlTopic(StrEnum):
    """Who may write to the control topic on the embedded broker, besides livejoin's own processes."""

    PRIVATE = "private"
    """Nobody."""
    OPEN = "open"
    """Everybody on this machine, without a password."""


class BrokerSettings(Section):
    """The embedded broker, started when no bootstrap.servers is configured.

    People of this machine reach it at `host` and `port`, without a password. The other two ports are livejoin's own, on
    loopback and with a password. Only livejoin writes to the control topic, unless `control` opens it to people.
    """

    host: str = "127.0.0.1"
    port: int = 19092
    internal_port: int = 19094
    controller_port: int = 19093
    control: ControlTopic = ControlTopic.PRIVATE
    heap: str = "512m"

    @field_validator("host")
    @classmethod
    def _on_this_machine(cls, value: str) -> str:
        if not is_loopback(value):
            raise ValueError(
                f"at {value} whoever reaches this machine could use the embedded broker without a password: it is for "
                "this machine alone. Leave it at 127.0.0.1, and set kafka.bootstrap.servers to a cluster that asks for "
                "logins where other machines take part"
            )
        return value

    @property
    def address(self) -> str:
        """Where people reach it."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class SparkSettings(Section):
    """The Spark session.

    Without a `master` it is this machine, with `slots`: every task of every query holds one, and a thread. One that
    nobody holds costs nothing, so there are more than a machine is likely to need. `driver_memory` is the heap,
    `shuffle_partitions` into how many tasks keys are divided for the join, and `batch` how long Real-Time Mode reads
    before it commits. `conf` has any settings of Spark besides these.
    """

    master: str = ""
    slots: int = Field(default=4_096, gt=0)
    driver_memory: str = "1g"
    shuffle_partitions: int = Field(default=1, gt=0)
    batch: str = "10 minutes"
    conf: dict[str, str] = Field(default_factory=dict)

    def slots_for(self, partitions: int) -> int:
        """What a generation needs: one for each partition of its sources, twice, for dead letters too; and to join."""
        return 2 * partitions + self.shuffle_partitions


class ServerSettings(Section):
    """The table server.

    Rows are shown as soon as they come, and those of a steady stream every `update_interval_ms`. Of dead letters and
    control messages it shows the newest: so many, and no more than have so many bytes together.
    """

    heap: str = "2g"
    update_interval_ms: int = Field(default=15, gt=0)
    dead_letters: int = Field(default=10_000, gt=0)
    dead_letters_bytes: int = Field(default=128_000_000, gt=0)
    control_messages: int = Field(default=10_000, gt=0)
    control_messages_bytes: int = Field(default=32_000_000, gt=0)


class DemoSettings(Section):
    """The demo producer."""

    rate: float = Field(default=20.0, gt=0)
    people: int = Field(default=500, gt=0)
