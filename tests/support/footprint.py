"""What the processes of a running stack hold on to: threads, live objects, topics, folders."""

import re
import shutil
import subprocess
from dataclasses import dataclass

import psutil

from await_that import await_that
from up import Up, descendants

CLEANING = ("block-manager-storage-async-thread-pool", "block-manager-ask-thread-pool")
"""Spark cleans up with as many as 100 threads of each, which end when they have had nothing to do for a minute."""


@dataclass
class Footprint:
    """What the processes of the stack hold on to."""

    threads: dict[str, int]
    live_bytes: dict[str, int]
    topics: list[str]
    checkpoints: list[str]


def footprint(up: Up) -> Footprint:
    """Measure it; the bytes are those of objects that a full garbage collection leaves."""
    processes = processes_of(up)
    live = {name: _live_bytes(processes[name].pid) for name in ("spark", "serve")}
    topics = up.deployment.cluster.topic_names()
    views = [topic for topic in topics if topic.startswith("livejoin.view.")]
    return Footprint(threads(up), live, views, [f.name for f in (up.data / "checkpoints/livejoin").iterdir()])


def threads(up: Up) -> dict[str, int]:
    """How many there are in each process of the stack, without those that Spark cleans up with."""
    return {
        name: _lasting_threads(process.pid) if name == "spark" else process.num_threads()
        for name, process in processes_of(up).items()
    }


def processes_of(up: Up) -> dict[str, psutil.Process]:
    """The processes of the stack, by what they are."""
    # Parents come first; what a JVM starts looks like the JVM itself for a moment.
    found: dict[str, psutil.Process] = {}
    for process in descendants(up.process.pid):
        found.setdefault(role(process), process)
    return {name: process for name, process in found.items() if name}


def _live_bytes(pid: int) -> int:
    total = re.search(r"^Total\s+\d+\s+(\d+)", _jcmd(pid, "GC.class_histogram"), re.MULTILINE)
    assert total
    return int(total.group(1))


def _lasting_threads(pid: int) -> int:
    names: list[str] = re.findall(r'^"([^"]+)"', _jcmd(pid, "Thread.print"), re.MULTILINE)
    return sum(not name.startswith(CLEANING) for name in names)


def _jcmd(pid: int, command: str) -> str:
    jcmd = shutil.which("jcmd")
    assert jcmd, "jcmd is part of the JDK"

    def told() -> str:
        # A JVM under load may be slow to answer.
        done = subprocess.run([jcmd, str(pid), command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return await_that(told, timeout=60)


def role(process: psutil.Process) -> str:
    """Which part of the stack a process is; the guards of supervision hold nothing."""
    try:
        line = " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        # Hadoop starts small programs now and then.
        return ""
    if "supervise.guard" in line:
        return ""
    roles = {
        "SparkSubmit": "spark",
        "livejoin serve": "serve",
        "livejoin pipeline": "pipeline",
        "kafka.Kafka": "broker",
    }
    return next((role for words, role in roles.items() if words in line), "")


def settled(up: Up) -> Footprint:
    """The footprint when nothing lingers any more."""
    up.await_one_generation()
    return footprint(up)


def await_no_more_threads(up: Up, before: Footprint) -> None:
    """Return when no process has clearly more threads than before."""

    def ended() -> bool:
        now = threads(up)
        assert all(now[name] <= count + 10 for name, count in before.threads.items()), (before.threads, now)
        return True

    await_that(ended, timeout=120)
