"""What happens once and has to be counted when it does: swaps that end, and queries that are started again."""

from collections import Counter
from collections.abc import Iterable

from prometheus_client import CollectorRegistry

from livejoin.model.control_message import Verdict
from livejoin.model.generation import Generation, State
from livejoin.monitor.metric import Reading, Sample, counter, histogram

SWAPS = histogram(
    "livejoin_swap_seconds",
    "Generations that were asked for, by what became of them (live, rejected, superseded, failed), and the time from "
    "the request to that. One that is brought back is not built, and not counted here.",
    "result",
    buckets=(1, 2, 5, 10, 30, 60, 300, 1800),
)
RESTARTS = counter(
    "livejoin_query_restarts_total",
    "How often the queries of a generation were started again, because one had died, a topic had changed or the broker "
    "was gone.",
)
METRICS = (SWAPS, RESTARTS)

REMEMBERED = 1_000
_BUILT = State.LOADING
_ENDS = frozenset({State.REJECTED, State.SUPERSEDED, State.FAILED})


class Counts:
    """Counts while a pipeline runs. Any thread may call it."""

    def __init__(self) -> None:
        self._swaps = SWAPS.histogram(*sorted({State.LIVE, *_ENDS}))
        self.verdicts: Counter[Verdict] = Counter()
        """How many control messages were judged, since this process began."""
        self._restarts = 0
        self._started: set[int] = set()

    def moved(self, before: Generation, after: Generation) -> None:
        """A generation is in another state."""
        is_built = before.state is _BUILT and after.state is State.LIVE
        if is_built or after.state in _ENDS:
            self._swaps.labels(after.state.value).observe((after.since - after.requested).total_seconds())

    def started(self, generation: int) -> None:
        """The queries of a generation are being started."""
        self._restarts += generation in self._started
        # Those that are long gone are not started again.
        self._started = {number for number in self._started if number > generation - REMEMBERED} | {generation}

    def expose_in(self, registry: CollectorRegistry) -> None:
        """Let a registry have them."""
        registry.register(self._swaps)
        registry.register(Reading((RESTARTS,), self._read))

    def _read(self) -> Iterable[Sample]:
        yield RESTARTS(self._restarts)
