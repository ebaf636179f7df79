"""Which broker is meant, whether it lets us in, and whether the brokers it names can be reached."""

from collections.abc import Iterator

from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.doctor.reach import Reach, reach
from livejoin.errors import LivejoinError
from livejoin.http.ports import ports_of, taken
from livejoin.kafka.client import BOOTSTRAP
from livejoin.kafka.dialect import PROTOCOL
from livejoin.kafka.login import MECHANISM
from livejoin.local.broker import EmbeddedKafka
from livejoin.secrecy.broker_password import password_file
from livejoin.settings.section import is_loopback

ANSWER_SECONDS = 10.0
DEFAULT_PORT = "9092"


def check_broker(case: Case) -> Iterator[Finding]:
    """A configured one, or our own, which need not run yet."""
    settings, tried = case.settings, f"look for kafka.{BOOTSTRAP}"
    if not settings.embedded_broker:
        yield ok("", tried, f"yours, at {settings.kafka_client.bootstrap_servers}")
        return
    try:
        EmbeddedKafka(settings).require_possible()
    except LivejoinError as error:
        yield problem("", "look into the data folder", error.what, error.do)
        return
    none, tried = "none is configured, so livejoin brings its own", f"look for one that runs in {settings.data_dir}"
    if password_file(settings.data_dir).exists() and "broker.internal_port" in {
        p.setting for p in taken(ports_of(settings))
    }:
        yield ok("", tried, f"{none}, which runs at {settings.people_client.bootstrap_servers}")
    else:
        yield skipped("", tried, f"{none}; it does not run: `livejoin up` starts it")


def check_names(case: Case) -> Iterator[Finding]:
    """Every bootstrap server has an address where somebody answers."""
    for address in bootstrap(case):
        found = reach(address)
        tried = f"resolve and connect to {address}"
        if found.connected:
            yield ok(address, tried, f"answers ({found.told})")
        elif not found.resolved:
            do = f"correct kafka.{BOOTSTRAP}, or have the name entered where this machine looks names up"
            yield problem(address, tried, f"the name does not resolve: {found.told}", do)
        else:
            do = f"start the broker, correct kafka.{BOOTSTRAP}, or let this machine through to it (firewall, VPN)"
            yield problem(address, tried, f"nobody answers: {found.told}", do)


def check_login(case: Case) -> Iterator[Finding]:
    """A broker lets us in; it tells which brokers there are."""
    client = case.settings.kafka_client
    properties = client.librdkafka()
    protocol, mechanism = properties.get(PROTOCOL, "PLAINTEXT"), properties.get(MECHANISM)
    way = f"{protocol}, {mechanism}" if mechanism and protocol.startswith("SASL") else protocol
    tried = f"log in to {client.bootstrap_servers} by {way}"
    try:
        case.brokers = case.cluster.enter(ANSWER_SECONDS)
    except LivejoinError as error:
        yield problem("", tried, error.what, error.do)
        return
    yield ok("", tried, f"let in as {case.principal} by {way}; {len(case.brokers)} broker(s)")


def check_advertised(case: Case) -> Iterator[Finding]:
    """Clients are sent on to the address that each broker advertises, whatever address they began with."""
    for broker in case.brokers:
        found = reach(broker.address)
        about, tried = f"broker {broker.number} at {broker.address}", "resolve and connect to what it advertises"
        if found.connected:
            yield _advertised(case, about, tried, broker.host, found)
            continue
        why = "does not resolve" if not found.resolved else "does not answer"
        yield problem(
            about,
            tried,
            f"the broker sends clients on to {broker.address}, which {why} from this machine: {found.told}",
            f"let {broker.host} resolve and answer here (DNS, /etc/hosts, firewall), or correct advertised.listeners "
            f"of broker {broker.number}",
        )


def _advertised(case: Case, about: str, tried: str, host: str, found: Reach) -> Finding:
    elsewhere = not any(is_loopback(address.rpartition(":")[0].strip("[]")) for address in bootstrap(case))
    if is_loopback(host) and elsewhere:
        return warning(
            about,
            tried,
            f"answers ({found.told}), and means this very machine, while kafka.{BOOTSTRAP} is another",
            "if the broker runs elsewhere, correct its advertised.listeners",
        )
    return ok(about, tried, f"answers ({found.told})")


def bootstrap(case: Case) -> list[str]:
    """The addresses of the bootstrap servers."""
    servers = (each.strip().rpartition("://")[2] for each in case.settings.kafka_client.bootstrap_servers.split(","))
    return [each if each.rpartition(":")[2].isdigit() else f"{each}:{DEFAULT_PORT}" for each in servers if each]
