"""The rows of one event are shown together: what has arrived of one that is not complete is held back.

A live event writes a record for each row that it changes, and its progress after them, all into one partition. Kafka
hands records over as they arrive, so the last of a batch may belong to an event whose other rows come later: a moment
later as a rule, seconds where the way to the broker is slow. A pipeline that dies in the middle of an event leaves half
of it behind; the one that goes on writes the whole of it again, with a higher epoch, and half of it is shown to nobody,
however long that takes. What is held back of a key goes with the next event of it, so it is not more than one writes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from livejoin.kafka.message import Message
from livejoin.serve.decode.view_batch import ROWS
from livejoin.serve.decode.written_event import WrittenEvent, event_of
from livejoin.wire.view_record import key_prefix

ROW_KEYS = tuple(key_prefix(kind).encode() for kind in ROWS)


class _Held(NamedTuple):
    event: WrittenEvent
    record: Message

    def is_settled_by(self, whole: WrittenEvent, *, is_shown: bool) -> bool:
        """Whether everything of its event has come, when this has: it, or what was written instead of it.

        Who takes over may be behind for a moment, and writes an earlier event first. While nobody looks, the rest of an
        event may be missing because compaction has replaced it by that.
        """
        is_reached = self.event.version <= whole.version
        return is_reached and self.event.epoch <= whole.epoch if is_shown else self.event <= whole


class WholeEvents:
    """Takes records in their order, and hands them on when their event is complete. One thread uses it."""

    def __init__(self) -> None:
        self._held: dict[bytes, list[_Held]] = {}
        """By the key of their events."""

    def add(self, records: Sequence[Message], *, is_shown: bool = True) -> list[Message]:
        """What can be shown, of these records and of those that were held back; `is_shown` says that somebody looks."""
        return [ready for record in records for ready in self._take(record, is_shown=is_shown)]

    def _take(self, record: Message, *, is_shown: bool) -> list[Message]:
        is_row = (record.key() or b"").startswith(ROW_KEYS)
        # Most of what a table server loads is whole in itself, and is looked into only where somebody may wait for it.
        event = event_of(record) if is_row or self._held else None
        if event is None:
            return [record]
        if is_row:
            self._held.setdefault(event.key, []).append(_Held(event, record))
            return []
        return [*self._settled(event, is_shown=is_shown), record]

    def _settled(self, whole: WrittenEvent, *, is_shown: bool) -> list[Message]:
        held = self._held.pop(whole.key, [])
        settled = [one for one in held if one.is_settled_by(whole, is_shown=is_shown)]
        if len(settled) < len(held):
            self._held[whole.key] = [one for one in held if one not in settled]
        return [one.record for one in settled]
