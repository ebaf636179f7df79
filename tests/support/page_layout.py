"""Whether everything on the page has its place: nothing covers, cuts or crowds out something else, no space is lost."""

from pathlib import Path

from playwright.sync_api import Page

LOOK = Path(__file__).with_suffix(".js")


def layout_faults(page: Page) -> list[str]:
    """What is wrong, in words."""
    found: list[str] = page.evaluate(LOOK.read_text(encoding="utf-8"))
    return found
