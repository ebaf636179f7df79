"""Everybody can use the page: by key and by finger, with nothing that jumps or moves by itself.

What axe finds in each of its states is in test_every_state.py.
"""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from default_tables import FINAL_UI
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from page_access import DESKTOP, PHONE
from page_people import ACCOUNTS_TOPIC, ONE, ONE_TOPIC, show_people
from up import Up

PAGE_MS = 30_000
SILENT_MS = 75_000
"""After a minute a topic is called silent; other tests have written to it before this one, or nobody for longer."""


@pytest.fixture(scope="module")
def people_url(people: Up) -> str:
    """The address of the page, with everybody live."""
    return show_people(people)


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person who wants no motion."""
    opened = browser.new_context(reduced_motion="reduce", color_scheme="dark")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def page(people_url: str, context: BrowserContext) -> Page:
    """The page, logged in."""
    opened = context.new_page()
    opened.set_default_timeout(PAGE_MS)
    opened.goto(people_url)
    expect(opened.get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    return opened


def test_the_join_is_first_and_has_most_of_the_room(page: Page) -> None:
    """Little stands above it, it shows fourteen rows at least, and on a phone it is what one sees."""
    page.set_viewport_size(DESKTOP)
    tables = page.locator("main")
    box = tables.bounding_box()
    assert box is not None
    assert box["y"] < 96
    first = page.locator("lj-table-panel").first
    expect(first.get_by_role("heading")).to_have_text("Joined")
    whole = first.evaluate(
        """(panel) => {
          const body = panel.querySelector('[role=grid]').getBoundingClientRect();
          const cells = [...panel.querySelectorAll('[role=gridcell][data-column=userId]')];
          const isWhole = (box) => box.top >= body.top && box.bottom <= body.bottom;
          return cells.filter((cell) => isWhole(cell.getBoundingClientRect())).length;
        }"""
    )
    assert whole >= 14
    page.set_viewport_size(PHONE)
    on_phone = first.bounding_box()
    assert on_phone is not None
    assert on_phone["y"] < 100
    assert on_phone["height"] > PHONE["height"] * 0.7
    sizes = page.evaluate(
        """() => [...document.querySelectorAll('header button, lj-table-tools button, lj-table-pager button')]
          .filter((button) => button.checkVisibility({ visibilityProperty: true }))
          .map((button) => [button.getBoundingClientRect(), button.outerHTML.slice(0, 90)])
          .filter(([box]) => box.width < 32 || box.height < 32)
          .map(([box, what]) => `${box.width} x ${box.height} ${what}`)"""
    )
    assert sizes == []


def test_the_panel_moves_nothing_and_gives_the_focus_back(page: Page) -> None:
    """Every table keeps its place and width; what has gone meanwhile is replaced by the button that opens the panel."""
    page.set_viewport_size(DESKTOP)
    places = """() => [...document.querySelectorAll('lj-table-panel, header, lj-status-strip')]
      .map((one) => JSON.stringify(one.getBoundingClientRect()))"""
    before = page.evaluate(places)
    page.get_by_test_id("open-control").click()
    expect(page.get_by_test_id("control-panel")).to_be_focused()
    assert page.evaluate(places) == before
    head, panel = page.locator("header").bounding_box(), page.get_by_test_id("control-panel").bounding_box()
    assert head is not None
    assert panel is not None
    assert panel["y"] >= head["y"] + head["height"]
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("open-control")).to_be_focused()
    letters = page.get_by_test_id("letters")
    letters.click()
    expect(page.get_by_test_id("control-panel")).to_be_focused()
    letters.evaluate("(button) => button.remove()")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("open-control")).to_be_focused()
    page.reload()
    expect(page.get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)


def test_the_font_that_is_named_is_there(page: Page) -> None:
    """From the page's own address, and not from whoever has it installed."""
    fonts = page.evaluate(
        "() => document.fonts.ready.then(() => [...document.fonts].map((font) => [font.family, font.status]))"
    )
    assert ["Inter", "loaded"] in [[family.strip("'\""), status] for family, status in fonts]


def test_a_phone_shows_one_column_and_nothing_beyond_its_edge(page: Page) -> None:
    """The page itself never scrolls sideways."""
    page.set_viewport_size(PHONE)
    panels = page.locator("lj-table-panel")
    boxes = [panels.nth(number).bounding_box() for number in range(3)]
    assert all(box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert len({box["x"] for box in boxes if box is not None}) == 1
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for button in page.locator("header button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE["width"]


def test_a_finger_finds_what_it_touches(people_url: str, browser: Browser) -> None:
    """On a touch screen every button and field around the rows is at least 32 pixels high and wide."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.goto(people_url)
    table = phone.get_by_test_id(f"grid-{FINAL_UI.name}")
    expect(table.get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    table.get_by_test_id("search").fill("person")
    expect(table.get_by_test_id("chip")).to_be_visible()
    table.get_by_test_id("columns").tap()
    table.get_by_test_id("arrange-age").tap()
    expect(table.get_by_test_id("column-menu")).to_be_visible()
    small = table.locator("button, input, select").evaluate_all(
        """(all) => all.filter((one) => one.checkVisibility()).map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return [one.dataset.testid ?? one.title, width, height];
        }).filter(([, width, height]) => width < 32 || height < 32)"""
    )
    # The button of a head is as high as the head, which has 36 pixels less a line.
    assert small == []
    context.close()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_border_of_a_field_can_be_seen(page: Page, scheme: str) -> None:
    """At least 3 to 1 against what is inside and outside of it, as for everything that is needed to find a control."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for name in ("search", "jump"):
        contrasts = (
            page.get_by_test_id(f"grid-{FINAL_UI.name}")
            .get_by_test_id(name)
            .evaluate(
                """(field) => {
              const light = (colour) => {
                const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => Number(part) / 255);
                const [r, g, b] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
              const border = light(getComputedStyle(field).borderTopColor);
              const outside = light(getComputedStyle(field.closest('.panel')).backgroundColor);
              return [light(getComputedStyle(field).backgroundColor), outside].map((one) => contrast(border, one));
            }"""
            )
        )
        assert min(contrasts) >= 3, (name, contrasts)


def test_splitters_share_the_room_by_pointer_and_keys_and_it_is_remembered(page: Page) -> None:
    """Both splitters are separators that say where they are."""
    page.set_viewport_size(DESKTOP)
    joined = page.locator("lj-table-panel").first
    before = joined.bounding_box()
    line = page.get_by_role("separator", name=re.compile("joined"))
    box = line.bounding_box()
    assert before is not None
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] - 200, box["y"] + 40, steps=3)
    page.mouse.up()
    after = joined.bounding_box()
    assert after is not None
    assert after["width"] < before["width"] - 150
    across = page.get_by_role("separator", name=re.compile("users and accounts"))
    across.focus()
    now = int(across.get_attribute("aria-valuenow") or 0)
    page.keyboard.press("ArrowDown")
    expect(across).to_have_attribute("aria-valuenow", str(now + 2))
    page.reload()
    expect(across).to_have_attribute("aria-valuenow", str(now + 2))
    expect(page.get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    line.dblclick()
    across.dblclick()
    expect(across).to_have_attribute("aria-valuenow", str(now))


def test_the_first_paint_comes_within_a_second_and_nothing_moves_by_itself(page: Page) -> None:
    """A second visit, as an operator makes it; no animation runs for somebody who wants none."""
    page.reload()
    expect(page.get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    paint = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 1_000
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_every_animation_that_a_style_names_is_there(page: Page) -> None:
    """A build gives keyframes other names, and must not leave out a place where they are used."""
    named, known = page.evaluate(
        """() => {
          const all = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
          const rules = all.flatMap((rule) => (rule instanceof CSSGroupingRule ? [...rule.cssRules] : [rule]));
          const named = rules.map((rule) => rule.style?.animationName).filter((name) => name && name !== 'none');
          return [named, rules.filter((rule) => rule instanceof CSSKeyframesRule).map(({ name }) => name)];
        }"""
    )
    assert len(named) >= 4
    assert set(named) <= set(known)


def test_nothing_jumps_while_topics_are_swapped(up: Up, page: Page) -> None:
    """Tables stay where they are while a swap is announced, made and confirmed; its stages are told, grids are busy."""
    page.set_viewport_size(DESKTOP)
    page.evaluate(
        """() => {
          window.seen = { tops: new Set(), stages: new Set(), isBusy: false };
          const look = () => {
            for (const panel of document.querySelectorAll('lj-table-panel')) {
              window.seen.tops.add(Math.round(panel.getBoundingClientRect().top));
            }
            const title = document.querySelector('[data-kind=building]:has([role=progressbar]) .title');
            if (title !== null) window.seen.stages.add(title.textContent);
            window.seen.isBusy ||= document.querySelector('[role=grid][aria-busy=true]') !== null;
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    up.show(ONE_TOPIC, ACCOUNTS_TOPIC)
    expect(page.get_by_test_id("roll-back")).to_be_visible()
    expect(page.get_by_test_id("status-strip")).to_contain_text(ONE_TOPIC)
    seen = page.evaluate("() => ({ ...window.seen, tops: [...window.seen.tops], stages: [...window.seen.stages] })")
    assert len(seen["tops"]) == 2, "the join beside its sources, one above the other, never anywhere else"
    assert seen["isBusy"]
    assert any("reading and joining what the topics hold" in stage for stage in seen["stages"]), seen["stages"]


def test_the_strip_tells_rate_lag_and_age(up: Up, page: Page) -> None:
    """Events that flow are counted per second, none is left waiting, and each topic has the age of its newest event."""
    up.show(ONE_TOPIC, ACCOUNTS_TOPIC)
    strip = page.get_by_test_id("status-strip")
    expect(strip.get_by_test_id("lag")).to_have_text("0", timeout=PAGE_MS)
    producer = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap})).producer()
    for number in range(300):
        producer.produce(ONE_TOPIC, key="one", value=json.dumps({**ONE, "age": number}))
    assert producer.flush(10) == 0
    expect(strip.get_by_test_id("rate")).to_have_text(re.compile(r"^[1-9]"), timeout=PAGE_MS)
    expect(strip.get_by_test_id("scale")).to_have_text(re.compile(r"^[125]0*$"))
    expect(strip.get_by_test_id("age-left")).to_have_text(re.compile(r"^(<\s1|\d+)\ss ago$"))
    # Nobody has written to the other one for a minute, however often the server is heard.
    quiet = strip.get_by_test_id("age-right")
    expect(quiet).to_have_text(re.compile(r"^no event for \d+\smin$"), timeout=SILENT_MS)
    expect(quiet).to_have_attribute("title", re.compile("nothing new has come"))
    expect(strip.locator("polyline")).to_have_attribute("points", re.compile(r"\d"))
