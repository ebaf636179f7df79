"""Structured logs on standard error: words for a terminal, JSON lines where nobody looks on."""

import logging
import sys

import structlog
from structlog.typing import EventDict, WrappedLogger

from livejoin.visible import visible, visible_lines


def configure_logs(process: str) -> None:
    """Set up logging for this process; every line names it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(VisibleFormatter("%(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            _naming(process),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            show_every_character,
            renderer,
        ],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )


class VisibleFormatter(logging.Formatter):
    """The lines of libraries, without what a terminal would obey."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as text."""
        return visible_lines(super().format(record))


def show_every_character(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """A processor: texts of strangers, which values may hold, stay in their line. A traceback keeps its lines."""
    return {name: _shown(name, value) for name, value in event.items()}


def _shown(name: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    return visible_lines(value) if name == "exception" else visible(value)


def _naming(process: str) -> structlog.typing.Processor:
    """A processor and not a context variable, because those are not seen by other threads."""

    def add(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return {**event, "process": process}

    return add
