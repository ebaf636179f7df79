"""Ports for what tests start."""

import socket


def free_ports(count: int) -> list[int]:
    """Ports of this machine that nobody listens at, all different."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def broker_ports() -> dict[str, int]:
    """The settings of an embedded broker's ports."""
    return dict(zip(("port", "internal_port", "controller_port"), free_ports(3), strict=True))
