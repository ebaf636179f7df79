"""What every record of an event begins with: its key, its epoch and its version."""

import re
from typing import NamedTuple

from livejoin.kafka.message import Message
from livejoin.wire.view_record import EPOCH, VERSION

BEGINNING = re.compile(rf'(.*?),"{EPOCH}":(\d+),"{VERSION}":(\d+)[,}}]'.encode(), re.DOTALL)
"""In a text of JSON every quote has a backslash before it, so nothing that stands in a key looks like this."""


class WrittenEvent(NamedTuple):
    """The same for all records of one event, and for no other record."""

    key: bytes
    epoch: int
    version: int


def event_of(record: Message) -> WrittenEvent | None:
    """The event that a record was written for; None where nobody of ours wrote it."""
    found = BEGINNING.match(record.value() or b"")
    if found is None:
        return None
    key, epoch, version = found.groups()
    return WrittenEvent(key, int(epoch), int(version))
