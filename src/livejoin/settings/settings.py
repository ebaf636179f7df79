"""Every setting, typed, in one place.

A command-line flag wins over a `LIVEJOIN_*` environment variable, which wins over `livejoin.toml`, which wins over the
default. Nested names: `[spark] master` in the file, `LIVEJOIN_SPARK__MASTER` in the environment, `--set spark.master=`
on the command line. Kafka client properties have their own dotted names, of librdkafka or of Java.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from livejoin.folders import data_folder
from livejoin.kafka.client import BOOTSTRAP, FILE, KafkaClient
from livejoin.model.declaration import Declaration
from livejoin.model.generation import Request
from livejoin.secrecy.broker_password import login, read_password
from livejoin.secrecy.masked import masked, masked_text
from livejoin.settings.declaration import JoinSettings, LeftSettings, RightSettings, declared
from livejoin.settings.door import AccessSettings, LimitSettings, WebSettings
from livejoin.settings.generation import EventSettings, KeepSettings, SwapSettings
from livejoin.settings.machinery import BrokerSettings, DemoSettings, JarSettings, ServerSettings, SparkSettings
from livejoin.settings.operation import LogSettings, PipelineSettings
from livejoin.settings.sign_in import is_trustworthy
from livejoin.settings.topics import TopicSettings
from livejoin.wire.topic_names import Topics

LOOPBACK = "127.0.0.1"


class Settings(BaseSettings):
    """The effective settings of one process."""

    model_config = SettingsConfigDict(
        env_prefix="LIVEJOIN_", env_nested_delimiter="__", extra="forbid", frozen=True, hide_input_in_errors=True
    )

    data_dir: Path = Field(default_factory=data_folder, validate_default=True)
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
        return {name.lower().replace("_", "."): _plain(text) for name, text in flattened(value)}

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
    def file_remarks(self) -> tuple[str, ...]:
        """Sentences about the file that they were read from; none where they come from elsewhere."""
        return ()

    @property
    def people_client(self) -> KafkaClient:
        """How who has nothing to do with livejoin's own topics reaches them; our own broker asks for nothing."""
        if not self.embedded_broker:
            return self._configured
        return self._client({BOOTSTRAP: self.broker.address})

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


def flattened(nested: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Every single value, by its whole name."""
    flat: list[tuple[str, Any]] = []
    for name, value in nested.items():
        path = f"{prefix}{name}"
        flat.extend(flattened(value, f"{path}.") if isinstance(value, dict) else [(path, value)])
    return flat


def _plain(value: Any) -> str:
    """A value as Kafka's properties have it, also where TOML has a kind of its own for it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
