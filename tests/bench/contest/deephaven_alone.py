"""Deephaven by itself: its own consumer of Kafka, `last_by` on both sides and a join, as in its documentation.

Rows are seen inside its server, by a listener: what a subscribed client adds to that is not in its numbers.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from contest.contestant import Contestant, Sighting, below
from contest.events import WATCHED_PREFIX, Pair, Row
from ports import free_ports

START = "from contest.deephaven_alone import serve; serve()"


class DeephavenAlone(Contestant):
    """One process. `cycle_ms` is how far its update cycles are apart: 1,000 where nobody says otherwise."""

    seen_at = "a listener in its own process"

    def __init__(self, cycle_ms: int) -> None:
        self.name = f"Deephaven alone, {cycle_ms} ms"
        self.settings: Mapping[str, str] = {
            "PeriodicUpdateGraph.targetCycleDurationMillis": str(cycle_ms),
            "tables": "kc.consume(blink).last_by(userId) of both, users.natural_join(accounts, userId)",
            "-Xmx": "2g",
        }
        self._cycle = cycle_ms
        self._process: subprocess.Popen[str]

    def start(self, bootstrap: str, pair: Pair, folder: Path) -> None:
        """Returns at once."""
        folder.mkdir()
        asked = [bootstrap, pair.users, pair.accounts, self._cycle, free_ports(1)[0], folder]
        with (folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", START, *map(str, asked)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def rows(self) -> dict[str, Row] | None:
        """The first question is answered when the tables are there."""
        return {key: (user, account) for key, user, account in self._ask("rows")}

    def watch(self, seconds: float) -> list[Sighting]:
        """What its listener heard meanwhile."""
        self._ask("watch")
        time.sleep(seconds)
        return [Sighting(at, (at / 1_000 - moment) / 1_000) for at, moment in self._ask("heard")]

    def processes(self) -> list[psutil.Process]:
        """One, and what it has started."""
        return below(self._process.pid)

    def stop(self) -> None:
        """It has nothing to keep."""
        self._process.kill()
        self._process.communicate()

    def _ask(self, what: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()
        # Deephaven says something of its own when it starts.
        while not (line := self._process.stdout.readline()).startswith("["):
            assert self._process.poll() is None, "Deephaven has ended"
        return json.loads(line)


def serve() -> None:
    """Run in its process: answer what is asked over standard input."""
    bootstrap, users, accounts, cycle, port, folder = sys.argv[1:]
    out = sys.stdout
    from deephaven_server import Server, start_jvm

    start_jvm.start_jvm(
        jvm_args=["-Xmx2g", "-DAuthHandlers=io.deephaven.auth.AnonymousAuthenticationHandler"],
        jvm_properties={
            **start_jvm.DEFAULT_JVM_PROPERTIES,
            "http.host": "127.0.0.1",
            "PeriodicUpdateGraph.targetCycleDurationMillis": cycle,
            "deephaven.cacheDir": f"{folder}/cache",
            "deephaven.configDir": f"{folder}/config",
            "deephaven.dataDir": f"{folder}/data",
        },
    )
    Server(host="127.0.0.1", port=int(port)).start()
    from deephaven import dtypes, update_graph
    from deephaven import numpy as dhnp
    from deephaven.execution_context import get_exec_ctx
    from deephaven.stream.kafka import consumer as kc
    from deephaven.table import Table
    from deephaven.table_listener import TableUpdate, listen

    def newest(topic: str, columns: dict[str, Any]) -> Table:
        consumed = kc.consume(
            {"bootstrap.servers": bootstrap},
            topic,
            key_spec=kc.KeyValueSpec.IGNORE,
            value_spec=kc.json_spec(columns),
            table_type=kc.TableType.blink(),
            offsets=kc.ALL_PARTITIONS_SEEK_TO_BEGINNING,
        )
        return consumed.last_by("userId")

    text, long, double = dtypes.string, dtypes.int64, dtypes.double
    # Rows that come between the consumer and what keeps them would be lost.
    with update_graph.shared_lock(get_exec_ctx().update_graph):
        people = newest(users, {"userId": text, "name": text, "email": text, "age": long})
        money = newest(accounts, {"userId": text, "accountType": text, "balance": double})
    joined = people.natural_join(money, on="userId", joins=["accountType", "balance"])
    heard: list[tuple[int, int]] = []
    is_watched = threading.Event()

    def note(update: TableUpdate, _: bool) -> None:  # noqa: FBT001  the signature is Deephaven's
        at = time.time_ns()
        changes = (*update.added_chunks(10_000, ["userId", "age", "balance"]),)
        changes += (*update.modified_chunks(10_000, ["userId", "age", "balance"]),)
        if is_watched.is_set():
            for change in changes:
                for key, age, balance in zip(change["userId"], change["age"], change["balance"], strict=True):
                    if str(key).startswith(WATCHED_PREFIX):
                        heard.append((at, max(int(age), int(balance) if balance > 0 else 0)))

    handle = listen(joined, note)
    for line in sys.stdin:
        answer: list[Any] = []
        if line == "rows\n":
            columns = (dhnp.to_numpy(joined, [name])[:, 0] for name in ("userId", "age", "balance"))
            answer = [
                [str(key), int(age), int(balance) if balance > 0 else None]
                for key, age, balance in zip(*columns, strict=True)
            ]
        elif line == "watch\n":
            heard.clear()
            is_watched.set()
        else:
            is_watched.clear()
            answer = [*heard]
        out.write(json.dumps(answer) + "\n")
        out.flush()
    handle.stop()
