"""What every record of an event begins with: its key, its epoch and its version."""

from typing import NamedTuple

from livejoin.kafka.message import Message
from livejoin.wire.view_record import EPOCH, VERSION

BEFORE_EPOCH, BEFORE_VERSION = (f',"{name}":'.encode() for name in (EPOCH, VERSION))
"""In a text of JSON every quote has a backslash before it, so nothing that stands in a key looks like this."""


class WrittenEvent(NamedTuple):
    """The same for all records of one event, and for no other record."""

    key: bytes
    epoch: int
    version: int


def event_of(record: Message) -> WrittenEvent | None:
    """The event that a record was written for; None where nobody of ours wrote it."""
    value = record.value() or b""
    epoch = value.find(BEFORE_EPOCH)
    version = value.find(BEFORE_VERSION, epoch)
    end = value.find(b",", version + 1)
    try:
        return WrittenEvent(
            value[:epoch],
            int(value[epoch + len(BEFORE_EPOCH) : version]),
            int(value[version + len(BEFORE_VERSION) : end]),
        )
    except ValueError:
        return None
