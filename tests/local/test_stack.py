"""When a service of `livejoin up` is ready, and what is said while it is not."""

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from livejoin.cli import up as command
from livejoin.cli.up import Up
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.stack import Service, Stack
from livejoin.local.supervise.child import Child
from livejoin.secrecy.broker_password import make_password
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from ports import free_ports


@contextmanager
def answering(told: dict[str, dict[str, Any]]) -> Iterator[int]:
    """The port of a server that answers these paths with what is told, and 503; others with nothing useful."""

    class Told(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(told[self.path]).encode() if self.path in told else b"<p>"
            self.send_response(503)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Told)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def settings_at(folder: Path, port: int) -> Settings:
    """With the page at this port, and nobody at the pipeline's."""
    [pipeline] = free_ports(1)
    return load_settings(None, {"data_dir": folder, "web": {"port": port}, "pipeline": {"port": pipeline}})


def test_the_table_server_is_ready_when_its_engine_is(tmp_path: Path) -> None:
    """Not when the page is, which is there much earlier; no matter what else is not well yet."""
    components = {"engine": "starting", "broker": "no"}
    with answering({"/healthz": {"ok": False, "components": components}}) as port:
        service = Stack(settings_at(tmp_path, port), []).tables()
        assert not service.is_ready()
        components["engine"] = "ok"
        assert service.is_ready()


def test_what_a_pipeline_waits_for_is_told_in_its_words_or_the_servers(tmp_path: Path) -> None:
    """Before any of them says something, it is Spark that starts."""
    told: dict[str, dict[str, Any]] = {}
    with answering(told) as port:
        waits_for = Stack(settings_at(tmp_path, port), []).pipeline().waits_for
        assert waits_for() == "Spark starts"
        told["/readyz"] = {"ready": False, "reason": "no generation is live yet"}
        assert waits_for() == "no generation is live yet"


def test_secrets_of_the_environment_reach_those_who_need_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys reach the table server alone, also as a whole section; the broker is told nothing of the settings."""
    given = {
        "LIVEJOIN_ACCESS__KEY": "hunter2 hunter2 hunter2",
        "LIVEJOIN_ACCESS": '{"key": "hunter2 hunter2 hunter2"}',
        "LIVEJOIN_KAFKA__SASL_PASSWORD": "hunter3",
        "PLAIN": "1",
    }
    make_password(tmp_path)
    stack = Stack(load_settings(None, {"data_dir": tmp_path}), [])
    for name, text in given.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setattr(EmbeddedKafka, "prepare", lambda _: ["kafka"])

    def reaches(service: Service) -> set[str]:
        assert service.child.env is not None
        return given.keys() & service.child.env.keys()

    assert reaches(stack.tables()) == given.keys()
    assert reaches(stack.pipeline()) == reaches(stack.demo()) == {"LIVEJOIN_KAFKA__SASL_PASSWORD", "PLAIN"}
    assert reaches(stack.broker()) == {"PLAIN"}


def test_what_takes_long_is_told_of_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And no longer when it is ready."""
    monkeypatch.setattr(command, "PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    child = Child("slow", ["sleep", "60"], tmp_path / "slow.log", grace=0.1)
    looks = iter([False] * 7 + [True])
    settings = load_settings(None, {"data_dir": tmp_path})
    run = Up(settings, Stack(settings, []), [], with_demo=False)
    monkeypatch.setattr(run, "_start_broker", lambda: None)
    monkeypatch.setattr(
        run,
        "_start_others",
        lambda: run._start(Service(child, lambda: next(looks), "it is", lambda: "its turn")),  # noqa: SLF001
    )
    monkeypatch.setattr(run, "_welcome", lambda: setattr(run, "_asked_to_stop", True))
    run.run()
    said = capsys.readouterr().out
    assert said.count("still starting: its turn") >= 2
    assert "ready after" in said.splitlines()[-3]
