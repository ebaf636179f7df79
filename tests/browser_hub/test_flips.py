"""Fifty changes of generation under the open page, and the precision of what it shows."""

import re

from playwright.sync_api import expect

from livejoin.model.generation import Generation
from livejoin.model.registry import Current
from livejoin.wire.records import CURRENT_KEY, to_json
from table_server import NOW, Pipeline
from tests.browser_hub.stand import Stand, Watched, is_live


def test_integers_beyond_what_a_number_holds_are_exact(operator: Watched, generations: list[Generation]) -> None:
    """2^53 + 1 reaches the cell as it is in Kafka."""
    assert generations
    grid = operator.page.get_by_test_id("grid-users_ui")
    grid.get_by_label("First page").click()
    cell = grid.get_by_role("row").filter(has_text=re.compile(r"g\d-0000")).locator('[data-column="age"]')
    expect(cell).to_have_text("9,007,199,254,740,993")


RECORD = """() => {
  const frames = { painted: 0, seen: [] };
  window.recorded = frames;
  let last = '';
  const look = () => {
    const shown = ['users_ui', 'accounts_ui', 'final_ui'].map((name) => {
      const grid = `[data-testid="grid-${name}"]`;
      const cells = [...document.querySelectorAll(`${grid} [role=gridcell][data-column=userId]`)];
      const missing = document.querySelectorAll(`${grid} [role=gridcell].waiting`).length;
      const generations = new Set(cells.map((cell) => cell.textContent.trim().split('-')[0]));
      return [...generations, ...(cells.length === 0 ? ['empty'] : []), ...(missing ? ['missing'] : [])].join(' ');
    });
    const terms = [...document.querySelectorAll('[data-testid=status-strip] dt')];
    const term = terms.find(({ textContent }) => textContent === 'Generation');
    const status = term.nextElementSibling.textContent.trim();
    const frame = [...shown, `g${status}`].join(', ');
    frames.generation = `g${status}`;
    frames.painted += 1;
    if (frame !== last) frames.seen.push(frame);
    last = frame;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def test_fifty_flips_are_fifty_frames(stand: Stand, operator: Watched, generations: list[Generation]) -> None:
    """In no painted frame is a grid empty, a cell missing, or one table of another generation than the others."""
    pipeline = Pipeline(stand.settings)
    order = [generations[turn % 4].number for turn in range(1, 51)]
    is_live(operator)
    before = list(operator.lines)
    operator.page.evaluate(RECORD)
    for number in order:
        pipeline.send(pipeline.topics.state, CURRENT_KEY, to_json(Current(generation=number, at=NOW)))
        pipeline.flush()
        operator.page.wait_for_function("(number) => window.recorded.generation === number", arg=f"g{number}")
    recorded = operator.page.evaluate("() => window.recorded")

    torn = [frame for frame in recorded["seen"] if len(set(frame.split(", "))) > 1]
    assert not torn
    assert [frame.split(", ")[0] for frame in recorded["seen"][-50:]] == [f"g{number}" for number in order]
    assert recorded["painted"] > 100
    # The handles have lived through all of it.
    assert operator.lines == before
