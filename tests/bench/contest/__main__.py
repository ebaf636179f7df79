"""Run the contest; the numbers of docs/benchmarks.md.

    make bench-quick                              # the first rows of the table, in about ten minutes
    PYTHONPATH=tests/support:tests/bench .venv/bin/python -m contest [--backlog 2000000] [--keys 100000] ...

Everything runs on this machine: broker, sender, contestants, clients. Results are written to `.cache/contest/`, as JSON
and as plots.
"""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psutil

from contest.contestant import Contestant
from contest.deephaven_alone import DeephavenAlone
from contest.events import Pair, Sent, fill
from contest.kafka_streams import KafkaStreams
from contest.livejoin_stack import Livejoin
from contest.phases import Measured, catching_up, live, painted
from contest.plots import delay_plot, duration_plot
from contest.stage import Stage, stage

BATCH = "15 seconds"
"""Of Real-Time Mode, where its boundaries are looked at: by default there is one every ten minutes."""
WHO: dict[str, Callable[[], Contestant]] = {
    "livejoin": Livejoin,
    "deephaven": lambda: DeephavenAlone(30),
    "streams": KafkaStreams,
}
BUSY = 0.15
"""So many processors that are busy with something else are worth a word."""


def main() -> None:
    """Measure everybody who is asked for, and write down what was seen."""
    asked = _asked()
    results: dict[str, list[Measured]] = {}
    with tempfile.TemporaryDirectory() as folder, stage(Path(folder)) as on:
        backlog, recent = Pair("backlog", asked.keys), Pair("live", asked.live_keys, asked.watched)
        for pair in (backlog, recent):
            pair.create(on.bootstrap)
        behind = fill(on.bootstrap, backlog, asked.backlog) if asked.backlog else Sent()
        known = fill(on.bootstrap, recent, 2 * recent.keys)
        contestants = [WHO[name]() for name in asked.who.split(",")]
        if asked.before:
            contestants.insert(0, Livejoin("livejoin before", f"{asked.before}/.venv/bin/python"))
        for contestant in contestants:
            found = results.setdefault(contestant.name, [])
            if behind.events:
                _tell(contestant, found, catching_up(contestant, on, backlog, behind))
            _live_phases(contestant, on, recent, known, asked, found)
        if "livejoin" in results and asked.boundaries:
            _boundaries(on, recent, known, asked, results["livejoin"])
    _write(asked, contestants, results)


def _live_phases(
    contestant: Contestant, on: Stage, pair: Pair, known: Sent, asked: argparse.Namespace, found: list[Measured]
) -> None:
    contestant.start(on.bootstrap, pair, on.room("live"))
    try:
        contestant.await_complete(known)
        # Java compiles meanwhile; what this costs is told, too.
        warm_up = live(contestant, on, pair, known, 1_000, asked.warm_up, phase="warm-up, 1000 events/s")
        _tell(contestant, found, warm_up)
        for rate in (1_000, 200):
            _tell(contestant, found, live(contestant, on, pair, known, rate, asked.seconds))
        if isinstance(contestant, Livejoin) and asked.painted:
            _tell(contestant, found, painted(contestant, on, pair, known, 1_000, asked.seconds))
    finally:
        contestant.stop()


def _boundaries(on: Stage, pair: Pair, known: Sent, asked: argparse.Namespace, found: list[Measured]) -> None:
    contestant = Livejoin(**{"spark.batch": BATCH})
    contestant.start(on.bootstrap, pair, on.room("boundaries"))
    try:
        contestant.await_complete(known)
        live(contestant, on, pair, known, 500, asked.warm_up)
        phase = f"500 events/s, a boundary every {BATCH}"
        _tell(contestant, found, live(contestant, on, pair, known, 500, max(45.0, asked.seconds), phase=phase))
    finally:
        contestant.stop()


def _tell(contestant: Contestant, found: list[Measured], measured: Measured) -> None:
    found.append(measured)
    parts = [f"{measured.seconds:.1f} s", f"{measured.processor_seconds:.1f} s of processors"]
    parts.append(f"{measured.memory_mb:.0f} MB")
    if measured.delays:
        known = (*measured.delays.percentiles.items(), ("max", measured.delays.longest))
        parts.append(", ".join(f"{name} {value:.0f}" for name, value in known) + " ms")
        parts.append(f"{measured.delays.seen} seen")
    else:
        parts.append(f"{measured.events / measured.seconds:,.0f} events/s")
    if measured.others > BUSY:
        parts.append(f"others used {measured.others:.1f} processors: do not believe it")
    sys.stdout.write(f"{contestant.name}: {measured.phase}: {'; '.join(parts)}\n")
    sys.stdout.flush()


def _write(asked: argparse.Namespace, contestants: list[Contestant], results: dict[str, list[Measured]]) -> None:
    folder = Path(asked.results)
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(["python -m contest", *sys.argv[1:]]),
        "machine": {
            "processors": psutil.cpu_count(),
            "memory_mb": round(psutil.virtual_memory().total / 1e6),
            "system": platform.platform(),
        },
        "contestants": [
            {
                "name": one.name,
                "seen_at": one.seen_at,
                "settings": dict(one.settings),
                "phases": [measured.plain() for measured in results[one.name]],
            }
            for one in contestants
        ],
    }
    (folder / "results.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    (folder / "delays.svg").write_text(delay_plot(results), encoding="utf-8")
    (folder / "catching-up.svg").write_text(duration_plot(results), encoding="utf-8")
    sys.stdout.write(f"results are in {folder}\n")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--who", default="livejoin,deephaven,streams")
    parser.add_argument("--before", help="another checkout, which is set up: what was before a change")
    parser.add_argument("--backlog", type=int, default=2_000_000, help="events to catch up with; 0 leaves it out")
    parser.add_argument("--keys", type=int, default=100_000, help="keys of the backlog")
    parser.add_argument("--live-keys", type=int, default=10_000)
    parser.add_argument("--watched", type=int, default=500, help="keys of them that are looked at")
    parser.add_argument("--warm-up", type=float, default=30.0)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--painted", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--boundaries", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--results", default=".cache/contest")
    return parser.parse_args()


if __name__ == "__main__":
    main()
