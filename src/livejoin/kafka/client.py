"""How Kafka is reached, in the dialect of whoever asks, read again when what it was read from has changed."""

import threading
from collections.abc import Mapping
from pathlib import Path

import structlog

from livejoin.kafka.dialect import Dialects, translate
from livejoin.kafka.mistake import PropertyMistake
from livejoin.kafka.properties_file import read_properties
from livejoin.secrecy.masked import is_secret
from livejoin.secrecy.private_file import everybody_reads

FILE = "file"
"""Not a property: the file that others are in."""
BOOTSTRAP = "bootstrap.servers"

Mark = tuple[int, int, int]

log = structlog.get_logger()


class KafkaClient:
    """The client properties of a cluster. Raises PropertyMistake where they are not right. Nothing to close.

    `given` may name a `file` with more of them, which what is given wins over; `defaults` yield to both. When that
    file, or one with certificates or keys, has changed, everything is read anew. What cannot be used then leaves all as
    it was, because files are rarely exchanged in one moment.
    """

    def __init__(self, given: Mapping[str, str], defaults: Mapping[str, str] | None = None) -> None:
        self._given = dict(given)
        self._defaults = dict(defaults or {})
        named = self._given.pop(FILE, None)
        self._file = Path(named).expanduser().absolute() if named else None
        self._reading = threading.Lock()
        self._complaint = ""
        self.edition = 1
        """Grows whenever the properties have become others."""
        self._properties, self._dialects = self._read()
        self._marks = self._mark()

    @property
    def bootstrap_servers(self) -> str:
        """Where the cluster is reached."""
        return self.librdkafka()[BOOTSTRAP]

    def librdkafka(self) -> dict[str, str]:
        """The properties for confluent-kafka, as they are at this moment."""
        self.renew()
        return dict(self._dialects.librdkafka)

    def java(self) -> dict[str, str]:
        """The properties for Spark, as they are at this moment."""
        self.renew()
        return dict(self._dialects.java)

    @property
    def properties(self) -> dict[str, str]:
        """The properties as people gave them, with those of the file."""
        return dict(self._properties)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about what is not as somebody may expect."""
        return (*self._dialects.remarks, *self._told_to_others())

    def renew(self) -> int:
        """Read everything again if a file has changed; the edition that is in force then."""
        with self._reading:
            marks = self._mark()
            if marks != self._marks:
                self._marks = marks
                self._read_again()
            return self.edition

    def _read_again(self) -> None:
        try:
            properties, dialects = self._read()
        except PropertyMistake as mistake:
            if str(mistake) != self._complaint:
                self._complaint = str(mistake)
                log.warning("client properties stay as they were", why=self._complaint)
            # Whatever is missing may come without a file that was known before being touched again.
            self._marks = {}
            return
        self._complaint = ""
        if (dialects.librdkafka, dialects.java) != (self._dialects.librdkafka, self._dialects.java):
            self.edition += 1
            log.info("client properties were read again", edition=self.edition)
        self._properties, self._dialects = properties, dialects
        self._marks = self._mark()

    def _read(self) -> tuple[dict[str, str], Dialects]:
        from_file = read_properties(self._file) if self._file else {}
        properties = {**self._defaults, **from_file, **self._given}
        return properties, translate(properties)

    def _mark(self) -> dict[Path, Mark]:
        files = self._dialects.files | ({self._file} if self._file else set())
        return {file: _mark(file) for file in files}

    def _told_to_others(self) -> list[str]:
        if self._file is None or not everybody_reads(self._file):
            return []
        if not any(is_secret(name) for name in self._properties if name not in self._given):
            return []
        return [f"kafka.file: every user of this machine can read {self._file}, which holds a secret: chmod 600"]


def _mark(file: Path) -> Mark:
    try:
        found = file.stat()
    except OSError:
        return (0, 0, 0)
    return found.st_mtime_ns, found.st_size, found.st_ino
