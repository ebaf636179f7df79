"""What uvicorn logs of what nobody can read: told once and then counted, because anybody can send it all day."""

import logging

from livejoin.process.recurring import Recurring

UVICORN = "uvicorn.error"
NOISE = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "Invalid UTF-8 sequence received from client.",
)


class Noise(logging.Filter):
    """Lets through everything else. Used by the thread of one server."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds = {what: Recurring("somebody sends what nobody can read") for what in NOISE}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is to be logged as it is."""
        kind = self._kinds.get(str(record.msg))
        if kind is not None:
            kind.tell(str(record.msg))
        return kind is None
