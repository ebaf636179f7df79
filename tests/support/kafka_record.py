"""A Kafka message as the broker would hand it over."""

from dataclasses import dataclass


@dataclass
class Record:
    """A Kafka message with a key, a value and headers."""

    the_key: bytes | None
    the_value: bytes | None
    the_headers: list[tuple[str, bytes]] | None = None
    the_offset: int = 7

    def key(self) -> bytes | None:
        """Its key."""
        return self.the_key

    def value(self) -> bytes | None:
        """Its value."""
        return self.the_value

    def headers(self) -> list[tuple[str, bytes]] | None:
        """Its headers."""
        return self.the_headers

    def partition(self) -> int:
        """Where it is."""
        return 3

    def offset(self) -> int:
        """Where it is."""
        return self.the_offset
