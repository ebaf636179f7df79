"""From a generation that is asked for to queries that run: what it needs is there, is waited for, or is told."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime

import structlog

from livejoin.errors import NotAccepted, Refused, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import needed_to
from livejoin.model.generation import BUILDING, Generation, State
from livejoin.pipeline.control.lifecycle import Lifecycle
from livejoin.pipeline.control.view_topics import NoViewTopic
from livejoin.pipeline.control.vitals import Vitals
from livejoin.settings.settings import Settings
from livejoin.topics.sources import meant, possible_sources

LONGEST_LOOK_SECONDS = 2.0
WAITING = "; waiting for it"

log = structlog.get_logger()


class Construction:
    """Begins what is requested, and gives up what takes too long. Used by the orchestrator's thread."""

    def __init__(self, settings: Settings, cluster: Cluster, life: Lifecycle, vitals: Vitals) -> None:
        self._settings = settings
        self._swap = settings.swap
        self._cluster = cluster
        self._life = life
        self._vitals = vitals
        self._started = datetime.now(UTC)
        self._topics_due = 0.0

    def go_on(self) -> None:
        """Begin what can be begun, and give up what was not built in time."""
        self._look_for_topics()
        self._build_what_is_begun()
        now, timeout = datetime.now(UTC), self._swap.build_timeout_seconds
        for generation in self._life.registry.in_state(*BUILDING):
            # While nobody built it, no time has passed for it.
            begun = max(generation.requested, self._started)
            if generation.control and (now - begun).total_seconds() > timeout:
                why = f"not built within {timeout:g} s (swap.build_timeout_seconds)"
                self._life.move(generation.number, State.FAILED, why)

    def look_at_once(self) -> None:
        """Something else is asked for: its topics are looked for without a pause."""
        self._topics_due = 0.0

    def supersede(self, by: int | None, why: str) -> None:
        """Give up what was asked for before; `by` is the request that takes its place, if there is one."""
        for generation in self._life.registry.in_state(State.REQUESTED, *BUILDING):
            if by is None or generation.number < by:
                self._life.move(generation.number, State.SUPERSEDED, why)

    def _look_for_topics(self) -> None:
        """Requests whose topics are there are built, the newest first; a message's topic is not waited for for ever."""
        requested = self._life.registry.in_state(State.REQUESTED)
        if not requested or time.monotonic() < self._topics_due:
            return
        # One that is waited for for hours is not asked for ten times a second.
        waited = (datetime.now(UTC) - requested[-1].requested).total_seconds()
        self._topics_due = time.monotonic() + min(LONGEST_LOOK_SECONDS, waited / 10)
        now = datetime.now(UTC)
        for generation in reversed(requested):
            what = self._not_there(generation.request.topics.values()) or self._life.lacks_slots(generation)
            if not what:
                self.supersede(generation.number, f"generation {generation.number} was asked for later")
                self.build(generation)
                return
            waited = (now - generation.requested).total_seconds()
            if generation.control and waited >= self._swap.topic_wait_seconds:
                advice = self._did_you_mean(generation.request.topics.values())
                self._life.move(generation.number, State.REJECTED, f"{what}{advice}")
            elif not generation.message.endswith(WAITING):
                log.warning("cannot be built yet", generation=generation.number, what=what)
                self._life.update(generation.number, message=f"{what}{WAITING}")

    def _not_there(self, topics: Iterable[str]) -> str:
        """Why these topics cannot be joined at the moment, in words; empty where they can."""
        try:
            with needed_to("READ"):
                missing = self._cluster.missing(topics)
        except Refused as refused:
            return refused.in_words
        what = f"the broker has no topic {' and no topic '.join(map(repr, missing))}"
        return f"{what}: create it, or name one that exists" if missing else ""

    def _did_you_mean(self, topics: Iterable[str]) -> str:
        """What may have been meant by those of the topics that are not there; empty where nothing is called alike."""
        there = self._cluster.topic_names()
        known = possible_sources(self._settings, there)
        found = [*dict.fromkeys(filter(None, (meant(topic, known) for topic in topics if topic not in there)))]
        return f". Did you mean {' and '.join(map(repr, found))}?" if found else ""

    def _build_what_is_begun(self) -> None:
        """A build that could not be begun, because the broker was gone or did not allow it, is begun again."""
        for generation in self._life.registry.in_state(*BUILDING):
            if not self._life.is_run(generation.number) and self._vitals.due(name_of(generation)):
                self.build(generation)

    def build(self, generation: Generation) -> None:
        """Start its queries. A message whose generation may not be built has failed; what settings ask for waits."""
        component = name_of(generation)
        try:
            self._life.build(generation.number, "" if generation.message.endswith(WAITING) else generation.message)
        except NoViewTopic as none:
            self._let_wait(generation, none.what)
        except (Refused, TopicMissing, NotAccepted) as trouble:
            if generation.control:
                self._life.move(generation.number, State.FAILED, trouble.in_words)
            elif isinstance(trouble, NotAccepted):
                raise
            else:
                self._vitals.tell(component, trouble)
                self._life.update(generation.number, message=trouble.in_words)
        else:
            self._vitals.over(component)

    def _let_wait(self, generation: Generation, what: str) -> None:
        """One that is asked for waits until a view topic is free; a message does not wait for ever."""
        waited = (datetime.now(UTC) - generation.requested).total_seconds()
        if generation.control and waited >= self._swap.build_timeout_seconds:
            self._life.move(generation.number, State.REJECTED, what)
        elif generation.message != f"{what}{WAITING}":
            log.warning("view topic is waited for", generation=generation.number, what=what)
            self._life.update(generation.number, message=f"{what}{WAITING}")


def name_of(generation: Generation) -> str:
    """The component that a generation is."""
    return f"generation {generation.number}"
