"""What a pipeline tells about its generations and its control messages, read from what the orchestrator knows."""

from collections.abc import Callable, Iterator, Mapping

from livejoin.model.control_message import Verdict
from livejoin.model.generation import Generation, State
from livejoin.model.registry import Registry
from livejoin.monitor.metric import Sample, counter, gauge

CURRENT = gauge("livejoin_generation", "The number of the generation that is shown; 0 while there is none.")
LIVE = gauge(
    "livejoin_generation_live", "1 while the generation that is shown is live; 0 while it recovers, or there is none."
)
STATES = gauge("livejoin_generations", "Generations in each state (docs/generations.md).", "state")
INFO = gauge(
    "livejoin_generation_info",
    "Always 1; the labels say what the shown generation is made of.",
    "left_topic",
    "right_topic",
    "join",
)
APPLIED = gauge("livejoin_generation_applied_timestamp_seconds", "When the tables flipped to the shown generation.")
BACKFILL_DONE = gauge("livejoin_backfill_done_events", "Events that the backfill under way has done.")
BACKFILL_TOTAL = gauge("livejoin_backfill_total_events", "Events that the backfill under way has to do.")
MESSAGES = counter("livejoin_control_messages_total", "Control messages, by their verdict.", "verdict")
METRICS = (CURRENT, LIVE, STATES, INFO, APPLIED, BACKFILL_DONE, BACKFILL_TOTAL, MESSAGES)


def pipeline_figures(
    registry: Callable[[], Registry], verdicts: Mapping[Verdict, int]
) -> Callable[[], Iterator[Sample]]:
    """Reads them."""

    def read() -> Iterator[Sample]:
        known = registry()
        yield from _generations(known.live, list(known.generations.values()))
        for verdict in Verdict:
            yield MESSAGES(verdicts.get(verdict, 0), verdict.value)

    return read


def _generations(shown: Generation | None, known: list[Generation]) -> Iterator[Sample]:
    yield CURRENT(shown.number if shown else 0)
    yield LIVE(shown is not None and shown.state is State.LIVE)
    for state in State:
        yield STATES(sum(generation.state is state for generation in known), state.value)
    if shown is not None:
        yield INFO(1, *shown.request.choice)
        if shown.applied is not None:
            yield APPLIED(shown.applied.timestamp())
    under_way = [generation.progress for generation in known if generation.progress is not None]
    yield BACKFILL_DONE(sum(progress.done for progress in under_way))
    yield BACKFILL_TOTAL(sum(progress.total for progress in under_way))
