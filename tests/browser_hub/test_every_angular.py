"""The packages in applications with every major of Angular after the page's own: with `--every-angular` only.

`npm install --package-lock-only --omit-lockfile-registry-resolved` in a folder of tests/support/angular_majors locks
others.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from hub_application import MAJORS, ApplicationOfMajor, served
from livejoin.access.keys import server_key
from livejoin.model.generation import Generation
from tests.browser_hub.stand import Sites, Stand, enter, watched
from tests.browser_hub.test_the_examples import shows_every_documented_way


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Once per major where it is asked for; installing each takes a minute and half a gigabyte."""
    majors = sorted(int(folder.name) for folder in MAJORS.iterdir())
    metafunc.parametrize("major", majors if metafunc.config.getoption("--every-angular") else [])


@pytest.mark.timeout(900)
def test_the_packages_work_with_this_major(
    major: int, stand: Stand, sites: Sites, browser: Browser, generations: list[Generation], tmp_path: Path
) -> None:
    """They can be installed, the documented test passes, and every example is built and shows live rows."""
    assert generations
    url, key = stand.settings.page_url, server_key(stand.settings)
    application = ApplicationOfMajor(tmp_path / "application", major)
    application.run_tests()
    with served(application.build("stage"), sites.port("stage of a major")) as address:
        guest = enter(browser, address, url, key)
        expect(guest.page.locator("[ng-version]")).to_have_attribute("ng-version", re.compile(rf"^{major}\."))
        shows_every_documented_way(guest.page)
        assert not guest.complaints, guest.complaints
        guest.page.close()
    application.replace("src/main.ts", url=url, key=key)
    with served(application.build("ten-lines"), sites.port("ten lines of a major")) as address:
        stranger = watched(browser.new_page())
        stranger.page.goto(address)
        expect(stranger.page.locator("[role=gridcell][data-column=userId]").first).to_have_text(re.compile(r"g\d-0000"))
        assert not stranger.complaints, stranger.complaints
        stranger.page.close()
