"""Settings of what an operator sees: where the pipeline tells how it is, and how processes write their logs."""

from enum import StrEnum

from pydantic import Field

from livejoin.settings.section import Section, Texts


class PipelineSettings(Section):
    """The address where a pipeline tells its health and its metrics, to whoever can reach it and in the clear.

    `hosts` are names that it answers to beside `host`, addresses and localhost. Beyond loopback, names of source topics
    can be read there: say `host` yourself where a network of your own is around it.
    """

    host: str = "127.0.0.1"
    port: int = 8081
    hosts: Texts = Field(default_factory=list)


class LogFormat(StrEnum):
    """Who reads the logs: programs (one JSON object a line), people, or whoever standard error leads to."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The least that is written of livejoin's own lines."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogSettings(Section):
    """How every process writes its log, Spark, the engine and the embedded broker included."""

    format: LogFormat = LogFormat.AUTO
    level: LogLevel = LogLevel.INFO
