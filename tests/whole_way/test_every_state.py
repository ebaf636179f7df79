"""Every state in which a person can find the page: axe finds nothing, and everything has its place.

Wide and on a phone, dark and light, before the real stack. How each state is opened is in tests/support/page_states.py,
from where docs/images are made, too.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from hub_application import WEB
from page_access import violations_in_both_themes
from page_layout import layout_faults
from page_people import ACCOUNTS_TOPIC, USERS_TOPIC
from page_stage import Stage, send_topics
from page_states import STATES
from up import Up


@pytest.fixture(scope="module")
def stage(people: Up, browser: Browser) -> Iterator[Stage]:
    """The page, open wide and on a phone, with some thousand people live and topics to swap to."""
    send_topics(people)
    made = Stage(people, browser, USERS_TOPIC, ACCOUNTS_TOPIC, "1", [WEB / "node_modules/axe-core/axe.min.js"])
    made.enter()
    yield made
    for page in made.pages:
        page.context.close()


@pytest.mark.parametrize("name", STATES)
def test_axe_finds_nothing_and_everything_has_its_place(stage: Stage, name: str) -> None:
    """Nothing covers, cuts or crowds out something else, no part of the page scrolls sideways, and no space is lost."""
    state = STATES[name]
    with state.open(stage) as pages:
        faults = [
            fault for page in pages for fault in (*violations_in_both_themes(page, state.part), *layout_faults(page))
        ]
    # A state that was not left would be found in all that follow.
    assert faults == []
