"""Structured logs on standard error: words for people, or one JSON object a line for programs, by the settings.

What JVMs and libraries write to standard output and error on their own account is turned into such lines by
`log_relay.py`, in a process of its own.
"""

import logging
import os
import subprocess
import sys
import threading
from types import TracebackType
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from livejoin.errors import LivejoinError
from livejoin.logs.relay import generation_of
from livejoin.secrecy.environment import without_settings
from livejoin.settings.operation import LogFormat, LogLevel, LogSettings
from livejoin.visible import visible, visible_lines

LEVELS = {
    LogLevel.DEBUG: logging.DEBUG,
    LogLevel.INFO: logging.INFO,
    LogLevel.WARNING: logging.WARNING,
    LogLevel.ERROR: logging.ERROR,
}
LIBRARY_LEVELS = {LogLevel.DEBUG: "INFO", LogLevel.ERROR: "ERROR"}
OUTPUT, ERRORS = 1, 2

log = structlog.get_logger()


def library_level(settings: LogSettings) -> str:
    """What libraries and JVMs may say, as Java and Python call it: they say much, so it is less than what we say."""
    return LIBRARY_LEVELS.get(settings.level, "WARNING")


def is_json(settings: LogSettings) -> bool:
    """Whether this process writes JSON lines."""
    return settings.format is LogFormat.JSON or (settings.format is LogFormat.AUTO and not os.isatty(ERRORS))


def configure_logs(process: str, settings: LogSettings) -> None:
    """Set up logging for this process; every line names it, and the generation that its thread works for."""
    lines = _Lines(os.dup(ERRORS))
    as_json = is_json(settings)
    renderer: Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=os.isatty(ERRORS))
    )
    # A line of a library is an event dictionary with these, as one of ours is.
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        _naming(process),
        name_generation,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[Processor] = [structlog.processors.format_exc_info, show_every_character, renderer]
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[settings.level]),
        logger_factory=lambda *_: lines,
    )
    handler = _LibraryHandler(lines)
    meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name], processors=[meta, *last]
        )
    )
    logging.basicConfig(handlers=[handler], level=library_level(settings), force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _tell_end
    threading.excepthook = _tell_thread
    if as_json:
        _relay(process, lines)


def tell_failure(error: LivejoinError) -> bool:
    """Tell a failure that a person can act on as a line of the log, where this process writes one for programs."""
    if not _Lines.for_programs:
        return False
    log.error(error.what, do=error.do)
    return True


def name_generation(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """A processor: what belongs to a generation says so."""
    number = generation_of(threading.current_thread().name)
    return event if number is None or "generation" in event else {**event, "generation": number}


def show_every_character(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """A processor: texts of strangers, which values may hold, stay in their line. A traceback keeps its lines."""
    return {name: _shown(name, value) for name, value in event.items()}


def _shown(name: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    return visible_lines(value) if name == "exception" else visible(value)


class _Lines:
    """Writes lines, each whole: others write to the same place."""

    for_programs = False

    def __init__(self, place: int) -> None:
        self.place = place
        self.relay: subprocess.Popen[bytes] | None = None

    def msg(self, line: str) -> None:
        """Write one line."""
        told = f"{line}\n".encode("utf-8", "backslashreplace")
        while told:
            told = told[os.write(self.place, told) :]

    debug = info = warning = error = critical = exception = log = msg


class _LibraryHandler(logging.Handler):
    def __init__(self, lines: _Lines) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.msg(self.format(record))
        except Exception:  # noqa: BLE001  as every handler does: a line must not end who wrote it
            self.handleError(record)


def _relay(process: str, lines: _Lines) -> None:
    """Let a process of its own read what comes to standard output and error; it ends when nobody is left to write."""
    command = [sys.executable, "-P", "-m", "livejoin.logs.relay", process]
    # Nobody waits for it: it outlives this process, to read its last words.
    lines.relay = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=lines.place, env=without_settings())
    assert lines.relay.stdin is not None  # noqa: S101 - for the type checker: a pipe was asked for
    for place in (OUTPUT, ERRORS):
        os.dup2(lines.relay.stdin.fileno(), place)
    lines.relay.stdin.close()
    _Lines.for_programs = True


def _naming(process: str) -> Processor:
    """A processor and not a context variable, because those are not seen by other threads."""

    def add(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return {**event, "process": process}

    return add


def _tell_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("ended by an error", exc_info=(kind, error, trace))


def _tell_thread(failed: Any) -> None:
    name = failed.thread.name if failed.thread else "?"
    trouble = (failed.exc_type, failed.exc_value, failed.exc_traceback)
    log.error("a thread has ended by an error", thread=name, exc_info=trouble)
