"""Every setting, typed, in one place.

A command-line flag wins over a `LIVEJOIN_*` environment variable, which wins over `livejoin.toml`, which wins over the
default. Nested names: `[spark] master` in the file, `LIVEJOIN_SPARK__MASTER` in the environment, `--set spark.master=`
on the command line. Kafka client properties have their own dotted names, of librdkafka or of Java.
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from livejoin.checkout import checkout
from livejoin.kafka.client import BOOTSTRAP, FILE, KafkaClient
from livejoin.model.declaration import Declaration
from livejoin.model.generation import Request, Start
from livejoin.secrecy.broker_password import login, read_password
from livejoin.secrecy.masked import masked, masked_text
from livejoin.settings.declaration import JoinSettings, LeftSettings, RightSettings, declared
from livejoin.settings.door import AccessSettings, LimitSettings, WebSettings
from livejoin.settings.operation import LogSettings, PipelineSettings
from livejoin.settings.section import Section
from livejoin.settings.sign_in import is_trustworthy
from livejoin.settings.topics import TopicSettings
from livejoin.wire.topic_names import Topics

LOOPBACK = "127.0.0.1"


class KeepSettings(Section):
    """How many events of a key are kept at the most of each source (0: no limit).

    By default more than anybody looks at in one key, and fewer than would make each event of that key slow.
    """

    limit: int = Field(default=1_000, ge=0)


LARGEST_EVENT = 10_000_000
"""The rows of a larger one would be larger than what brokers take and clients read in one piece (100 MB)."""


class EventSettings(Section):
    """Limits on a single source event."""

    max_bytes: int = Field(default=1_000_000, gt=0, le=LARGEST_EVENT)
    dead_letter_bytes: int = Field(default=65_536, gt=0)

    @property
    def row_bytes(self) -> int:
        """What a record of a view topic may need: the largest event of each source, and some room for names.

        A key may take nearly all of an event, and stands in a record up to five times: as itself, and in a row id,
        which the record's key repeats, once for each source. One of several columns is JSON there, whose quotes are
        escaped once more: as much as seven times. The joined table may show it once more for each source. And never
        less than what Kafka's client sends in one batch.
        """
        return 9 * self.max_bytes + 131_072


class SwapSettings(Section):
    """How a generation is exchanged for another one; docs/generations.md tells the steps.

    `start` is where a new generation begins to read its topics. `topic_wait_seconds` is how long a topic that a control
    message names may take to appear, `build_timeout_seconds` how long building may take before it has failed, and
    `linger_seconds` how long the replaced generation can be brought back.
    """

    start: Start = Start.EARLIEST
    topic_wait_seconds: float = Field(default=5.0, ge=0)
    build_timeout_seconds: float = Field(default=1_800.0, gt=0)
    linger_seconds: float = Field(default=20.0, ge=0)


class JarSettings(Section):
    """Where the jars are kept, and the Maven repository they come from (empty: Ivy's default)."""

    dir: Path | None = None
    repository: str = ""

    @property
    def folder(self) -> Path:
        """The configured folder, else the checkout's cache, else the user's: the same from every working folder."""
        if self.dir is not None:
            return self.dir.expanduser().absolute()
        root = checkout()
        user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return root / ".cache" / "jars" if root else user_cache / "livejoin" / "jars"


class BrokerSettings(Section):
    """The embedded broker, started when no bootstrap.servers is configured.

    People reach it at `host` and `port`, without a password. The other two ports are livejoin's own, on loopback and
    with a password.
    """

    host: str = "127.0.0.1"
    port: int = 19092
    internal_port: int = 19094
    controller_port: int = 19093
    heap: str = "512m"


class SparkSettings(Section):
    """The Spark session. `slots` bounds the default local master: every task of every query holds one, and a thread.

    One that nobody holds costs nothing, so there are more than a machine is likely to need.
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

    It shows the newest dead letters and control messages: so many, and no more than have so many bytes together.
    """

    heap: str = "2g"
    update_interval_ms: int = Field(default=20, gt=0)
    dead_letters: int = Field(default=10_000, gt=0)
    dead_letters_bytes: int = Field(default=128_000_000, gt=0)
    control_messages: int = Field(default=10_000, gt=0)
    control_messages_bytes: int = Field(default=32_000_000, gt=0)


class DemoSettings(Section):
    """The demo producer."""

    rate: float = Field(default=20.0, gt=0)
    people: int = Field(default=500, gt=0)


class Settings(BaseSettings):
    """The effective settings of one process."""

    model_config = SettingsConfigDict(
        env_prefix="LIVEJOIN_", env_nested_delimiter="__", extra="forbid", frozen=True, hide_input_in_errors=True
    )

    data_dir: Path = Path(".livejoin")
    kafka: dict[str, str] = Field(default={}, repr=False)
    left: LeftSettings = LeftSettings()
    right: RightSettings = RightSettings()
    join: JoinSettings = JoinSettings()
    topics: TopicSettings = TopicSettings()
    keep: KeepSettings = KeepSettings()
    events: EventSettings = EventSettings()
    swap: SwapSettings = SwapSettings()
    jars: JarSettings = JarSettings()
    broker: BrokerSettings = BrokerSettings()
    spark: SparkSettings = SparkSettings()
    pipeline: PipelineSettings = PipelineSettings()
    server: ServerSettings = ServerSettings()
    access: AccessSettings = AccessSettings()
    web: WebSettings = WebSettings()
    limits: LimitSettings = LimitSettings()
    logs: LogSettings = LogSettings()
    demo: DemoSettings = DemoSettings()

    @field_validator("kafka", mode="before")
    @classmethod
    def _dotted_kafka_names(cls, value: Any) -> Any:
        """Shells cannot export a name with dots, so `LIVEJOIN_KAFKA__BOOTSTRAP_SERVERS` means bootstrap.servers."""
        if not isinstance(value, dict):
            return value
        return {name.lower().replace("_", "."): _plain(text) for name, text in _flatten(value)}

    @field_validator("join", mode="before")
    @classmethod
    def _join_is_a_section(cls, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError("the type of the join has moved to join.type")  # noqa: TRY004  pydantic wants this one
        return value

    @field_validator("data_dir")
    @classmethod
    def _absolute_data_dir(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @model_validator(mode="after")
    def _a_way_back(self) -> "Settings":
        if self.access.oidc is not None and not is_trustworthy(self.page_url):
            raise ValueError(
                f"access.oidc: people would be sent back to {self.page_url} with their key, in the clear: set web.url "
                "to the https address that they use"
            )
        return self

    @model_validator(mode="after")
    def _something_to_join(self) -> "Settings":
        _ = self.declaration
        twice = self.topics.used_twice(self.source_topics)
        if twice:
            raise ValueError(f"topics: {', '.join(map(repr, twice))} cannot be used for two purposes")
        return self

    @model_validator(mode="after")
    def _client_in_both_dialects(self) -> "Settings":
        # A mistake in them is one in the settings.
        _ = self._configured
        return self

    @property
    def _configured(self) -> KafkaClient:
        """The client of the configured broker, or what there is to add to that of our own."""
        return self._client({})

    def _client(self, defaults: dict[str, str]) -> KafkaClient:
        return _one_client(frozenset(self.kafka.items()), frozenset(defaults.items()))

    @property
    def embedded_broker(self) -> bool:
        """Whether livejoin brings its own broker."""
        return BOOTSTRAP not in self._configured.librdkafka()

    @property
    def kafka_client(self) -> KafkaClient:
        """How livejoin's own processes reach the configured broker or, with a password, our own."""
        if not self.embedded_broker:
            return self._configured
        address = f"{LOOPBACK}:{self.broker.internal_port}"
        return self._client({BOOTSTRAP: address, **login(read_password(self.data_dir))})

    @property
    def kafka_remarks(self) -> tuple[str, ...]:
        """Sentences about client properties that do not mean what somebody may expect."""
        return self._configured.remarks

    @property
    def people_client(self) -> KafkaClient:
        """How who has nothing to do with livejoin's own topics reaches them; our own broker asks for nothing."""
        if not self.embedded_broker:
            return self._configured
        return self._client({BOOTSTRAP: f"{self.broker.host}:{self.broker.port}"})

    @property
    def declaration(self) -> Declaration:
        """What is joined."""
        return declared(self.left, self.right, self.join)

    @property
    def source_topics(self) -> tuple[str, ...]:
        """The topics that are joined at the first start; one where both sources are the same."""
        return tuple(dict.fromkeys((self.left.topic_name, self.right.topic_name)))

    @property
    def own_topics(self) -> Topics:
        """The names of livejoin's own topics."""
        return self.topics.own

    @property
    def request(self) -> Request:
        """What these settings ask a generation to show."""
        return Request(
            declaration=self.declaration,
            left_topic=self.left.topic_name,
            right_topic=self.right.topic_name,
            join=self.join.type,
            keep_limit=self.keep.limit,
            start=self.swap.start,
        )

    @property
    def page_url(self) -> str:
        """Where everything is reached, with a slash at the end."""
        scheme = "https" if self.web.tls else "http"
        host = f"[{self.web.host}]" if ":" in self.web.host else self.web.host
        return f"{(self.web.url or f'{scheme}://{host}:{self.web.port}').rstrip('/')}/"

    @property
    def local_url(self) -> str:
        """The same from this machine, whatever is in front of it."""
        scheme = "https" if self.web.tls else "http"
        anywhere = {"0.0.0.0": LOOPBACK, "::": "::1"}  # noqa: S104  nobody is bound to it here
        host = anywhere.get(self.web.host, self.web.host)
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.web.port}/"

    def masked(self) -> dict[str, Any]:
        """The settings as plain data that may be printed: secrets are masked, also among Kafka's and Spark's."""
        shown = self.model_dump(mode="json")
        named = {FILE: self.kafka[FILE]} if FILE in self.kafka else {}
        properties = {**named, **self._configured.properties}
        shown["kafka"] = {name: masked(name, text) for name, text in sorted(properties.items())}
        shown["spark"]["conf"] = {name: masked(name, text) for name, text in sorted(self.spark.conf.items())}
        shown["jars"]["repository"] = masked_text(self.jars.repository)
        shown["web"]["url"] = masked_text(self.web.url)
        return shown


@lru_cache(maxsize=32)
def _one_client(given: frozenset[tuple[str, str]], defaults: frozenset[tuple[str, str]]) -> KafkaClient:
    """Everybody in this process who reaches a cluster in the same way reads the same files again, once."""
    return KafkaClient(dict(given), dict(defaults))


def _flatten(nested: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    flat: list[tuple[str, Any]] = []
    for name, value in nested.items():
        path = f"{prefix}{name}"
        flat.extend(_flatten(value, f"{path}.") if isinstance(value, dict) else [(path, value)])
    return flat


def _plain(value: Any) -> str:
    """A value as Kafka's properties have it, also where TOML has a kind of its own for it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
