"""The names of livejoin's own topics: one place decides them, the settings may choose others."""

from dataclasses import dataclass

FEWEST_VIEWS = 3
"""One generation is shown, one lingers, one is being built."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Names below one prefix unless they were chosen, so that several livejoins can share a cluster."""

    prefix: str
    state: str
    """Compacted, one partition: the registry of generations, the only truth about which one is live."""
    control_log: str
    """Every control message with its verdict."""
    dead_letters: str
    """Every rejected event, keyed by its position, so that a repeated rejection replaces itself."""
    views: tuple[str, ...] = ()
    """The pool of view topics that somebody else has made; empty where livejoin makes one for each generation."""

    @classmethod
    def named(
        cls, prefix: str, *, state: str = "", control_log: str = "", dead_letters: str = "", views: tuple[str, ...] = ()
    ) -> "Topics":
        """The names that were chosen, and for the others those below the prefix."""
        return cls(
            prefix,
            state or f"{prefix}.state",
            control_log or f"{prefix}.control-log",
            dead_letters or f"{prefix}.dead-letters",
            views,
        )

    @property
    def own_prefix(self) -> str:
        """How the name of every topic begins that is livejoin's and nobody else's."""
        return f"{self.prefix}."

    @property
    def transactional_id(self) -> str:
        """By what Kafka knows the one pipeline that writes."""
        return f"{self.own_prefix}pipeline"

    @property
    def fixed(self) -> tuple[str, ...]:
        """The topics that are there for as long as livejoin is."""
        return self.state, self.control_log, self.dead_letters

    @property
    def view_prefix(self) -> str:
        """The beginning of the name of every view topic that livejoin makes."""
        return f"{self.own_prefix}view."

    def view(self, generation: int) -> str:
        """Compacted: the rows of all tables of one generation."""
        return f"{self.view_prefix}{generation}"

    def is_made_view(self, topic: str) -> bool:
        """Whether livejoin has made this view topic, which is named after its generation."""
        return topic.startswith(self.view_prefix) and topic.removeprefix(self.view_prefix).isdigit()

    def is_own(self, topic: str) -> bool:
        """Whether a topic is livejoin's, and so no source."""
        return topic.startswith(self.own_prefix) or topic in self.fixed or topic in self.views
