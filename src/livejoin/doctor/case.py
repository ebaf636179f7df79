"""What is examined, and what earlier checks have found out for later ones."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

from livejoin.doctor.confidential import Confidential
from livejoin.kafka.cluster import Described
from livejoin.kafka.trouble import principal_of
from livejoin.model.declaration import Side, Source
from livejoin.settings.settings import Settings
from livejoin.topics.rights import Who
from livejoin.topics.survey import Broker, Survey

DEFAULT_ROLES = (Who.PIPELINE, Who.SERVE)
"""What `livejoin up` runs with one login."""


@dataclass
class Case:
    """One examination. Nothing to close.

    `roles` are those whose rights this login has to have; `quick` leaves out what needs Spark.
    """

    settings: Settings
    roles: Collection[Who] = DEFAULT_ROLES
    quick: bool = False
    brokers: list[Broker] = field(default_factory=list)
    """Those that the cluster says it has."""
    sources: dict[str, Described] = field(default_factory=dict)
    """Source topics that are there, by their names."""
    newest: dict[str, float] = field(default_factory=dict)
    """When the newest record of a source topic was made, seconds since the epoch."""
    source_bytes: dict[str, int] = field(default_factory=dict)
    """How large all records of a source topic are, guessed from a sample."""

    @cached_property
    def cluster(self) -> Survey:
        """The cluster, as livejoin's own processes reach it."""
        return Survey(self.settings.kafka_client)

    @cached_property
    def confidential(self) -> Confidential:
        """What must not be told."""
        return Confidential(self.settings)

    @cached_property
    def principal(self) -> str:
        """Who the broker takes this client for, as far as its properties tell."""
        return principal_of(self.settings.kafka_client)

    @property
    def source_topics(self) -> dict[Side, str]:
        """The topic of each side."""
        return {side: self.settings.request.topic_of(side) for side in Side}

    def source(self, side: Side) -> Source:
        """What is declared of a side."""
        return self.settings.declaration.source(side)

    def about(self, side: Side) -> str:
        """A side in a finding: its topic and its name."""
        return f"{self.source_topics[side]} ({self.source(side).name})"
