"""The settings of topics besides the sources: the one of control messages, and livejoin's own."""

from pydantic import Field, field_validator, model_validator

from livejoin.settings.section import Section, Texts
from livejoin.wire.control_message import LEGAL_TOPIC
from livejoin.wire.topic_names import FEWEST_VIEWS, Topics


class TopicSettings(Section):
    """The topic of control messages, and livejoin's own.

    Without a name, a topic of livejoin's own is called by `prefix`. With `create` livejoin makes them, with
    `replication` copies (-1: as the broker has it) and view topics with `view_partitions`; without it somebody else
    has. `views` is a pool of view topics, which are never made nor deleted, but taken, emptied and taken again.
    Dead letters are kept for `dead_letter_hours` (0: for as long as the broker keeps records by itself, -1: for ever).
    """

    control: str = "control"
    prefix: str = "livejoin"
    state: str = ""
    control_log: str = ""
    dead_letters: str = ""
    views: Texts = Field(default_factory=list)
    create: bool = True
    replication: int = Field(default=-1, ge=-1, le=32_767)
    view_partitions: int = Field(default=1, gt=0)
    dead_letter_hours: int = Field(default=0, ge=-1)

    @field_validator("prefix")
    @classmethod
    def _a_name(cls, value: str) -> str:
        """Topics and folders are called by it."""
        if not LEGAL_TOPIC.fullmatch(value) or not value.strip("."):
            raise ValueError("letters, digits, '.', '_' and '-', and not dots alone")
        return value

    @field_validator("replication")
    @classmethod
    def _some_copies(cls, value: int) -> int:
        if value == 0:
            raise ValueError("0 copies are none: -1 leaves it to the broker")
        return value

    def used_twice(self, sources: tuple[str, ...]) -> list[str]:
        """The topics that would serve two purposes, where these are the sources."""
        names = [*self.own.fixed, *self.views, *sources, self.control]
        return sorted({name for name in names if names.count(name) > 1})

    @model_validator(mode="after")
    def _enough_views(self) -> "TopicSettings":
        if self.views and len(self.views) < FEWEST_VIEWS:
            raise ValueError(
                f"views has {len(self.views)} topics: at least {FEWEST_VIEWS} are needed, for the generation that is "
                "shown, the one that lingers, and the one that is being built"
            )
        if not self.create and not self.views:
            raise ValueError("create is false, so view topics have to be there: name at least three in views")
        return self

    @property
    def own(self) -> Topics:
        """The names of livejoin's own topics."""
        return Topics.named(
            self.prefix,
            state=self.state,
            control_log=self.control_log,
            dead_letters=self.dead_letters,
            views=tuple(self.views),
        )
