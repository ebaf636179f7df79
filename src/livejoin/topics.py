"""The names of livejoin's own topics: one place decides them, the prefix is a setting."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topics:
    """Names below one prefix, so that several livejoins can share a cluster."""

    prefix: str

    @property
    def own_prefix(self) -> str:
        """How the name of every topic begins that is livejoin's and nobody else's."""
        return f"{self.prefix}."

    @property
    def state(self) -> str:
        """Compacted, one partition: the registry of generations, the only truth about which one is live."""
        return f"{self.own_prefix}state"

    @property
    def control_log(self) -> str:
        """Every control message with its verdict."""
        return f"{self.own_prefix}control-log"

    @property
    def dead_letters(self) -> str:
        """Every rejected event, keyed by its position, so that a repeated rejection replaces itself."""
        return f"{self.own_prefix}dead-letters"

    @property
    def view_prefix(self) -> str:
        """The beginning of the name of every view topic."""
        return f"{self.own_prefix}view."

    def view(self, generation: int) -> str:
        """Compacted: the rows of all tables of one generation."""
        return f"{self.view_prefix}{generation}"
