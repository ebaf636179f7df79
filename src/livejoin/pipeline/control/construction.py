"""From a generation that is asked for to queries that run: what it needs is there, is waited for, or is told."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime

import structlog

from livejoin.errors import NotAccepted, Refused, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import needed_to
from livejoin.model.generation import BUILDING, OVER, Generation, State
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
        self._to_begin: set[int] = set()
        """The generations whose queries were to be started and are not yet."""

    def go_on(self) -> None:
        """Begin what can be begun, and give up what was not built in time."""
        self._look_for_topics()
        self._begin_what_waits()
        timeout = self._swap.build_timeout_seconds
        for generation in self._life.registry.in_state(*BUILDING):
            if generation.control and self._waited(generation) > timeout:
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
        self._topics_due = time.monotonic() + min(LONGEST_LOOK_SECONDS, self._waited(requested[-1]) / 10)
        for generation in reversed(requested):
            what = self._not_there(generation.request.topics.values()) or self._life.lacks_slots(generation)
            if not what:
                self.supersede(generation.number, f"generation {generation.number} was asked for later")
                self.build(generation)
                return
            if generation.control and self._waited(generation) >= self._swap.topic_wait_seconds:
                advice = self._did_you_mean(generation.request.topics.values())
                self._life.move(generation.number, State.REJECTED, f"{what}{advice}")
            elif not generation.message.endswith(WAITING):
                log.warning("cannot be built yet", generation=generation.number, what=what)
                self._life.update(generation.number, message=f"{what}{WAITING}")

    def _waited(self, generation: Generation) -> float:
        """Since when it is asked for, in seconds: while no pipeline ran, no time has passed for it."""
        return (datetime.now(UTC) - max(generation.requested, self._started)).total_seconds()

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

    def _begin_what_waits(self) -> None:
        """What could not be begun, because the broker was gone or did not allow it, is begun again.

        What is over by then has no trouble any more.
        """
        for number in sorted(self._to_begin):
            generation = self._life.registry.generations.get(number)
            if generation is None or generation.state in OVER:
                self._to_begin.discard(number)
                self._vitals.over(name_of(number))
            elif generation.state is not State.REQUESTED and self._vitals.due(name_of(number)):
                self.build(generation)

    def build(self, generation: Generation) -> None:
        """Start its queries. A message whose generation may not be built has failed; everything else waits."""
        component = name_of(generation.number)
        self._to_begin.add(generation.number)
        try:
            self._life.build(generation.number, "" if generation.message.endswith(WAITING) else generation.message)
        except NoViewTopic as none:
            self._let_wait(generation, none.what)
        except (Refused, TopicMissing, NotAccepted) as trouble:
            state = self._life.registry.of(generation.number).state
            if generation.control and state in BUILDING:
                self._life.move(generation.number, State.FAILED, trouble.in_words)
            elif generation.control and state is State.REQUESTED:
                self._life.move(generation.number, State.REJECTED, trouble.in_words)
            elif isinstance(trouble, NotAccepted):
                raise
            else:
                self._vitals.tell(component, trouble)
                self._life.update(generation.number, message=trouble.in_words)
        else:
            self._to_begin.discard(generation.number)
            self._vitals.over(component)

    def _let_wait(self, generation: Generation, what: str) -> None:
        """One that is asked for waits until a view topic is free; a message does not wait for ever."""
        if generation.control and self._waited(generation) >= self._swap.build_timeout_seconds:
            self._life.move(generation.number, State.REJECTED, what)
        elif generation.message != f"{what}{WAITING}":
            log.warning("view topic is waited for", generation=generation.number, what=what)
            self._life.update(generation.number, message=f"{what}{WAITING}")


def name_of(number: int) -> str:
    """The component that a generation is."""
    return f"generation {number}"
