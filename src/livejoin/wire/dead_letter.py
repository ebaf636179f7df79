"""What one record of the dead-letter topic means.

    key      `<topic>/<partition>/<offset>/<id of the topic>/<judgement>` of the rejected event
    value    the original bytes, cut at a configurable length (empty for an event without a value)
    headers  the names below, as text

The original bytes are the value, not a field of it: a team can read, correct and produce them again with the tools it
already has.

What was not committed when a query ended is rejected once more, and everything where nobody knows how far it was. The
key is the same then, so compaction leaves one record of each, and a table server counts one. A topic that was created
again has the places of the one before, and another id; who judges by other columns rejects for reasons of its own.
Letters of earlier versions have the place alone.
"""

from enum import StrEnum

TOPIC = "topic"
PARTITION = "partition"
OFFSET = "offset"
TIMESTAMP = "timestamp"
"""Kafka timestamp of the rejected event, epoch milliseconds."""
REASON = "reason"
KIND = "kind"
"""What the reason comes down to, see `Kind`; letters of earlier versions are without it."""
SIZE = "size"
"""Length in bytes before the cut."""
GENERATION = "generation"
"""Which generation rejected it first."""
JUDGEMENT = "judgement"
"""How it was judged (`livejoin.model.judgement`); letters of earlier versions are without it."""


def place_of(key: str) -> str:
    """Where the event is that a letter with this key is about: topic, partition and offset."""
    return "/".join(key.split("/")[:3])


def event_of(key: str) -> str:
    """A name that this event has, however it was judged, and no other: no topic can be named with a slash."""
    return "/".join(key.split("/")[:4])


class Kind(StrEnum):
    """What a reason comes down to: reasons hold names and numbers, and a kind is one of a few."""

    TOMBSTONE = "tombstone"
    TOO_LARGE = "too_large"
    NOT_UTF8 = "not_utf8"
    EMPTY = "empty"
    NOT_JSON = "not_json"
    NOT_AN_OBJECT = "not_an_object"
    NO_KEY = "no_key"
    OUT_OF_RANGE = "out_of_range"
    WRONG_TYPE = "wrong_type"
    OTHER = "other"
