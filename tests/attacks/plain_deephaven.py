"""The control: Deephaven with its own server, a key and a disabled console, as many a server runs it.

What an attack does here shows that the attack is one. It runs in a process of its own and listens on loopback.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import grpc  # type: ignore[import-untyped]  # without stubs
from pyarrow import flight  # type: ignore[import-untyped]  # without stubs
from pydeephaven import Session

KEY = "the-key-of-the-control"
PSK = "io.deephaven.authentication.psk.PskAuthenticationHandler"
APPLICATION = "livejoin"
NOTES = "notes"
"""A table with one column of texts, `text`."""
TICKS = "ticks"
"""A table that gets a row every 50 ms."""
START = "from tests.attacks.plain_deephaven import serve; serve()"
ROOT = Path(__file__).parents[2]
_DESCRIPTOR = f"""\
type=script
scriptType=python
enabled=true
id={APPLICATION}
name={APPLICATION}
file_0=application.py
"""
_SCRIPT = "import tests.attacks.plain_deephaven as control; control.adopt_application()\n"
_adopted: list[Any] = []


class PlainDeephaven:
    """The process. Whoever makes it ends it."""

    host = "127.0.0.1"

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.log = folder / "deephaven.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, str(folder), str(port)],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def await_start(self) -> None:
        """Return when it can be asked."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line == "done: start\n":
                return
        raise AssertionError(self.log.read_text(encoding="utf-8"))

    def kill(self) -> None:
        """End it."""
        self.process.kill()
        self.process.communicate()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"{self.host}:{self.port}"

    def session(self) -> Session:
        """The session of somebody who has the key. Whoever asks closes it."""
        return Session(host=self.host, port=self.port, auth_type=PSK, auth_token=KEY)

    def channel(self) -> grpc.Channel:
        """A connection of somebody who has nothing. Whoever asks closes it."""
        return grpc.insecure_channel(self.address)


def read_without_login(address: str, token: bytes) -> list[str]:
    """The texts of NOTES, read by nothing but a token."""
    options = flight.FlightCallOptions(headers=[(b"authorization", token)])
    with flight.connect(f"grpc://{address}") as client:
        texts: list[str] = client.do_get(flight.Ticket(ticket(NOTES)), options).read_all().to_pydict()["text"]
        return texts


def ticket(name: str) -> bytes:
    """The ticket of a table of the application."""
    return f"a/{APPLICATION}/f/{name}".encode()


def serve() -> None:
    """Run in the process."""
    from deephaven_server import Server, start_jvm

    # Deephaven takes the stream over when it starts.
    folder, port, out = Path(sys.argv[1]), int(sys.argv[2]), sys.stdout
    with tempfile.TemporaryDirectory() as application:
        Path(application, "livejoin.app").write_text(_DESCRIPTOR, encoding="utf-8")
        Path(application, "application.py").write_text(_SCRIPT, encoding="utf-8")
        start_jvm.start_jvm(
            jvm_args=["-Xmx400m", "-XX:-UseStringDeduplication", "-XX:+ExitOnOutOfMemoryError"],
            jvm_properties={
                **start_jvm.DEFAULT_JVM_PROPERTIES,
                "authentication.psk": KEY,
                "http.host": PlainDeephaven.host,
                "deephaven.console.disable": "true",
                "deephaven.application.dir": application,
                "deephaven.cacheDir": str(folder / "cache"),
                "deephaven.configDir": str(folder / "config"),
                "deephaven.dataDir": str(folder / "data"),
                "PeriodicUpdateGraph.targetCycleDurationMillis": "20",
            },
        )
        Server(host=PlainDeephaven.host, port=port).start()
    out.write("done: start\n")
    out.flush()
    sys.stdin.read()


def adopt_application() -> None:
    """Called by the application's script: what it exports is all that a visitor should be able to have."""
    from deephaven import new_table, time_table
    from deephaven.appmode import get_app_state
    from deephaven.column import string_col

    state = get_app_state()  # type: ignore[no-untyped-call]
    state[NOTES] = new_table([string_col("text", ["of the control", "a" * 28])])
    state[TICKS] = time_table("PT0.05s").update("text = `a`")
    _adopted.append(state)
