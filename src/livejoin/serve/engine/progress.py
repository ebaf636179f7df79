"""How far each generation has accounted for its sources, and how far the sources reach."""

from collections.abc import Callable, Iterable

from livejoin.errors import KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.model.declaration import Side
from livejoin.model.generation import Generation
from livejoin.model.judgement import judgement
from livejoin.model.table import SOURCE_PROGRESS
from livejoin.process.recurring import Recurring
from livejoin.process.worker import Worker
from livejoin.serve.engine.census import Census, Place
from livejoin.serve.engine.dead_letter_positions import DeadLetterPositions
from livejoin.serve.engine.engine import Engine
from livejoin.serve.engine.newest_events import NOTHING_YET, NewestEvents
from livejoin.serve.engine.view import GenerationView

REFRESH_SECONDS = 1.0
TIMEOUT_SECONDS = 2.0


class ProgressTeller(Worker):
    """Refreshes source_progress about once a second."""

    def __init__(
        self,
        engine: Engine,
        cluster: Cluster,
        rejected: DeadLetterPositions,
        views: Callable[[], Iterable[tuple[GenerationView, Generation]]],
    ) -> None:
        super().__init__("progress")
        self.broker = "the broker has not answered yet"
        """Why the broker does not answer; empty while it does."""
        self.sources = ""
        """Why the end of a source cannot be told; empty while it can."""
        self._engine = engine
        self._cluster = cluster
        self.rejected = rejected
        self._views = views
        self._census = Census(cluster)
        self._newest = NewestEvents(cluster)
        self._failures: dict[int, Recurring] = {}

    def _run(self) -> None:
        self._census.start()
        while not self._stop.is_set():
            self.broker = self._ask_broker()
            if not self.broker:
                views = list(self._views())
                self._census.keep({generation.number for _, generation in views})
                self._failures = {generation.number: self._failures_of(generation) for _, generation in views}
                self._newest.keep({topic for _, generation in views for topic in generation.request.topics.values()})
                self.sources = "; ".join(filter(None, (self._try(*one) for one in views)))
            self._stop.wait(REFRESH_SECONDS)
        self._census.stop()

    def _ask_broker(self) -> str:
        try:
            self._cluster.ping(TIMEOUT_SECONDS)
        except KafkaTrouble as trouble:
            return trouble.what
        return ""

    def _failures_of(self, generation: Generation) -> Recurring:
        """What nobody has expected, and has happened all the same."""
        known = self._failures.get(generation.number)
        return known or Recurring("progress is not refreshed", generation=generation.number)

    def _try(self, view: GenerationView, generation: Generation) -> str:
        failures = self._failures[generation.number]
        try:
            self._refresh(view, generation)
        except KafkaTrouble as trouble:
            return f"generation {generation.number}: {trouble.what}"
        except Exception as error:  # noqa: BLE001  it is logged
            failures.unexpected(error)
            return f"generation {generation.number}: source_progress cannot be written"
        failures.over()
        return ""

    def _refresh(self, view: GenerationView, generation: Generation) -> None:
        # Positions before ends: an event that arrives in between makes the lag too long for a second, never negative.
        positions = view.positions
        rows: dict[str, list[object]] = {name: [] for name in SOURCE_PROGRESS.fields}
        for side in Side:
            source, topic = generation.request.declaration.source(side).name, generation.request.topic_of(side)
            judged = judgement(generation, side)
            reach = self._cluster.watermarks(topic)
            newest = self._newest.look(topic, {partition: high for partition, (_, high) in reach.items()})
            for partition, (low, high) in sorted(reach.items()):
                rejected = self.rejected.of(judged, topic, partition)
                position = max(low, positions.get((side, partition), 0), rejected)
                begin = generation.source_starts.get(source, {}).get(partition, 0)
                place = Place(generation.number, topic, partition)
                position, absent = self._census.look(place, begin, position, high)
                written, arrived = newest.get(partition, NOTHING_YET)
                known = (source, topic, partition, begin, position, high, absent, written, arrived, None)
                for name, value in zip(rows, known, strict=True):
                    rows[name].append(value)
        with self._engine.context():
            view.tell_progress(rows)
