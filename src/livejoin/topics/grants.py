"""Rights as the commands that grant them."""

import shlex
from collections.abc import Iterable, Iterator

from livejoin.topics.rights import Right


def server_option(bootstrap_servers: str) -> str:
    """How Kafka's own tools are told where the cluster is."""
    return f"--bootstrap-server {shlex.quote(bootstrap_servers)}"


def grant_commands(server: str, principal: str, of_one: Iterable[Right]) -> Iterator[str]:
    """One command for all topics on which the same is allowed."""
    operations: dict[tuple[bool, str, bool], list[str]] = {}
    for right in of_one:
        resource = f"--{right.on} {shlex.quote(right.topic)}"
        operations.setdefault((right.needed, resource, right.prefixed), []).append(f"--operation {right.operation}")
    together: dict[tuple[bool, bool, str], list[str]] = {}
    for (needed, resource, prefixed), found in operations.items():
        together.setdefault((needed, prefixed, " ".join(found)), []).append(resource)
    for (needed, prefixed, found_operations), found_topics in sorted(together.items(), key=lambda one: not one[0][0]):
        pattern = " --resource-pattern-type prefixed" if prefixed else ""
        optional = "" if needed else "  # optional"
        allowed = f"--add --allow-principal {shlex.quote(principal)} {found_operations} {' '.join(found_topics)}"
        yield f"kafka-acls.sh {server} {allowed}{pattern}{optional}"
