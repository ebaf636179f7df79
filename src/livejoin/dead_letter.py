"""What one record of the dead-letter topic means.

    key      `<topic>/<partition>/<offset>` of the rejected event, so that a repeated rejection replaces itself
    value    the original bytes, cut at a configurable length (empty for an event without a value)
    headers  the names below, as text

The original bytes are the value, not a field of it: a team can read, correct and produce them again with the tools it
already has.
"""

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
