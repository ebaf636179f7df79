"""Ways to an embedded broker that can be cut, slowed and half closed, one for each process that needs its own."""

from collections.abc import Sequence
from pathlib import Path

from livejoin.secrecy.broker_password import MECHANISM
from livejoin.settings.settings import Settings
from ports import free_ports
from relay import Relay

INTERNAL = f"listener.name.internal.{MECHANISM.lower()}.sasl.jaas.config"


class Wires:
    """A listener of the broker's for each name, which only its relay leads to. Who makes it closes it."""

    def __init__(self, names: Sequence[str]) -> None:
        self._ports = dict(zip(names, free_ports(len(names)), strict=True))
        self.relays = {name: Relay(port) for name, port in self._ports.items()}
        for relay in self.relays.values():
            relay.__enter__()

    def lead_to(self, settings: Settings) -> None:
        """Add the listeners to a broker that was prepared: each sends its clients back to its relay."""
        file: Path = settings.data_dir / "kafka" / "server.properties"
        found = dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines())
        for name, port in self._ports.items():
            found["listeners"] += f",{name.upper()}://127.0.0.1:{port}"
            found["advertised.listeners"] += f",{name.upper()}://127.0.0.1:{self.relays[name].port}"
            found["listener.security.protocol.map"] += f",{name.upper()}:SASL_PLAINTEXT"
            found[f"listener.name.{name}.sasl.enabled.mechanisms"] = MECHANISM
            found[f"listener.name.{name}.{MECHANISM.lower()}.sasl.jaas.config"] = found[INTERNAL]
        file.write_text("".join(f"{name}={value}\n" for name, value in found.items()), encoding="utf-8")

    def setting(self, name: str) -> str:
        """What a process is told that is to take this way."""
        return f"broker.internal_port={self.relays[name].port}"

    def close(self) -> None:
        """End every connection."""
        for relay in self.relays.values():
            relay.__exit__(None, None, None)
