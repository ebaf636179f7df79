"""A real Prometheus on loopback that looks five times a second, with the rules that are delivered."""

import json
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from livejoin.checkout import checkout
from ports import free_ports

UNPACKED = ".cache/prometheus/usr/bin"


def checkout_file(path: str) -> Path:
    """A file of this repository."""
    root = checkout()
    assert root is not None
    return root / path


RULES = checkout_file("deploy/prometheus/livejoin.rules.yml")


def tool(name: str) -> str:
    """Where prometheus or promtool is; where it is not, nothing that is tested with it holds."""
    found = shutil.which(name) or shutil.which(name, path=str(checkout_file(UNPACKED)))
    assert found, f"no {name}: `make test` fetches it, or says how (tools/need prometheus)"
    return found


def _private(folder: Path, name: str, key: str) -> str:
    file = folder / f"{name}.key"
    file.touch(0o600)
    file.write_text(key, encoding="utf-8")
    return str(file)


class Prometheus:
    """Scrapes these jobs, each at one port of this machine, with these keys. Whoever makes it stops it."""

    def __init__(
        self,
        folder: Path,
        jobs: dict[str, int],
        keys: Mapping[str, str] = MappingProxyType({}),
        interval: str = "200ms",
    ) -> None:
        [self._port] = free_ports(1)
        # Nobody waits for minutes here: what holds once holds.
        rules = re.sub(r"\bfor: \w+", "for: 0s", RULES.read_text(encoding="utf-8"))
        (folder / "rules.yml").write_text(rules, encoding="utf-8")
        config = {
            "global": {"scrape_interval": interval, "scrape_timeout": interval, "evaluation_interval": "200ms"},
            "rule_files": ["rules.yml"],
            "scrape_configs": [
                {
                    "job_name": job,
                    "static_configs": [{"targets": [f"127.0.0.1:{port}"]}],
                    **(
                        {"authorization": {"credentials_file": _private(folder, job, keys[job])}} if job in keys else {}
                    ),
                }
                for job, port in jobs.items()
            ],
        }
        # JSON is YAML.
        (folder / "prometheus.yml").write_text(json.dumps(config), encoding="utf-8")
        self._process = subprocess.Popen(
            [
                tool("prometheus"),
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'tsdb'}",
                f"--web.listen-address=127.0.0.1:{self._port}",
                "--log.level=warn",
            ]
        )

    def value(self, expression: str) -> float | None:
        """What an expression is worth now, where it is worth anything."""
        result = self._ask("query", query=expression).get("result", [])
        return float(result[0]["value"][1]) if result else None

    def firing(self) -> set[str]:
        """The alerts that somebody would be told about."""
        alerts = self._ask("alerts").get("alerts", [])
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(20)

    def _ask(self, what: str, **arguments: str) -> dict[str, Any]:
        """Nothing while it starts."""
        url = f"http://127.0.0.1:{self._port}/api/v1/{what}?{urlencode(arguments)}"
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                data: dict[str, Any] = json.load(answer)["data"]
                return data
        except OSError:
            assert self._process.poll() is None, "Prometheus has ended"
            return {}
