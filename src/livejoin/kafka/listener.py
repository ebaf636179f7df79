"""What a listener of a broker is, seen from outside: librdkafka has one sentence for several troubles with TLS."""

import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    context = ssl.create_default_context(cadata=librdkafka.get("ssl.ca.pem"))
    context.check_hostname = librdkafka.get("ssl.endpoint.identification.algorithm", "https") == "https"
    try:
        with (
            socket.create_connection((host, int(port)), timeout=SECONDS) as connection,
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
