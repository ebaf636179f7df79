"""What one record of the dead-letter topic means.

    key      `<topic>/<partition>/<offset>` of the rejected event, so that a repeated rejection replaces itself
    value    the original bytes, cut at a configurable length (empty for an event without a value)
    headers  the names below, as text

The original bytes are the value, not a field of it: a team can read, correct and produce them again with the tools it
already has.
"""

import re
from enum import StrEnum
from functools import lru_cache

TOPIC = "topic"
PARTITION = "partition"
OFFSET = "offset"
TIMESTAMP = "timestamp"
"""Kafka timestamp of the rejected event, epoch milliseconds."""
REASON = "reason"
SIZE = "size"
"""Length in bytes before the cut."""
GENERATION = "generation"
"""Which generation rejected it."""


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


_SIGNS = {
    Kind.TOMBSTONE: r"no value\b",
    Kind.TOO_LARGE: r"\d+ bytes: more than",
    Kind.NOT_UTF8: r"not UTF-8",
    Kind.EMPTY: r"empty: neither",
    Kind.NOT_JSON: r"the same field twice|text after the JSON value|not valid JSON",
    Kind.NOT_AN_OBJECT: r"the value is .*, not an object",
    Kind.NO_KEY: r"\S+ is (missing|empty)$",
    Kind.OUT_OF_RANGE: r"\S+ is out of range",
    Kind.WRONG_TYPE: r"\S+ is .*, not ",
}
"""How reasons begin; the pipeline gives them (`pipeline/source.py`)."""
_KINDS = [(kind, re.compile(sign)) for kind, sign in _SIGNS.items()]


@lru_cache(maxsize=1024)
def kind_of(reason: str) -> Kind:
    """The kind of a reason."""
    return next((kind for kind, sign in _KINDS if sign.match(reason)), Kind.OTHER)
