"""What another user of the machine, or a neighbour, gets to see of a running stack."""

import ipaddress
import stat
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

import httpx
import psutil

from livejoin.secrecy.broker_password import read_password
from livejoin.secrecy.data_folder import is_ours
from up import GIVEN_KEY, OPERATOR_KEY, VIEWER_KEY, Up, descendants
from what_is_shown import argv_and_environment


def test_everything_in_the_data_folder_is_private(up: Up) -> None:
    """Folders are 0700 and files 0600, whichever process has made them."""
    # Spark makes what it has fetched executable, for everybody; nobody else gets through the folder that it is in.
    made = (path for path in up.data.rglob("*") if "spark-work" not in path.parent.relative_to(up.data).parts)
    found = {path: stat.S_IMODE(path.lstat().st_mode) for path in (up.data, *made) if not path.is_symlink()}
    for part in ("kafka", "checkpoints", "logs", "spark-work", "table-server"):
        assert up.data / part in found
    open_to_others = {path: oct(mode) for path, mode in found.items() if mode & 0o077}
    assert not open_to_others


def test_everything_in_the_data_folder_is_known_to_be_livejoins(up: Up) -> None:
    """So that a folder whose mode somebody has changed is made private again, and not taken for a stranger's."""
    assert not [entry.name for entry in up.data.iterdir() if not is_ours(entry.name)]


def test_every_process_listens_on_loopback(up: Up) -> None:
    """No port of any process of the stack can be reached from another machine."""
    listening = {
        (process.name(), *connection.laddr)
        for process in descendants(up.process.pid)
        for connection in process.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    assert len(listening) > 8
    elsewhere = {place for place in listening if not _is_loopback(place[1])}
    assert not elsewhere


def _is_loopback(text: str) -> bool:
    address = ipaddress.ip_address(text)
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def test_no_secret_is_in_an_argument_or_a_log(up: Up) -> None:
    """Neither keys nor the broker's password; nor in an environment where nobody has put it."""
    password = read_password(up.data)
    in_files = {"viewer's key": VIEWER_KEY, "operator's key": OPERATOR_KEY, "password": password}
    secrets = {**in_files, "environment's key": GIVEN_KEY}
    for process in descendants(up.process.pid):
        assert _named(in_files, argv_and_environment(process)) == []
        assert _named(secrets, _argv(process)) == []
    assert _named(secrets, "".join(up.said)) == []
    for log in (up.data / "logs").iterdir():
        assert _named(secrets, log.read_text(encoding="utf-8", errors="replace")) == [], log


def test_a_key_of_the_environment_reaches_the_one_process_that_needs_it(up: Up) -> None:
    """It opens the door; neither the pipeline, nor Spark, nor the broker has it."""
    bearer = {"Authorization": f"Bearer {GIVEN_KEY}"}
    assert httpx.get(f"{up.deployment.settings.page_url}declaration", headers=bearer).status_code == HTTPStatus.OK
    found = [_argv(process) for process in descendants(up.process.pid) if GIVEN_KEY in argv_and_environment(process)]
    assert found
    assert [argv for argv in found if " livejoin serve " not in argv] == []


def test_secrets_are_in_their_own_files_only(up: Up) -> None:
    """Keys that were given are not written down, and the password is in the broker's files."""
    for key in (VIEWER_KEY, OPERATOR_KEY, GIVEN_KEY):
        assert _holding(up.data, key) == set()
    assert _holding(up.data, read_password(up.data)) == {"kafka/password", "kafka/server.properties"}


def _named(secrets: Mapping[str, str], text: str) -> list[str]:
    """Which of these are in a text."""
    return [name for name, secret in secrets.items() if secret in text]


def _argv(process: psutil.Process) -> str:
    """How a process was started; nothing of one that has just ended."""
    try:
        return " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""


def _holding(folder: Path, secret: str) -> set[str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix() for file in files if secret.encode() in file.read_bytes()}
