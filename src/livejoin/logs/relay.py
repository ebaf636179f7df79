"""Turns what JVMs and libraries write to standard output and error into JSON lines like ours, in a process of its own.

A process, because the last words of a JVM that ends must not be lost with the process that it is in. It reads standard
input until nobody is left who could write there.

    livejoin.logs.relay PROCESS    the name that each line has as its `process`
"""

import json
import os
import re
import signal
import sys
from datetime import UTC, datetime
from typing import Any

from livejoin.visible import visible, visible_lines

NAMES = {
    "msg": "event",
    "message": "event",
    "formattedMessage": "event",
    "ts": "timestamp",
    "loggerName": "logger",
    "threadName": "thread",
    "throwable": "exception",
}
"""What our names are called by Logback and by PySpark."""
LEVELS = {"trace": "debug", "warn": "warning", "fatal": "critical"}
UNTOLD = frozenset({"sequenceNumber", "nanoseconds", "context", "mdc", "kvpList", "marker", "arguments"})
LIBRDKAFKA = re.compile(r"%(\d)\|")
LIBRDKAFKA_LEVELS = ("critical", "critical", "critical", "error", "warning", "info", "info", "debug")
LONGEST_LINE = 1_000_000


def relay(process: str) -> None:
    """Read to the end."""
    with os.fdopen(0, "rb") as foreign:
        while line := foreign.readline(LONGEST_LINE):
            text = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
            if text.strip():
                told = json.dumps(as_event(text, process, datetime.now(UTC)))
                _write(f"{told}\n".encode())


def as_event(text: str, process: str, now: datetime) -> dict[str, Any]:
    """What a line says, under our names."""
    said = _said(text)
    said.setdefault("timestamp", now.isoformat().replace("+00:00", "Z"))
    if isinstance(said["timestamp"], int):
        at = datetime.fromtimestamp(said["timestamp"] / 1000, UTC)
        said["timestamp"] = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    level = str(said.get("level", "warning")).lower()
    # Spark's tasks say it; its scheduler is of no generation, and names the query that it works for.
    generation = generation_of(str(said.get("thread", ""))) or generation_of(str(said["event"]))
    if generation is not None:
        said.setdefault("generation", generation)
    said = {name: _shown(name, value) for name, value in said.items()}
    return {**said, "level": LEVELS.get(level, level), "process": process}


def generation_of(thread: str) -> int | None:
    """The generation that a thread works for, by its name: that of our own threads, or of Spark's queries."""
    found = re.search(r"generation-(\d+)", thread)
    return int(found[1]) if found else None


def _said(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict) or "level" not in data:
        rdkafka = LIBRDKAFKA.match(text)
        return {"event": text, "level": LIBRDKAFKA_LEVELS[min(int(rdkafka[1]), 7)] if rdkafka else "warning"}
    told: dict[str, Any] = {"event": ""}
    for name, value in data.items():
        if name not in UNTOLD and value not in ("", None):
            told[NAMES.get(name, str(name))] = value
    return told


def _shown(name: str, value: Any) -> Any:
    if name == "exception":
        return visible_lines(value if isinstance(value, str) else stack_trace(value))
    return visible(value) if isinstance(value, str) else value


def stack_trace(thrown: Any) -> str:
    """A throwable as Logback has it, in the words that Java has for it."""
    if not isinstance(thrown, dict):
        return str(thrown)
    lines = [f"{thrown.get('className')}: {thrown.get('message')}"]
    for step in thrown.get("stepArray", []):
        place = f"{step.get('fileName')}:{step.get('lineNumber')}"
        lines.append(f"\tat {step.get('className')}.{step.get('methodName')}({place})")
    if thrown.get("cause"):
        lines.append(f"Caused by: {stack_trace(thrown['cause'])}")
    return "\n".join(lines)


def _write(line: bytes) -> None:
    while line:
        line = line[os.write(1, line) :]


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Who started it ends, and with him the input.
        signal.signal(number, signal.SIG_IGN)
    relay(sys.argv[1])
