"""What a listener of a broker is, seen from outside: librdkafka has one sentence for several troubles with TLS."""

import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cryptography import x509

SECONDS = 3.0
_NOT_TLS = ("WRONG_VERSION_NUMBER", "UNEXPECTED_EOF_WHILE_READING", "HTTP_REQUEST")


@dataclass(frozen=True, slots=True)
class Listener:
    """Whether somebody speaks TLS there, and what OpenSSL has against the certificate; empty: nothing."""

    speaks_tls: bool
    objection: str = ""


Look = Callable[[str, Mapping[str, str]], Listener | None]


def look_at(address: str, librdkafka: Mapping[str, str]) -> Listener | None:
    """Begin a conversation by TLS, believing whom a client with these properties believes; None: nobody answers."""
    context = ssl.create_default_context(cadata=librdkafka.get("ssl.ca.pem"))
    context.check_hostname = librdkafka.get("ssl.endpoint.identification.algorithm", "https") == "https"
    try:
        host, port = host_and_port(address)
        with (
            socket.create_connection((host, port), timeout=SECONDS) as connection,
            context.wrap_socket(connection, server_hostname=host),
        ):
            return Listener(speaks_tls=True)
    except ssl.SSLCertVerificationError as error:
        return Listener(speaks_tls=True, objection=error.verify_message)
    except ssl.SSLError as error:
        # Whoever answers with an alert speaks TLS, such as one that wants a certificate of the client.
        return Listener(speaks_tls=error.reason not in _NOT_TLS)
    except ConnectionResetError:
        return Listener(speaks_tls=False)
    except (OSError, ValueError):
        return None


def certificate_at(address: str) -> x509.Certificate | None:
    """The certificate that somebody shows there, whoever vouches for it; None: none is to be seen."""
    host, port = host_and_port(address)
    # It is looked at, not believed, and nothing is sent.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((host, port), timeout=SECONDS) as connection,
            context.wrap_socket(connection, server_hostname=host) as conversation,
        ):
            shown = conversation.getpeercert(binary_form=True)
    except (OSError, ValueError):
        return None
    return x509.load_der_x509_certificate(shown) if shown else None


def host_and_port(address: str) -> tuple[str, int]:
    """The two parts of an address; raises ValueError where it is none."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)
