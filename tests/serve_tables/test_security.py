"""What nobody may do at a table server, and what nobody may learn from it."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from pydeephaven import DHError, Session
from pydeephaven.ticket import ScopeTicket

from conftest import free_ports
from livejoin.errors import TableServerGone, TableServerRefused
from livejoin.key import server_key
from livejoin.schema import TABLES
from livejoin.table_client import connect
from table_server import ServeProcess, fetch


def test_a_wrong_key_is_refused_and_no_server_is_said(served: ServeProcess) -> None:
    """Each failure says what to do."""
    server = served.settings.server
    wrong = served.settings.model_copy(update={"data_dir": served.settings.data_dir.parent / "other"})
    with pytest.raises(TableServerRefused) as refused, connect(wrong):
        pass
    assert str(wrong.data_dir / "key") in refused.value.do
    nobody = served.settings.model_copy(update={"server": server.model_copy(update={"port": free_ports(1)[0]})})
    with pytest.raises(TableServerGone), connect(nobody):
        pass


def test_a_key_holder_gets_tables_and_nothing_else(session: Session) -> None:
    """No console, no names of the server's program, no writing into what is exported."""
    with pytest.raises(DHError):
        session.run_script("print(1)")
    for name in ("sys", "main", "__builtins__", "engine", "final_ui"):
        with pytest.raises(DHError):
            session.fetch_table(ScopeTicket.scope_ticket(name))  # type: ignore[arg-type]
    status = fetch(session, "orchestrator_status")
    fields = set(session.exportable_objects)
    assert fields == {table.name for table in TABLES}
    with pytest.raises(DHError):
        status.update(['x = System.getProperty("authentication.psk")']).to_arrow()


def test_the_key_is_in_no_output_no_argument_and_no_environment(served: ServeProcess) -> None:
    """Whoever reads logs or lists processes does not learn the key."""
    key = server_key(served.settings)
    process = psutil.Process(served.process.pid)

    assert key not in served.log.read_text(encoding="utf-8")
    assert key not in " ".join(process.cmdline())
    assert key not in " ".join(process.environ().values())
    assert key not in "".join(Path(f"/proc/{process.pid}/cmdline").read_text(encoding="utf-8"))


def test_both_servers_listen_on_loopback_only(served: ServeProcess) -> None:
    """Nobody else on the network reaches them unless a setting says so."""
    listening = [c for c in psutil.Process(served.process.pid).net_connections() if c.status == psutil.CONN_LISTEN]

    assert {c.laddr.ip.removeprefix("::ffff:") for c in listening} == {"127.0.0.1"}
    ports = {c.laddr.port for c in listening}
    assert {served.settings.server.port, served.settings.web.port} <= ports


def test_a_second_server_says_which_port_is_taken(served: ServeProcess) -> None:
    """It ends at once, before any JVM is started."""
    port = served.settings.server.port
    second = subprocess.run(
        [sys.executable, "-m", "livejoin", "serve", "--set", f"server.port={port}"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert second.returncode == 1
    assert f"127.0.0.1:{port}" in second.stderr
