"""The image: what it is built from is there, and how it asks whether livejoin is alive."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from delivered import DEPLOY, PATHS, ROOT, VARIABLE, commands, understood, unknown
from livejoin.pipeline.control import standby
from livejoin.settings.settings import Settings

CONTAINER = DEPLOY / "container"
FILE = CONTAINER / "Containerfile"
ALIVE = CONTAINER / "alive.py"
MADE = ("dist",)
"""By `make release`, and not checked in."""


def instructions() -> list[tuple[str, str]]:
    """Each instruction of the Containerfile with what it is told, in one line."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def told(name: str) -> list[str]:
    """What every instruction of that name is told, from the top to the bottom."""
    return [rest for each, rest in instructions() if each == name]


def test_what_is_copied_is_there_and_not_ignored() -> None:
    """From the checkout, or from what `make release` makes; what is not named in the ignore file would be missing."""
    lines = (CONTAINER / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines
    let_in = [line.removeprefix("!") for line in lines if line.startswith("!")]
    sources = [word for rest in told("COPY") if "--from" not in rest for word in rest.split()[:-1] if "--" not in word]
    assert sorted(sources) == ["deploy/container/alive.py", "dist/", "requirements/"]
    for source in sources:
        assert source.startswith(MADE) or (ROOT / source).exists()
        assert any(entry.startswith(source) for entry in let_in)
    assert not [entry for entry in let_in if not entry.startswith(MADE) and not (ROOT / entry).is_file()]
    assert "SHA256SUMS" in (ROOT / "tools/release").read_text(encoding="utf-8")


def test_it_runs_as_nobody_in_particular_and_writes_where_it_may() -> None:
    """A number, so that Kubernetes can see that it is not root; and two folders that are volumes."""
    assert told("USER") == ["10001:10001"]
    assert json.loads(told("VOLUME")[0]) == ["/data", "/tmp"]  # noqa: S108  a volume
    assert json.loads(told("ENTRYPOINT")[0]) == ["/usr/bin/tini", "--", "livejoin"]
    assert json.loads(told("CMD")[0]) == ["--help"]
    assert instructions().index(("USER", "10001:10001")) > max(
        number for number, (name, _) in enumerate(instructions()) if name in ("RUN", "COPY")
    )


def test_settings_ports_and_commands_are_those_that_there_are() -> None:
    """A variable that is no setting would change nothing, and nobody would be told."""
    assert set(told("EXPOSE")[0].split()) == {str(Settings().web.port), str(Settings().pipeline.port)}
    unknown(VARIABLE.findall(FILE.read_text(encoding="utf-8")))
    for command in re.findall(r"/opt/livejoin/bin/livejoin ((?:[\w/-]+ ?)+)", " ".join(told("RUN"))):
        understood(command.split())
    assert re.search(r'CMD \["livejoin-alive"\]$', told("HEALTHCHECK")[0])
    assert "livejoin-alive" in " ".join(told("COPY"))
    assert {"pipeline", "serve", "jars", "demo"} <= set(commands())


def test_the_lock_is_what_is_installed_and_checked() -> None:
    """Versions and checksums of the lock hold for the dependencies of the wheel; its own sum is looked at as well."""
    run = " ".join(told("RUN"))
    assert "--constraints requirements/lock.txt dist/livejoin-*.whl" in run
    assert "--require-hashes --requirement requirements/uv.txt" in run
    assert "sha256sum --check --ignore-missing SHA256SUMS" in run


@dataclass
class Process:
    """What some livejoin answers, by path."""

    answers: dict[str, tuple[int, object]] = field(default_factory=dict)
    port: int = 0


@contextmanager
def answering(answers: dict[str, tuple[int, object]]) -> Iterator[Process]:
    """A process that answers so, at a port of its own."""
    process = Process(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = process.answers.get(self.path, (404, {}))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    process.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield process
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def nobody() -> int:
    """A port at which nobody answers."""
    with answering({}) as process:
        return process.port


def asked(web: int, pipeline: int, *options: str) -> tuple[int, str]:
    """What it says where a table server and a pipeline would be at these ports."""
    variables = {"LIVEJOIN_WEB__PORT": str(web), "LIVEJOIN_PIPELINE__PORT": str(pipeline)}
    done = subprocess.run(
        [sys.executable, "-ISE", str(ALIVE), *options],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert not done.stderr
    return done.returncode, done.stdout


def test_somebody_has_to_be_alive(nobody: int) -> None:
    """Whichever of the two runs in the container."""
    assert asked(nobody, nobody) == (1, "nobody answers\n")
    with answering({"/livez": (200, {"alive": True, "reason": ""})}) as one:
        assert asked(one.port, nobody) == (0, "")
        assert asked(nobody, one.port) == (0, "")
        one.answers["/livez"] = (503, {"alive": False, "reason": "it has ended"})
        assert asked(nobody, one.port) == (1, f"{one.port}: it has ended\n")
        one.answers["/livez"] = (500, "")
        assert asked(one.port, nobody) == (1, f"{one.port}: status 500\n")


def test_both_have_to_be_alive_where_both_run() -> None:
    """`livejoin up` in one container."""
    with answering({"/livez": (200, {})}) as web, answering({"/livez": (503, {"reason": "it has ended"})}) as pipeline:
        assert asked(web.port, pipeline.port) == (1, f"{pipeline.port}: it has ended\n")


def test_one_that_stands_by_is_ready(nobody: int) -> None:
    """In the words that the pipeline has for it; one that is still getting ready is not."""
    with answering({"/readyz": (503, {"reason": "standing by: host/1/ab writes"})}) as pipeline:
        assert asked(nobody, pipeline.port, "--ready") == (0, f"{pipeline.port}: standing by: host/1/ab writes\n")
        pipeline.answers["/readyz"] = (503, {"reason": "getting ready to stand by: host/1/ab writes"})
        assert asked(nobody, pipeline.port, "--ready")[0] == 1
        pipeline.answers["/readyz"] = (200, {"reason": ""})
        assert asked(nobody, pipeline.port, "--ready") == (0, "")
    # The sentence is the pipeline's own.
    told_by_it = Path(standby.__file__).read_text(encoding="utf-8")
    assert '"standing by: {epoch.writer} writes"' in told_by_it
    assert 'STANDBY = "standing by: "' in ALIVE.read_text(encoding="utf-8")
    assert set(re.findall(r'"(/\w+z)"', ALIVE.read_text(encoding="utf-8"))) == {"/readyz", "/livez"} <= PATHS
