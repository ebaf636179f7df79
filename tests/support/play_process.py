"""The orchestrator of play.py in a process of its own, so that a test can kill it. Reads its settings as JSON."""

import json
import signal
import sys
from threading import Event
from unittest.mock import patch

from livejoin.kafka.cluster import Cluster
from livejoin.pipeline.control import letters, runner
from livejoin.pipeline.control.orchestrator import Orchestrator
from livejoin.settings.loader import load_settings
from play import Letters, Queries


def main(overrides: str) -> None:
    """Run until told to stop."""
    settings = load_settings(None, json.loads(overrides))
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    Queries.open_gates()
    with patch.object(runner, "JoinQuery", Queries), patch.object(letters, "LetterQuery", Letters):
        Orchestrator(settings, Cluster(settings.kafka_client), None).run(stop)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(sys.argv[1])
