"""The bill of materials of a release: every component, as CycloneDX has it. The same bytes for the same components."""

import json
from collections.abc import Iterable

from audit.component import Component
from audit.licences import UNKNOWN, licence


def bill_of_materials(components: Iterable[Component], version: str) -> str:
    """CycloneDX 1.6, without the time and the number that it may have: a release is made twice and compared."""
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "livejoin", "version": version}},
        "components": [_entry(component) for component in components],
    }
    return json.dumps(content, indent=2) + "\n"


def _entry(component: Component) -> dict[str, object]:
    group, _, name = component.name.rpartition(":")
    found = licence(component)
    return {
        "type": "library",
        **({"group": group} if group else {}),
        "name": name,
        "version": component.version,
        **({"purl": component.purls[0]} if component.purls else {}),
        **({"licenses": [{"license": {"name": found}}]} if found != UNKNOWN else {}),
        **({"description": component.guess} if component.guess else {}),
    }
