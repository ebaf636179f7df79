"""Whether a name leads anywhere, and whether somebody answers there."""

import socket
from dataclasses import dataclass

from livejoin.kafka.listener import SECONDS, host_and_port


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one gets. `told` is the addresses of the name, or what went wrong."""

    resolved: bool
    connected: bool
    told: str


def reach(address: str) -> Reach:
    """Resolve the host of `host:port`, and connect to it; nothing is sent."""
    try:
        host, port = host_and_port(address)
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        return Reach(resolved=False, connected=False, told=str(error))
    addresses = ", ".join(dict.fromkeys(str(entry[4][0]) for entry in found))
    try:
        socket.create_connection((host, port), timeout=SECONDS).close()
    except OSError as error:
        return Reach(resolved=True, connected=False, told=f"{addresses}: {error.strerror or error}")
    return Reach(resolved=True, connected=True, told=addresses)
