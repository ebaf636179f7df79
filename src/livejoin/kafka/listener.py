"""What a listener of a broker is, seen from outside: librdkafka has one sentence, or none, for several troubles."""

import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass

from cryptography import x509

SECONDS = 3.0
FRESH_SECONDS = 30.0
"""How long what was seen is believed: who cannot log in tries again several times a second."""
_NOT_TLS = ("WRONG_VERSION_NUMBER", "UNEXPECTED_EOF_WHILE_READING", "HTTP_REQUEST")
# A request for metadata of no topic: its key, its version, a number, no client id, no topics.
_METADATA = struct.pack(">hhihi", 3, 1, 1, -1, 0)
_REQUEST = struct.pack(">i", len(_METADATA)) + _METADATA


@dataclass(frozen=True, slots=True)
class Listener:
    """Whether it speaks TLS, what OpenSSL has against its certificate (empty: nothing), whether it wants a login."""

    speaks_tls: bool
    objection: str = ""
    wants_login: bool = False


Look = Callable[[str, Mapping[str, str]], Listener | None]
_seen: dict[tuple[str, int], tuple[float, Listener | None]] = {}


def look_at(address: str, librdkafka: Mapping[str, str]) -> Listener | None:
    """The listener at an address, for a client with these properties; None: nobody answers there."""
    key = address, hash(frozenset(librdkafka.items()))
    at, found = _seen.get(key, (0.0, None))
    if key not in _seen or time.monotonic() - at > FRESH_SECONDS:
        _seen.clear()
        found = _look_at(address, librdkafka)
        _seen[key] = time.monotonic(), found
    return found


def _look_at(address: str, librdkafka: Mapping[str, str]) -> Listener | None:
    try:
        place = host_and_port(address)
    except ValueError:
        return None
    context = ssl.create_default_context(cadata=librdkafka.get("ssl.ca.pem"))
    context.check_hostname = librdkafka.get("ssl.endpoint.identification.algorithm", "https") == "https"
    try:
        with _conversation(place, context) as secured:
            return Listener(speaks_tls=True, wants_login=_is_ended(secured))
    except ssl.SSLCertVerificationError as error:
        return Listener(speaks_tls=True, objection=error.verify_message)
    except ssl.SSLError as error:
        if error.reason not in _NOT_TLS:
            # Whoever answers with an alert speaks TLS, such as one that wants a certificate of the client.
            return Listener(speaks_tls=True)
    except ConnectionResetError:
        pass
    except OSError:
        return None
    try:
        with closing(socket.create_connection(place, timeout=SECONDS)) as plain:
            return Listener(speaks_tls=False, wants_login=_is_ended(plain))
    except OSError:
        return None


def _is_ended(connection: socket.socket) -> bool:
    """Whether a connection is ended by the question for metadata, which everybody may ask who need not log in."""
    try:
        connection.sendall(_REQUEST)
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except OSError:
        return False


def certificate_at(address: str) -> x509.Certificate | None:
    """The certificate that somebody shows there, whoever vouches for it; None: none is to be seen."""
    # It is looked at, not believed, and nothing is sent.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with _conversation(host_and_port(address), context) as secured:
            shown = secured.getpeercert(binary_form=True)
    except (OSError, ValueError):
        return None
    return x509.load_der_x509_certificate(shown) if shown else None


def objection_to(address: str, anchors: str | None) -> str:
    """What OpenSSL has against a certificate there, believing these authorities; empty: nothing, or none is shown."""
    try:
        with _conversation(host_and_port(address), ssl.create_default_context(cadata=anchors)):
            return ""
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    except (OSError, ValueError):
        return ""


@contextmanager
def _conversation(place: tuple[str, int], context: ssl.SSLContext) -> Iterator[ssl.SSLSocket]:
    with (
        socket.create_connection(place, timeout=SECONDS) as plain,
        context.wrap_socket(plain, server_hostname=place[0]) as secured,
    ):
        yield secured


def host_and_port(address: str) -> tuple[str, int]:
    """The two parts of an address; raises ValueError where it is none."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)
