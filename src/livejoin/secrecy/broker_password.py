"""How livejoin's own processes log in to its embedded broker: a password that is made once for a data folder.

It is kept in a file that only its owner may read, and in the broker as what SCRAM needs to recognise it. SCRAM also
shows the client that the broker knows the password: a stranger who listens at the port of a broker that is down learns
nothing, and is not taken for it.
"""

import secrets
from pathlib import Path

from livejoin.errors import BrokerUnreachable, LivejoinError
from livejoin.secrecy.private_file import create_once

USER = "livejoin"
MECHANISM = "SCRAM-SHA-256"


class BrokerPasswordUnreadable(LivejoinError):
    """The embedded broker belongs to another user of this machine."""


def password_file(data_dir: Path) -> Path:
    """Where the password is kept."""
    return data_dir / "kafka" / "password"


def make_password(data_dir: Path) -> None:
    """Make the password of a data folder, unless there is one."""
    create_once(password_file(data_dir), secrets.token_urlsafe(32) + "\n")


def read_password(data_dir: Path) -> str:
    """The password of a data folder whose broker has been prepared."""
    file = password_file(data_dir)
    try:
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise BrokerUnreachable(
            f"no embedded broker has been started in {data_dir}",
            do="start it with `livejoin up`, set data_dir to the folder of the one that runs, "
            "or set kafka.bootstrap.servers to a broker of yours",
        ) from None
    except PermissionError as error:
        raise BrokerPasswordUnreadable(
            f"{file} may not be read: the embedded broker belongs to another user",
            do="run this as that user; who only writes to source topics needs no password: set "
            "kafka.bootstrap.servers to the broker's address",
        ) from error


def login(password: str) -> dict[str, str]:
    """The client properties, as librdkafka names them, of a process that logs in with the password."""
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": MECHANISM,
        "sasl.username": USER,
        "sasl.password": password,
    }
