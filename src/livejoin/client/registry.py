"""What the state topic says at this moment, for whoever only looks at it."""

from contextlib import suppress

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.model.registry import Registry
from livejoin.wire.records import apply


def look_at_registry(cluster: Cluster, topic: str) -> Registry:
    """The registry; of records that cannot be read the pipeline tells, and the table server."""
    registry = Registry()
    for record in read_to_end(cluster, topic):
        with suppress(ValueError):
            apply(registry, (record.key() or b"").decode(), record.value())
    return registry
