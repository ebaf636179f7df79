"""Structured logs on standard error: words for a terminal, JSON lines where nobody looks on."""

import logging
import sys

import structlog
from structlog.typing import EventDict, WrappedLogger


def configure_logs(process: str) -> None:
    """Set up logging for this process; every line names it."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
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
            renderer,
        ],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )


def _naming(process: str) -> structlog.typing.Processor:
    """A processor and not a context variable, because those are not seen by other threads."""

    def add(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return {**event, "process": process}

    return add
