"""Renews docs/images: the page in each of its states, wide and on a phone, dark and light.

    PYTHONPATH=tests/support .venv/bin/python tests/bench/page_images.py [--only live,swapping]

Starts a `livejoin up` of its own in a temporary folder, with demo data, and goes through the states that
tests/whole_way/test_every_state.py looks at. The table of pictures in docs/page.md is written anew, too.
"""

import argparse
import base64
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from chromium import CHROMIUM_FLAGS
from hub import say
from page_stage import Stage, send_topics
from page_states import STATES
from up import GIVEN_KEY, GIVEN_VARIABLE, Up, end_up, start_up, write_keys

DOCS = Path(__file__).parents[2] / "docs"
IMAGES = DOCS / "images"
THEMES = ("dark", "light")
SLOW_MS = 120_000
TABLE = re.compile(r"(?<=\n)\| \| wide, dark.*?(?=\n\n|\Z)", re.DOTALL)

TO_WEBP = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.82).split(',')[1];
}"""


def main() -> None:
    """Go through the states."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="states to renew, with commas between; all where it is left out")
    only = {name for name in parser.parse_args().only.split(",") if name}
    IMAGES.mkdir(exist_ok=True)
    expect.set_options(timeout=SLOW_MS)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as up, sync_playwright() as playwright:
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        converter = browser.new_page()
        stage = Stage(up, browser, "users", "accounts", "an")
        stage.enter()
        # A curve of some length: the strip looks twice a second.
        points = re.compile(r"(\S+ ){50}")
        expect(stage.pages[0].locator("polyline")).to_have_attribute("points", points)
        for name, state in STATES.items():
            if only and name not in only:
                continue
            with state.open(stage) as pages:
                shoot(name, pages, converter)
        browser.close()
    write_table()


def shoot(name: str, pages: list[Page], converter: Page) -> None:
    """A picture of every page in every theme."""
    shots = {}
    for page in pages:
        size = page.viewport_size
        assert size is not None
        for theme in THEMES:
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
            shots[f"{size['width']}-{theme}"] = page.screenshot(animations="disabled")
    # Converted afterwards: what is shown may last for a moment only.
    for kind, png in shots.items():
        webp: str = converter.evaluate(TO_WEBP, base64.b64encode(png).decode())
        file = IMAGES / f"{name}-{kind}.webp"
        file.write_bytes(base64.b64decode(webp))
        say(f"{file.name} {file.stat().st_size // 1_000} kB")


def write_table() -> None:
    """Write the table of docs/page.md: every state has its pictures, and every picture its state."""
    page = DOCS / "page.md"
    head = ["| | wide, dark | wide, light | phone, dark | phone, light |", "| --- | --- | --- | --- | --- |"]
    lines = [f"| {' | '.join([state.title, *pictures(name, state.title)])} |" for name, state in STATES.items()]
    page.write_text(TABLE.sub("\n".join([*head, *lines]), page.read_text(encoding="utf-8")), encoding="utf-8")


def pictures(name: str, title: str) -> Iterator[str]:
    """Those of one state."""
    for width, shown in ((1280, 240), (390, 110)):
        for theme in THEMES:
            yield f'<img src="images/{name}-{width}-{theme}.webp" width="{shown}" alt="{title}">'


@contextmanager
def running(folder: Path) -> Iterator[Up]:
    """`livejoin up` with a demo that writes until the end, and topics to swap to."""
    keys = write_keys(folder)
    data = folder / "data"
    data.mkdir()
    pairs = ("swap.linger_seconds=60", f"access.file={keys}")
    up = start_up(data, *pairs, env={GIVEN_VARIABLE: GIVEN_KEY})
    demo = subprocess.Popen(up.command("demo", "--rate", "40"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        send_topics(up)
        yield up
    finally:
        demo.kill()
        demo.wait()
        end_up(up)


if __name__ == "__main__":
    main()
