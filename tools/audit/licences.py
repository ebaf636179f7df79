"""Licences: many ways to say the same brought to SPDX's names, and which of them a person should look at."""

import re
from collections.abc import Iterable

from audit.component import Component

UNKNOWN = "unknown"

# In this order: the first that fits counts. A text is compared in lower case, with single spaces.
_WORDINGS = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"deephaven (data labs|community)", "Deephaven Community License"),
        (r"confluent community", "Confluent Community License"),
        (r"spdx-license-identifier: apache-2\.0 or lgpl-2\.1-or-later", "Apache-2.0 OR LGPL-2.1-or-later"),
        (r"cddl ?\+ ?gpl", "(CDDL-1.1 OR GPL-2.0-only WITH Classpath-exception-2.0)"),
        (r"classpath|w/ ?cpe", "GPL-2.0-only WITH Classpath-exception-2.0"),
        (r"(common development and distribution licen[cs]e|cddl)[ (cdl)]*(version |v)?1\.1", "CDDL-1.1"),
        (r"common development and distribution|cddl", "CDDL-1.0"),
        (r"(lesser general|lgpl).*(2\.1|v2)", "LGPL-2.1-only"),
        (r"(lesser general|lgpl).*3", "LGPL-3.0-only"),
        (r"lesser general|lgpl", "LGPL (version not said)"),
        (r"eclipse distribution|\bedl\b|edl-?v1", "BSD-3-Clause"),
        (r"(eclipse.*|epl).*(1\.0|v10)", "EPL-1.0"),
        (r"(eclipse.*public|epl).*(2\.0|v ?2|v20)", "EPL-2.0"),
        (r"(mozilla|mpl).*1\.1", "MPL-1.1"),
        (r"(mozilla|mpl).*2\.0", "MPL-2.0"),
        (r"apache software license,? version 1\.1", "Apache-1.1"),
        (r"apache", "Apache-2.0"),
        (r"bsd[ -]?0|0bsd|zero.clause", "0BSD"),
        (r"bsd.?2|2.clause bsd|simplified bsd", "BSD-2-Clause"),
        (
            r"bsd.?3|3.clause bsd|(new|revised|modified) bsd|asm\.ow2|antlr\.org/license|the go licen[cs]e",
            "BSD-3-Clause",
        ),
        (r"\bbsd\b|bsd-licen[cs]e", "BSD (clauses not said)"),
        (r"creative commons cc0|publicdomain/zero|\bcc0\b", "CC0-1.0"),
        (r"public domain", "public domain"),
        (r"\bmit\b|mit-licen[cs]e|permission is hereby granted, free of charge", "MIT"),
        (r"\bisc\b", "ISC"),
        (r"python software foundation", "PSF-2.0"),
        (r"unicode", "Unicode-3.0"),
    )
)

# Those of opensource.org's list that are in use; another one is shown, which is the safer mistake.
# fmt: off
OSI_APPROVED = frozenset({
    "0BSD", "AFL-3.0", "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-1.1", "Apache-2.0", "Artistic-2.0",
    "BlueOak-1.0.0", "BSD-1-Clause", "BSD-2-Clause", "BSD-2-Clause-Patent", "BSD-3-Clause", "BSL-1.0", "CDDL-1.0",
    "CDDL-1.1", "CPL-1.0", "ECL-2.0", "EPL-1.0", "EPL-2.0", "EUPL-1.2", "GPL-2.0-only", "GPL-2.0-or-later",
    "GPL-3.0-only", "GPL-3.0-or-later", "ISC", "LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only",
    "LGPL-3.0-or-later", "MIT", "MIT-0", "MPL-1.1", "MPL-2.0", "MS-PL", "NCSA", "OFL-1.1", "OSL-3.0", "PostgreSQL",
    "PSF-2.0", "Python-2.0", "UPL-1.0", "Unicode-3.0", "Unicode-DFS-2016", "Unlicense", "W3C", "Zlib", "ZPL-2.1",
    "BSD (clauses not said)", "GPL-2.0-with-classpath-exception", "LGPL (version not said)",
})
# fmt: on

_SPDX = re.compile(r"[A-Za-z0-9.+-]+")
_WORDS = {"license", "licence", "bsd", "apache", "gpl", "lgpl", "epl", "mpl", "unknown", "proprietary", "other"}
"""Single words that look like an SPDX name and are none."""
_EXPRESSION = re.compile(r"\(|\)|[^\s()]+")
LONGEST_SHOWN = 70


def named(text: str) -> str:
    """A wording as an SPDX expression, or as it is, shortened, where nothing is known about it."""
    tidy = " ".join(text.split())
    if _is_expression(tidy):
        return tidy
    low = tidy.lower()
    for pattern, name in _WORDINGS:
        if pattern.search(low):
            return name
    return tidy if len(tidy) <= LONGEST_SHOWN else f"{tidy[:LONGEST_SHOWN]}..."


def licence(component: Component) -> str:
    """All that a component says about its licence, in one line."""
    names = sorted({named(text) for text in component.licences if text.strip()})
    if len(names) > 1:
        names = [f"({name})" if " OR " in name and not name.startswith("(") else name for name in names]
    return " AND ".join(names) or UNKNOWN


def needs_a_look(component: Component) -> bool:
    """Whether some licence is unknown or not approved by the Open Source Initiative, and no alternative is."""
    names = {named(text) for text in component.licences if text.strip()}
    return not names or not all(approved(name) for name in names)


def approved(expression: str) -> bool:
    """Whether one may choose a way through an expression that has approved licences only."""
    if expression in OSI_APPROVED:
        return True
    tokens = _EXPRESSION.findall(expression)
    try:
        value = _either(tokens)
    except IndexError:
        return False
    return value and not tokens


def by_licence(components: Iterable[Component]) -> dict[str, list[Component]]:
    """Components of the same licence together, the most frequent licence first."""
    groups: dict[str, list[Component]] = {}
    for component in components:
        groups.setdefault(licence(component), []).append(component)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def _is_expression(text: str) -> bool:
    """Whether a text is SPDX already: names without spaces, joined by its operators."""
    tokens = [token for token in _EXPRESSION.findall(text) if token not in ("(", ")")]
    names = [token for token in tokens if token not in ("AND", "OR", "WITH")]
    if not names or len(names) * 2 - 1 != len(tokens):
        return False
    return all(_SPDX.fullmatch(name) and name.lower() not in _WORDS for name in names)


def _either(tokens: list[str]) -> bool:
    value = _both(tokens)
    while tokens and tokens[0] == "OR":
        tokens.pop(0)
        value = _both(tokens) or value
    return value


def _both(tokens: list[str]) -> bool:
    value = _single(tokens)
    while tokens and tokens[0] == "AND":
        tokens.pop(0)
        value = _single(tokens) and value
    return value


def _single(tokens: list[str]) -> bool:
    token = tokens.pop(0)
    if token == "(":  # noqa: S105 - a bracket
        value = _either(tokens)
        tokens.pop(0)
        return value
    if tokens and tokens[0] == "WITH":
        # An exception only adds to what a licence allows.
        del tokens[:2]
    return token in OSI_APPROVED
