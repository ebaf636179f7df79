"""What processes write to their logs, whoever in them writes it."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from livejoin.logs.configure import library_level
from livejoin.logs.relay import as_event
from livejoin.settings.operation import LogLevel, LogSettings

HOSTILE = "\x1b[2J\u202e\nlivejoin: all is well"
NOW = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)
EVERYBODY_WRITES = """
import logging, os, sys, threading, warnings
import structlog
from livejoin.errors import LivejoinError
from livejoin.logs.configure import configure_logs, tell_failure
from livejoin.settings.operation import LogSettings

hostile = sys.argv[1]
configure_logs("serve", LogSettings(format=sys.argv[2], level=sys.argv[3]))
log = structlog.get_logger()
log.info("ours", topic=hostile)
log.debug("ours, in detail")
logging.getLogger("library").warning("of a library %s", hostile)
logging.getLogger("library").info("of a library, in detail")
warnings.warn("of Python")
print("on standard output")
os.write(2, b"%3|1731|FAIL|of librdkafka\\n")
tell_failure(LivejoinError("it cannot go on", do="help it"))

def work():
    log.info("of a generation")
    raise ValueError("in a thread")

thread = threading.Thread(target=work, name="generation-7")
thread.start()
thread.join()
os.write(2, b"last words")
"""


def written(form: str, level: str = "info") -> str:
    """What a process leaves in its log in which everybody writes, and which ends in the middle of something."""
    command = [sys.executable, "-c", f"{EVERYBODY_WRITES}\nos._exit(3)", HOSTILE, form, level]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=60)
    assert done.returncode == 3
    return done.stdout.decode()


def test_every_line_is_one_json_object_whoever_writes_it() -> None:
    """Our own lines, those of libraries, of threads that end by an error and of what ends with the process."""
    told = [json.loads(line) for line in written("json").splitlines()]

    assert all({"timestamp", "level", "process", "event"} <= line.keys() for line in told)
    assert {line["process"] for line in told} == {"serve"}
    by_event = {line["event"].partition(" \\x1b")[0]: line for line in told}
    assert by_event["ours"]["topic"] == by_event["of a library"]["event"].removeprefix("of a library ")
    assert "\x1b" not in by_event["ours"]["topic"]
    assert by_event["on standard output"]["level"] == "warning"
    assert by_event["%3|1731|FAIL|of librdkafka"]["level"] == "error"
    assert by_event["of a generation"]["generation"] == 7
    assert "ValueError: in a thread" in by_event["a thread has ended by an error"]["exception"]
    assert by_event["it cannot go on"]["do"] == "help it"
    assert "last words" in by_event
    assert not {"ours, in detail", "of a library, in detail"} & by_event.keys()
    assert any("of Python" in event for event in by_event)


def test_people_read_words() -> None:
    """The same for people has a time and a level, no JSON, and nothing that a terminal obeys."""
    lines = written("text", "debug").splitlines()

    assert not [line for line in lines if line.startswith("{")]
    assert "\x1b" not in "".join(lines)
    [ours] = [line for line in lines if "ours, in detail" in line]
    assert "debug" in ours
    assert ours.startswith("20")
    assert any("of a library, in detail" in line for line in lines)


def test_without_a_terminal_a_program_reads() -> None:
    """Who sets nothing gets JSON lines where standard error is no terminal."""
    assert all(json.loads(line) for line in written("auto").splitlines())


@pytest.mark.parametrize(("level", "of_libraries"), [("debug", "INFO"), ("info", "WARNING"), ("error", "ERROR")])
def test_libraries_say_less_than_we_do(level: str, of_libraries: str) -> None:
    """What Spark calls information would hide everything else."""
    assert library_level(LogSettings(level=LogLevel(level))) == of_libraries


def test_a_line_of_the_engine_has_our_names() -> None:
    """Logback has a form of its own, with a throwable as an object."""
    thrown = {
        "className": "java.lang.IllegalStateException",
        "message": "no",
        "stepArray": [{"className": "a.B", "methodName": "c", "fileName": "B.java", "lineNumber": 7}],
    }
    line = {"sequenceNumber": 0, "timestamp": 1715934600123, "level": "WARN", "threadName": "generation-3"}
    told = event({**line, "loggerName": "a.B", "mdc": {}, "formattedMessage": "m\u202e", "throwable": thrown})

    assert told == {
        "timestamp": "2024-05-17T08:30:00.123Z",
        "level": "warning",
        "thread": "generation-3",
        "generation": 3,
        "logger": "a.B",
        "event": "m\\u202e",
        "exception": "java.lang.IllegalStateException: no\n\tat a.B.c(B.java:7)",
        "process": "serve",
    }


@pytest.mark.parametrize(
    "named",
    [
        {"thread": "stream execution thread for generation-12-join [id = 4]", "event": "m"},
        {"thread": "task-result-getter", "event": "Query generation-12-join [id = 4] was stopped"},
        {"thread": "network", "event": "[Producer clientId=livejoin-generation-12-join] gone"},
    ],
)
def test_a_line_of_spark_names_its_generation(named: dict[str, str]) -> None:
    """By the thread of its query, or where the text names the query."""
    assert event({"level": "info", **named})["generation"] == 12
    assert "generation" not in event({"level": "info", "thread": "main", "event": "generation is gone"})


@pytest.mark.parametrize("line", ["", "[1, 2]", '{"a": 1}', "null", '"text"', "{", '{"level": 5}', '{"level": "INFO"}'])
def test_anything_becomes_a_line(line: str) -> None:
    """What is no line of a log, or half of one, is told as it came."""
    told = as_event(line, "serve", NOW)
    assert {"timestamp", "level", "process", "event"} <= told.keys()
    assert json.loads(json.dumps(told)) == told


def event(line: dict[str, Any]) -> dict[str, Any]:
    """A line as the relay tells it."""
    return as_event(json.dumps(line), "serve", NOW)


def test_the_relay_outlives_who_writes() -> None:
    """Who is killed in the middle of a flood leaves whole lines, and the relay ends with them."""
    flood = "\nimport signal\nfor number in range(2000): os.write(2, b'x' * 300 + b'\\n')\nos.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", EVERYBODY_WRITES + flood, "", "json", "info"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        lines = process.stdout.read().splitlines()
    assert process.returncode == -9
    assert sum(json.loads(line)["event"] == "x" * 300 for line in lines) >= 1999
