"""A real Deephaven whose tables come and change when a test says so, in a process of its own.

It is started as livejoin starts its own, behind the same door, and has no broker and no pipeline behind it.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from livejoin.http.health import Health
from livejoin.http.server import listen
from livejoin.model.column import ColumnType
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Table, TableColumn
from livejoin.serve.door.catalogue import Served
from livejoin.serve.engine.engine import start_engine
from livejoin.serve.http.web import Web
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

MOMENT = 1_715_934_600_000_000_000
"""2024-05-17T08:30:00Z."""
SECOND = 1_000_000_000
MANY = 10_000_000
FEW = 10_000
"""As many as can be sorted while a test waits."""
STALL_SECONDS = 1.0
AMOUNTS = 7
"""As many different amounts there are in `log`."""
START = "from changing_tables import serve; serve()"
"""Not a script, so that this module is known by its name."""


class ChangingTables:
    """The process, which does one thing per word. A context manager: leaving it ends the process."""

    def __init__(self, data_dir: Path, port: int, origins: list[str]) -> None:
        self.settings = _settings(data_dir, port, origins)
        self._log = data_dir.parent / "changing_tables.log"

    def __enter__(self) -> "ChangingTables":
        """Start it; there are `early`, `moments`, `log`, the status, and the tables of the page with MANY rows."""
        origins = self.settings.web.origins
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", START, str(self.settings.data_dir), str(self.settings.web.port), *origins],
                cwd=Path(__file__).parent,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._await_done("start")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()

    def say(self, word: str) -> None:
        """Return when it has happened."""
        assert self._process.stdin
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        self._await_done(word)

    def _await_done(self, word: str) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line == f"done: {word}\n":
                return
        raise AssertionError(self._log.read_text(encoding="utf-8"))


def _settings(data_dir: Path, port: int, origins: list[str]) -> Settings:
    web = {"port": port, "origins": origins}
    return load_settings(None, {"data_dir": data_dir, "server": {"heap": "400m"}, "web": web})


def serve() -> None:
    """Run in the process: start the engine and do what is said."""
    data_dir, port, *origins = sys.argv[1:]
    settings = _settings(Path(data_dir), int(port), origins)
    web = Web(settings, listen(settings.web.host, settings.web.port), Health)
    web.start()
    engine = start_engine(settings)
    from deephaven import dtypes, empty_table, input_table, new_table, update_graph
    from deephaven.column import long_col, string_col

    from livejoin.serve.engine.exports import Exports
    from livejoin.serve.engine.lookout import LookedAt

    texts = input_table(col_defs={"userId": dtypes.string, "text": dtypes.string}, key_cols="userId")

    def write(user: str, text: str) -> None:
        texts.add(new_table([string_col("userId", [user]), string_col("text", [text])]))

    def come() -> None:
        write("first", "41")
        table = texts.update(["age = Long.parseLong(text)"]).drop_columns("text")
        serve_too("late", table, userId="string", age="long")

    def change() -> None:
        columns: list[Any] = [string_col("userId", ["second"]), string_col("name", ["Ada"]), long_col("visits", [7])]
        serve_too("late", new_table(columns), userId="string", name="string", visits="long")

    def fail() -> None:
        write("broken", "not a number")

    log = input_table(col_defs={"userId": dtypes.string, "amount": dtypes.long}, key_cols="userId")

    def add(first: str, end: str) -> None:
        numbers = range(int(first), int(end))
        users = string_col("userId", [f"u{number}" for number in numbers])
        log.add(new_table([users, long_col("amount", [number % AMOUNTS for number in numbers])]))

    def remove(*users: str) -> None:
        log.delete(new_table([string_col("userId", list(users))]))

    moments = new_table(
        [
            string_col("userId", ["a", "b", "c", "d"]),
            string_col("name", ["", "Ada", None, "a.*\\E"]),
            long_col("nanos", [MOMENT, MOMENT + 1, MOMENT + 2, MOMENT + 1_000_000]),
        ]
    )
    many = empty_table(MANY).view(["userId = `u` + ii", "balance = ii / 4"])

    def stall() -> None:
        with update_graph.exclusive_lock(engine.update_graph):
            time.sleep(STALL_SECONDS)
            # No cycle can have begun meanwhile, and that is what health looks at.
            assert exports.cycle_age >= STALL_SECONDS

    words: dict[str, Callable[..., None]] = {
        "come": come,
        "change": change,
        "fail": fail,
        "stall": stall,
        "add": add,
        "remove": remove,
    }
    status = new_table([long_col("generation", [1])])
    exports = Exports(engine, web.door)
    followed, tables = exports.follow(status), {}

    def put(served: str, table: Any, /, **columns: str) -> None:
        declared = tuple(TableColumn(column, ColumnType.named(of), column) for column, of in columns.items())
        tables[served] = Served(Table(served, declared), LookedAt(table, followed))

    def serve_too(served: str, table: Any, /, **columns: str) -> None:
        put(served, table, **columns)
        exports.serve(DEFAULT, tables.values())

    put("orchestrator_status", status, generation="long")
    put("early", new_table([string_col("userId", ["zeroth"])]), userId="string")
    few = empty_table(FEW).view(["userId = `u` + ii", "balance = ii / 4", f"at = {MOMENT}L + {SECOND}L * ii"])
    put("users_ui", few, userId="string", balance="double", at="timestamp")
    put("accounts_ui", few.view(["userId", "balance"]), userId="string", balance="double")
    put("final_ui", many, userId="string", balance="double")
    put("log", log, userId="string", amount="long")
    at = moments.view(["userId", "name", "at = nanos"])
    serve_too("moments", at, userId="string", name="string", at="timestamp")
    _say_done("start")
    for line in sys.stdin:
        word, *details = line.split()
        words[word](*details)
        _say_done(line.strip())


def _say_done(word: str) -> None:
    sys.stdout.write(f"done: {word}\n")
    sys.stdout.flush()
