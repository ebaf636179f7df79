"""What a process of livejoin says at its `/metrics`, as a Prometheus reads it."""

import urllib.request

from prometheus_client.parser import text_string_to_metric_families


class Scrape:
    """Everything that a process measures at one moment."""

    def __init__(self, url: str, key: str = "") -> None:
        request = urllib.request.Request(url, headers={"authorization": f"Bearer {key}"} if key else {})  # noqa: S310
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310  the address is our own
            self.text = answer.read().decode()
        families = list(text_string_to_metric_families(self.text))
        # The parser takes the end off the name of a counter.
        self.names = {f"{family.name}_total" if family.type == "counter" else family.name for family in families}
        self._samples = [sample for family in families for sample in family.samples]

    def sum(self, name: str, **labels: str) -> float:
        """A value, or several added up."""
        found = [s.value for s in self._samples if s.name == name and labels.items() <= s.labels.items()]
        assert found, f"there is no {name} with {labels}"
        return sum(found)
