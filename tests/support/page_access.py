"""What axe finds on the page, in every size and theme."""

from typing import Any

from playwright.sync_api import Page, ViewportSize

PHONE = ViewportSize(width=390, height=844)
DESKTOP = ViewportSize(width=1280, height=800)
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
CONTRAST = {"type": "rule", "values": ["color-contrast"]}


def violations(page: Page, rules: dict[str, Any], part: str = "html") -> list[str]:
    """What axe finds in a part of the page, as rule and place."""
    look = "([part, rules]) => axe.run(part, { runOnly: rules })"
    found: dict[str, Any] = page.evaluate(look, [part, rules])
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]}" for rule in found["violations"] for node in rule["nodes"]
    ]


def violations_in_both_themes(page: Page, part: str = "html") -> list[str]:
    """The same, in dark and in light, which differ in their colours only."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    in_the_dark = violations(page, RULES, part)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return in_the_dark + violations(page, CONTRAST, part)


def check_everywhere(page: Page) -> None:
    """Neither wide nor on a phone; wide again afterwards."""
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert violations_in_both_themes(page) == []
