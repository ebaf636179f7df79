"""Who listens where livejoin is about to."""

import socket
from dataclasses import dataclass

import psutil

from livejoin.errors import PortInUse
from livejoin.settings.settings import LOOPBACK, Settings


@dataclass(frozen=True, slots=True)
class Port:
    """An address that livejoin listens at, and the setting that decides it."""

    setting: str
    host: str
    number: int


def ports_of(settings: Settings) -> list[Port]:
    """Every port that `livejoin up` needs with these settings."""
    broker = settings.broker
    ports = [port_of_web(settings), port_of_pipeline(settings)]
    if settings.embedded_broker:
        ports.append(Port("broker.port", broker.host, broker.port))
        ports.append(Port("broker.internal_port", LOOPBACK, broker.internal_port))
        ports.append(Port("broker.controller_port", LOOPBACK, broker.controller_port))
    return ports


def port_of_web(settings: Settings) -> Port:
    """Where page and tables are served."""
    return Port("web.port", settings.web.host, settings.web.port)


def port_of_pipeline(settings: Settings) -> Port:
    """Where a pipeline tells how it is."""
    return Port("pipeline.port", settings.pipeline.host, settings.pipeline.port)


def require_free(ports: list[Port]) -> None:
    """Raise PortInUse that names every taken port and who has it."""
    held = taken(ports)
    if held:
        what = "; ".join(
            f"{port.host}:{port.number} ({port.setting}) is taken by {holder(pid)}" for port, pid in held.items()
        )
        raise PortInUse(what, do=f"stop that process, or choose another port: --set {next(iter(held)).setting}=...")


def taken(ports: list[Port]) -> dict[Port, int | None]:
    """Those that livejoin cannot listen at, and the process that does; None where it is not to be seen."""
    return {port: _owner(port.number) for port in ports if not _is_free(port)}


def holder(pid: int | None) -> str:
    """Who listens somewhere, in words."""
    return describe_process(pid) if pid else "a process of another user"


def describe_process(pid: int) -> str:
    """A process in the words that help to find it."""
    try:
        process = psutil.Process(pid)
        command = " ".join(process.cmdline()) or process.name()
    except psutil.Error:
        return f"process {pid}"
    shown = command if len(command) <= 160 else f"{command[:60]} ... {command[-90:]}"
    return f"process {pid} ({shown})"


def _is_free(port: Port) -> bool:
    with socket.socket() as probe:
        # As servers do: connections of an earlier run that are still being closed do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((port.host, port.number))
        except OSError:
            return False
    return True


def _owner(number: int) -> int | None:
    try:
        connections = psutil.net_connections("tcp")
    except psutil.AccessDenied:
        connections = []
    for connection in connections:
        if connection.status == psutil.CONN_LISTEN and connection.laddr[1:2] == (number,) and connection.pid:
            return int(connection.pid)
    return None
