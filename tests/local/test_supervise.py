"""Supervision, with real small processes: restarts, order, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from livejoin.local.supervise.child import BackOff, Child, Death
from livejoin.local.supervise.rotated_log import RotatedLog, last_lines
from livejoin.local.supervise.supervisor import Supervisor

FOLLOWS_SIGTERM = "import signal, time; print('up', flush=True); time.sleep(600)"
IGNORES_SIGTERM = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)
# As Spark does it: the command starts a process of its own, which ignores everything and writes its id.
WITH_A_GRANDCHILD = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {IGNORES_SIGTERM!r}], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(600)
"""


def python(program: str) -> list[str]:
    """The command that runs a small program."""
    return [sys.executable, "-c", program]


def eventually(holds: Callable[[], bool], *, within: float = 15.0) -> None:
    """Return as soon as the condition holds; fail if that takes too long."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where a child's output goes."""
    return tmp_path / "logs" / "child.log"


@pytest.fixture
def started(log: Path) -> Iterator[Callable[..., Child]]:
    """Start a child that runs a program and wait until it has said something; it is killed after the test."""
    children: list[Child] = []

    def start(program: str, *, grace: float = 5.0, niceness: int = 0) -> Child:
        child = Child("child", python(program), log, grace=grace, niceness=niceness)
        children.append(child)
        child.start()
        eventually(lambda: bool(child.last_lines()))
        return child

    yield start
    for child in children:
        child.kill()


def test_a_child_stops_when_it_is_asked(started: Callable[..., Child]) -> None:
    """A command that follows SIGTERM is gone at once, without waiting for its grace."""
    child = started(FOLLOWS_SIGTERM, grace=60.0)
    began = time.monotonic()
    child.stop()
    assert not child.running
    assert time.monotonic() - began < 10.0


def test_a_child_that_does_not_follow_is_killed_after_its_grace(started: Callable[..., Child]) -> None:
    """A command that ignores SIGTERM is killed when its grace is over."""
    child = started(IGNORES_SIGTERM, grace=0.3)
    began = time.monotonic()
    child.stop()
    assert not child.running
    assert 0.3 <= time.monotonic() - began < 5.0


def test_what_a_command_started_ends_with_it(started: Callable[..., Child]) -> None:
    """A grandchild that ignores SIGTERM does not outlive a stop."""
    child = started(WITH_A_GRANDCHILD, grace=1.0)
    grandchild = int(child.last_lines()[0])
    assert is_alive(grandchild)
    child.stop()
    assert not is_alive(grandchild)


def test_what_a_killed_command_started_ends_too(started: Callable[..., Child]) -> None:
    """When the command is killed with SIGKILL, the rest of its session goes as well, and the death is reported."""
    child = started(WITH_A_GRANDCHILD)
    grandchild = int(child.last_lines()[0])
    psutil.Process(psutil.Process(grandchild).ppid()).kill()
    deaths: list[Death] = []

    def died() -> bool:
        if death := child.look_after():
            deaths.append(death)
        return bool(deaths)

    eventually(died)
    assert deaths[0].how == "was ended by SIGKILL"
    assert not is_alive(grandchild)


def test_a_killed_guard_takes_its_session_along(started: Callable[..., Child]) -> None:
    """Even when the guard itself is killed, the supervisor leaves nothing of the session behind."""
    child = started(WITH_A_GRANDCHILD)
    grandchild = int(child.last_lines()[0])
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    eventually(lambda: child.look_after() is not None)
    assert not is_alive(grandchild)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_children_die_with_their_supervisor(tmp_path: Path, how: signal.Signals) -> None:
    """When the supervising process is killed, with or without a chance to clean up, its children go too."""
    supervising = f"""
import time
from pathlib import Path
from livejoin.local.supervise.child import Child
Child("child", {python(WITH_A_GRANDCHILD)!r}, Path({str(tmp_path / "child.log")!r}), grace=0.5).start()
time.sleep(600)
"""
    with subprocess.Popen(python(supervising)) as supervisor:
        try:
            eventually(lambda: bool(last_lines(tmp_path / "child.log", 1)))
            descendants = psutil.Process(supervisor.pid).children(recursive=True)
            assert len(descendants) == 3
        finally:
            supervisor.send_signal(how)
    eventually(lambda: not any(is_alive(process.pid) for process in descendants))


def test_ctrl_c_in_the_terminal_does_not_reach_a_child(started: Callable[..., Child]) -> None:
    """A child is in another session and process group than who started it."""
    child = started(FOLLOWS_SIGTERM)
    assert child.pid is not None
    assert os.getsid(child.pid) == os.getpgid(child.pid) == child.pid != os.getsid(0)


def test_a_child_that_dies_is_named_and_restarted_with_back_off(log: Path) -> None:
    """Each death is reported once with the last lines of that run, and the pause doubles up to its limit."""
    child = Child("flaky", python("print('so it ends'); raise SystemExit(3)"), log)
    child.back_off = BackOff(first=0.05, longest=0.15)
    deaths: list[Death] = []
    supervisor = Supervisor(deaths.append)
    supervisor.start(child)

    def died_four_times() -> bool:
        supervisor.look_after()
        return len(deaths) == 4

    eventually(died_four_times)
    supervisor.stop(lambda _: None)
    assert [death.restart_in for death in deaths] == [0.05, 0.1, 0.15, 0.15]
    assert {(death.name, death.how) for death in deaths} == {("flaky", "ended with exit status 3")}
    assert all(death.last_lines == ["so it ends"] for death in deaths)
    assert not child.running


def test_back_off_is_forgotten_after_a_run_that_lasted(log: Path) -> None:
    """A child that ran long enough before it died starts again with the shortest pause."""
    child = Child("steady", python("pass"), log, back_off=BackOff(first=0.05, forgotten_after=0.0))
    child.start()
    pauses: list[float] = []

    def died_three_times() -> bool:
        if death := child.look_after():
            pauses.append(death.restart_in)
        return len(pauses) == 3

    eventually(died_three_times)
    child.stop()
    assert pauses == [0.05, 0.05, 0.05]


def test_children_are_stopped_the_youngest_first(tmp_path: Path) -> None:
    """The order of stopping is the reverse of the order of starting, one after the other."""
    children = [Child(name, python(FOLLOWS_SIGTERM), tmp_path / f"{name}.log") for name in ("broker", "serve", "demo")]
    supervisor = Supervisor(lambda _: None)
    for child in children:
        supervisor.start(child)
    stopping: list[tuple[str, list[str]]] = []
    supervisor.stop(lambda child: stopping.append((child.name, [c.name for c in children if c.running])))
    assert stopping == [
        ("demo", ["broker", "serve", "demo"]),
        ("serve", ["broker", "serve"]),
        ("broker", ["broker"]),
    ]
    assert not any(child.running for child in children)


def test_an_impatient_person_ends_everything_at_once(tmp_path: Path) -> None:
    """An interruption of the orderly stop kills what is left."""
    child = Child("stubborn", python(IGNORES_SIGTERM), tmp_path / "stubborn.log", grace=600.0)
    supervisor = Supervisor(lambda _: None)
    supervisor.start(child)
    eventually(lambda: bool(child.last_lines()))

    def interrupt(_: Child) -> None:
        raise KeyboardInterrupt

    supervisor.stop(interrupt)
    assert not child.running


def test_output_is_kept_and_rotated(tmp_path: Path) -> None:
    """A log at its limit is kept as one older file, and a fresh one begins."""
    log = RotatedLog(tmp_path / "a.log", limit=10)
    for line in (b"first line\n", b"second line\n", b"3\n"):
        log.write(line)
    log.close()
    assert (tmp_path / "a.log.1").read_bytes() == b"second line\n"
    assert last_lines(tmp_path / "a.log", 5) == ["3"]


def test_a_full_disk_ends_nobody(tmp_path: Path) -> None:
    """A command goes on although nothing it says can be kept, and the log goes on when there is room."""
    done = tmp_path / "done"
    child = Child("talkative", python(f"print('words' * 100_000); open({str(done)!r}, 'w')"), Path("/dev/full"))
    child.start()
    try:
        eventually(done.exists)
    finally:
        child.stop()

    elsewhere = tmp_path / "log"
    elsewhere.symlink_to("/dev/full")
    log = RotatedLog(elsewhere)
    log.write(b"lost\n")
    log.close()
    elsewhere.unlink()
    log.write(b"kept\n")
    log.close()
    assert elsewhere.read_text() == "5 bytes of this log could not be written\nkept\n"


@pytest.mark.parametrize("niceness", [0, 7])
def test_a_child_gives_way_as_far_as_it_is_told_to(started: Callable[..., Child], niceness: int) -> None:
    """Among processes, and where Linux shares the processors among sessions, among these too."""
    group = Path("/proc/self/autogroup")
    asked = f"import os, pathlib; group = pathlib.Path({str(group)!r}); print(os.nice(0), flush=True)"
    child = started(f"{asked}; print(group.exists() and group.read_text().split()[-1], flush=True)", niceness=niceness)
    eventually(lambda: len(child.last_lines()) == 2)

    assert child.last_lines() == [str(os.nice(0) + niceness), str(group.exists() and niceness)]


def test_standard_error_is_logged_too(started: Callable[..., Child]) -> None:
    """What a command writes to standard error is in its log."""
    child = started("import sys; sys.stderr.write('in trouble\\n'); import time; sys.stderr.flush(); time.sleep(600)")
    assert child.last_lines() == ["in trouble"]


def test_a_log_holds_no_commands_for_a_terminal(tmp_path: Path) -> None:
    """What a program says is text when its log is looked at, also NUL, cut characters and bytes that are no text."""
    program = r"""
import os, sys, time
os.write(1, "caf\u00e9 \x1b[2J \x00 \u202e {\"json\": \"a\\\\u202e\"}\tand tabs\r\n".encode() + b"\xc3")
time.sleep(0.3)
os.write(1, b"\xa9 cut in two \xff\n" + b"\xc3")
"""
    log = tmp_path / "log"
    child = Child("speaker", python(program), log)
    child.start()
    eventually(lambda: not child.running)
    child.stop()
    assert log.read_text(encoding="utf-8") == (
        'caf\u00e9 \\x1b[2J \\x00 \\u202e {"json": "a\\\\u202e"}\tand tabs\\x0d\n\u00e9 cut in two \\xff\n\\xc3'
    )
