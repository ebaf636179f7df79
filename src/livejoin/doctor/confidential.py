"""What must not be told, whoever says it: the words of brokers, providers and Spark may repeat a secret."""

from collections.abc import Iterator, Mapping

from livejoin.doctor.finding import Finding
from livejoin.errors import LivejoinError
from livejoin.kafka.client import KafkaClient
from livejoin.secrecy.masked import MASK, is_secret, masked_text
from livejoin.settings.settings import Settings

SHORTEST = 4
"""A secret of fewer characters keeps nobody out, and hiding it would make every text unreadable."""


class Confidential:
    """The secrets of some settings, and findings without them."""

    def __init__(self, settings: Settings) -> None:
        found = {text for text in _secrets(settings) if len(text) >= SHORTEST}
        # The longest first: one may be a part of another.
        self._secrets = sorted(found, key=len, reverse=True)

    def without(self, finding: Finding) -> Finding:
        """The same finding, safe to show."""
        return Finding(
            finding.verdict,
            self.hide(finding.about),
            self.hide(finding.tried),
            self.hide(finding.found),
            self.hide(finding.do),
            finding.check,
        )

    def hide(self, text: str) -> str:
        """A text with a mask in the place of each secret."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return masked_text(text)


def _secrets(settings: Settings) -> Iterator[str]:
    for client in _clients(settings):
        for properties in (client.properties, client.librdkafka(), client.java()):
            yield from _of(properties)
    yield from _of(settings.spark.conf)


def _clients(settings: Settings) -> Iterator[KafkaClient]:
    yield settings.people_client
    try:
        yield settings.kafka_client
    except LivejoinError:
        # No broker of our own was started, so that there is no password either.
        return


def _of(properties: Mapping[str, str]) -> Iterator[str]:
    return (text for name, text in properties.items() if is_secret(name))
