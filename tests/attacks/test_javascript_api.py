"""Deephaven's own JavaScript API, in a real browser: a plain Deephaven answers who has a key, the door nobody."""

import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.attacks.plain_deephaven import APPLICATION, KEY, NOTES, PSK, PlainDeephaven
from tests.attacks.stage import Stage

ANONYMOUS = "io.deephaven.auth.AnonymousAuthenticationHandler"
"""How the API logs in who has nothing."""
_READ = """
async ([url, type, token, ticket]) => {
  const api = (await import(`${url}/jsapi/dh-core.js`)).default;
  const given = async () => {
    const client = new api.CoreClient(url);
    await client.login({ type, token });
    const connection = await client.getAsIdeConnection();
    const table = await connection.getObject({ id: btoa(ticket), type: 'Table' });
    table.setViewport(0, 9);
    const { rows } = await table.getViewportData();
    return rows.map((row) => String(row.get(table.columns[0])));
  };
  const patience = new Promise((resolve) => setTimeout(() => resolve('nothing is answered'), 4_000));
  return await Promise.race([given().catch((error) => `refused: ${error}`), patience]);
}
"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """One of a browser that believes to be where the API comes from."""
    made = browser.new_page()
    yield made
    made.close()


def test_control_the_api_reads_a_table(control: PlainDeephaven, page: Page) -> None:
    """With the key, as an application of Deephaven's would."""
    url = f"http://{control.address}"
    page.goto(f"{url}/jsapi/dh-internal.js")
    assert "of the control" in page.evaluate(_READ, [url, PSK, KEY, f"a/{APPLICATION}/f/{NOTES}"])


@pytest.mark.parametrize("who", ["", "viewer", "operator"])
def test_at_the_door_the_api_gets_nothing(stage: Stage, control: PlainDeephaven, page: Page, who: str) -> None:
    """Though it runs on a page of the door's own and presents a key that is right there; nor without one."""
    url = f"http://127.0.0.1:{stage.port}"

    def lend(route: Route) -> None:
        path = route.request.url.removeprefix(url)
        with urllib.request.urlopen(f"http://{control.address}{path}", timeout=10) as file:
            route.fulfill(body=file.read(), content_type="text/javascript")

    page.route(f"{url}/jsapi/**", lend)
    page.goto(f"{url}/healthz")
    for table in ("final_ui", f"a/{APPLICATION}/f/final_ui"):
        found = page.evaluate(_READ, [url, PSK if who else ANONYMOUS, stage.keys[who], table])
        assert isinstance(found, str), found
        assert found.startswith(("refused: ", "nothing is answered")), found
