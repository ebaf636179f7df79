"""The table server, the browser and the applications, each started or built once for all files of this folder.

The page is ours; `stage` is an application of somebody else, with the packed library and zone.js; `ten lines` is the
first example of docs/angular.md.
"""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from await_that import await_that
from changing_tables import ChangingTables
from hub_application import WEB, Application, Builds, served
from livejoin.access.keys import server_key
from livejoin.model.generation import Generation
from livejoin.settings.settings import Settings
from ports import free_ports
from table_server import Pipeline, reader, settings_of_server
from tests.browser_hub.stand import Sites, Stand, Watched, enter, watched

ROWS = 300


@pytest.fixture(scope="package")
def sites() -> Sites:
    """Where the applications of others are served, which the table servers know."""
    return Sites()


@pytest.fixture(scope="package")
def stand(broker: Settings, sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """A table server that has just been started: nobody has waited for its tables."""
    folder = tmp_path_factory.mktemp("hub")
    made = Stand(
        settings_of_server(broker, folder / "data", prefix="hub-test", origins=sites.origins), folder / "serve.log"
    )
    made.start()
    yield made
    made.process.kill()


@pytest.fixture(scope="package")
def operator(stand: Stand, builds: Builds, browser: Browser) -> Iterator[Watched]:
    """Our page, opened while the table server still starts, and left open for all tests."""
    builds.begin("stage")
    await_that(lambda: b"page is served" in stand.log.read_bytes())
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    made = watched(page)
    page.goto(f"{stand.settings.page_url}#key={server_key(stand.settings)}")
    assert b"tables are served" not in stand.log.read_bytes()
    yield made
    # An open page goes on trying to reach a server that is gone.
    page.close()
    assert not made.complaints, made.complaints


@pytest.fixture(scope="package")
def application(stand: Stand) -> Application:
    """The sources, for the table server of these tests."""
    made = Application(WEB / "dist/application")
    made.replace("src/main.ts", url=stand.settings.page_url, key=server_key(stand.settings))
    return made


@pytest.fixture(scope="package")
def builds(application: Application) -> Iterator[Builds]:
    """What is built of them."""
    with Builds(application) as made:
        yield made


@pytest.fixture(scope="package")
def stage(builds: Builds, sites: Sites) -> Iterator[str]:
    """Where `stage` is served."""
    with served(builds.folder("stage"), sites.port("stage")) as url:
        yield url


@pytest.fixture(scope="package")
def tables(sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChangingTables]:
    """Another table server, whose tables a test can change."""
    with ChangingTables(tmp_path_factory.mktemp("changing") / "data", free_ports(1)[0], sites.origins) as running:
        yield running


@pytest.fixture(scope="package")
def pipeline(stand: Stand, operator: Watched) -> Pipeline:
    """What writes for the table server of these tests, from when its tables are served."""
    assert operator
    stand.process.await_tables()
    made = Pipeline(stand.settings)
    made.create_topics()
    return made


@pytest.fixture(scope="package")
def generations(stand: Stand, pipeline: Pipeline) -> list[Generation]:
    """Four generations of different sizes, the first of them live; every userId names its generation.

    And two control messages, one millisecond apart.
    """
    made = []
    for rows in (ROWS, ROWS, 3 * ROWS, ROWS // 2):
        generation = pipeline.open()
        for user in range(rows):
            _fill(pipeline, generation, user)
        made.append(generation)
    made = [pipeline.go_live(generation) for generation in reversed(made)][::-1]
    for number, when in enumerate((1_715_934_600_123, 1_715_934_600_124)):
        message = {"raw": "?", "when": when, "verdict": "applied"}
        pipeline.send(pipeline.topics.control_log, str(number), json.dumps(message).encode())
    pipeline.flush()
    with reader(stand.settings) as viewer:
        viewer.await_generation(1)
    return made


def _fill(pipeline: Pipeline, generation: Generation, user: int) -> None:
    key = {"userId": f"g{generation.number}-{user:04}"}
    person = {"name": f"n{user}", "email": "", "age": 2**53 + 1 if user == 0 else user}
    account = {"accountType": "gold", "balance": float(user)}
    pipeline.upsert(generation, "users_ui", str(user), 1, **key, **person)
    pipeline.upsert(generation, "accounts_ui", str(user), 1, **key, **account)
    pipeline.upsert(generation, "final_ui", str(user), 1, **key, **person, **account)


@pytest.fixture
def guest(stand: Stand, browser: Browser, stage: str, generations: list[Generation]) -> Iterator[Watched]:
    """The stage, logged in at the table server, with nothing on it."""
    assert generations
    made = enter(browser, stage, stand.settings.page_url, server_key(stand.settings))
    expect(made.page.locator("#connection")).to_have_text("live")
    yield made
    made.page.close()
    assert not made.complaints, made.complaints
