"""Settings of a generation: what it keeps, which events it takes, and how it is exchanged for another one."""

from pydantic import Field

from livejoin.model.generation import Start
from livejoin.settings.section import Section


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
