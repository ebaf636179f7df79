"""Who shows which certificate: brokers, the provider of tokens, and we ourselves."""

import datetime
import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from cryptography import x509

from livejoin.doctor.broker import bootstrap
from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.doctor.reach import reach
from livejoin.kafka.dialect import PROTOCOL
from livejoin.kafka.identity import CERTIFICATE_TEXT
from livejoin.kafka.listener import certificate_at, look_at, objection_to
from livejoin.kafka.login import CA_LOCATION, CA_PEM, TOKEN_URL
from livejoin.kafka.refusal import untrusted
from livejoin.settings.section import is_loopback

SOON = datetime.timedelta(days=30)


def check_tls(case: Case) -> Iterator[Finding]:
    """Those of the bootstrap servers, of the token endpoint, and our own."""
    properties = case.settings.kafka_client.librdkafka()
    protocol = properties.get(PROTOCOL, "PLAINTEXT")
    if protocol.endswith("SSL"):
        for address in bootstrap(case):
            yield of_broker(case, address)
    else:
        yield _without(case, protocol)
    if CERTIFICATE_TEXT in properties:
        yield _own(x509.load_pem_x509_certificate(properties[CERTIFICATE_TEXT].encode()))
    if TOKEN_URL in properties:
        yield _token_endpoint(case, properties[TOKEN_URL])


def check_advertised_tls(case: Case) -> Iterator[Finding]:
    """Those of the brokers that are not bootstrap servers too."""
    if case.settings.kafka_client.librdkafka().get(PROTOCOL, "").endswith("SSL"):
        for broker in case.brokers:
            if broker.address not in bootstrap(case):
                yield of_broker(case, broker.address)


def of_broker(case: Case, address: str) -> Finding:
    """What one broker shows, and whether it is believed."""
    client, tried = case.settings.kafka_client, "begin a conversation by TLS, believing whom the settings say"
    shown, seen = certificate_at(address), look_at(address, client.librdkafka())
    if shown is None or seen is None or not seen.speaks_tls:
        found = "no certificate is to be seen: nobody speaks TLS there"
        return problem(
            address, tried, found, f"set kafka.{PROTOCOL} as the listener is, or the address of one with TLS"
        )
    if seen.objection:
        refusal = untrusted(client, address, seen.objection)
        return problem(address, tried, f"{refusal.what}. It shows: {told(shown)}", refusal.do)
    return _expiring(address, tried, f"trusted: {told(shown)}", shown, "have it renewed by who runs the cluster")


def told(certificate: x509.Certificate) -> str:
    """A certificate in words."""
    ends = certificate.not_valid_after_utc
    names = _names(certificate)
    for_names = f" for {', '.join(names)}" if names else ""
    subject, issuer = certificate.subject.rfc4514_string(), certificate.issuer.rfc4514_string()
    return f"{subject or 'no subject'}{for_names}, issued by {issuer}, valid until {ends:%Y-%m-%d %H:%M} UTC"


def _names(certificate: x509.Certificate) -> list[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    addresses = [str(each) for each in found.get_values_for_type(x509.IPAddress)]
    return [*found.get_values_for_type(x509.DNSName), *addresses]


def _expiring(about: str, tried: str, found: str, certificate: x509.Certificate, do: str) -> Finding:
    left = certificate.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
    if left > SOON:
        return ok(about, tried, found)
    return warning(about, tried, f"{found}; that is in {_in_words(left)}", do)


def _in_words(left: datetime.timedelta) -> str:
    return f"{left.days} days" if left.days > 1 else f"{left.total_seconds() / 3600:.0f} hours"


def _own(certificate: x509.Certificate) -> Finding:
    about, tried = "own certificate", "read the certificate that the client shows"
    do = "have another one issued and put it in the same place: it is read without a restart"
    now = datetime.datetime.now(datetime.UTC)
    if certificate.not_valid_after_utc < now:
        return problem(about, tried, f"expired: {told(certificate)}", do)
    if certificate.not_valid_before_utc > now:
        return problem(
            about, tried, f"not valid yet: {told(certificate)}", "correct the clock of this machine, or wait"
        )
    return _expiring(about, tried, told(certificate), certificate, do)


def _without(case: Case, protocol: str) -> Finding:
    tried = f"look at kafka.{PROTOCOL}"
    away = [address for address in bootstrap(case) if not is_loopback(address.rpartition(":")[0].strip("[]"))]
    if not away:
        return ok("", tried, f"{protocol}: no TLS, on this machine only")
    do = f"set kafka.{PROTOCOL} to {'SASL_SSL' if protocol.startswith('SASL') else 'SSL'} where the cluster has it"
    return warning("", tried, f"{protocol}: no TLS, so whoever is between here and {', '.join(away)} can read all", do)


def _token_endpoint(case: Case, url: str) -> Finding:
    parts = urlsplit(url)
    host = parts.hostname or ""
    address = f"{host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    about, tried = f"token endpoint {address}", "connect to it"
    if parts.scheme in getproxies() and not proxy_bypass(host):
        return skipped(about, tried, "a proxy is configured for it in the environment, which `login` goes through")
    found = reach(address)
    if not found.connected:
        why = "nobody answers" if found.resolved else "the name does not resolve"
        do = f"correct kafka.{TOKEN_URL}, start what should answer there, or let this machine through to it"
        return problem(about, tried, f"{why}: {found.told}", do)
    if parts.scheme == "https":
        return _token_certificate(address, about, anchors(case.settings.kafka_client.librdkafka()))
    if is_loopback(host):
        return ok(about, tried, "answers, without TLS, on this machine")
    in_the_clear = "answers, without TLS: the client's secret crosses the network in the clear"
    return warning(about, tried, in_the_clear, f"set kafka.{TOKEN_URL} to an https address")


def _token_certificate(address: str, about: str, trusted: str | None) -> Finding:
    tried = "begin a conversation by TLS, believing whom the settings say"
    shown, objection = certificate_at(address), objection_to(address, trusted)
    if shown is None:
        return problem(about, tried, "nobody speaks TLS there", f"correct kafka.{TOKEN_URL}")
    if objection:
        found = f"not trusted: {objection}. It shows: {told(shown)}"
        do = f"set kafka.{CA_LOCATION} to the certificate of the authority that vouches for it"
        return problem(about, tried, found, do)
    return _expiring(about, tried, f"trusted: {told(shown)}", shown, "have it renewed by who runs the provider")


def anchors(properties: dict[str, str]) -> str | None:
    """Whom librdkafka believes where it asks for tokens."""
    if CA_PEM in properties:
        return properties[CA_PEM]
    file = properties.get(CA_LOCATION) or ssl.get_default_verify_paths().cafile
    return Path(file).read_text(encoding="utf-8", errors="replace") if file and Path(file).is_file() else None
