"""Plots of the results, as SVG that is readable on dark and on light."""

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contest.phases import Measured

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 360, 64, 48, 40, 230
INK, GRID = "#6b7684", "#6b768440"
COLOURS = ("#2f81f7", "#db6d28", "#2da44e", "#a371f7", "#bf8700", "#d1242f")
SHARES = (0.5, 0.9, 0.99, 0.999, 1.0)
MILLISECONDS = (1, 3, 10, 30, 100, 300, 1_000, 3_000)

Results = Mapping[str, Sequence["Measured"]]


def delay_plot(results: Results) -> str:
    """How late events were seen, by their share, for every phase that looked at that."""
    lines = {
        f"{name}: {measured.phase}": measured.delays.all
        for name, phases in results.items()
        for measured in phases
        if measured.delays is not None and not measured.phase.startswith("warm-up")
    }
    return _picture("How late events are seen, milliseconds", [*_delays(lines)])


def duration_plot(results: Results) -> str:
    """How long catching up took."""
    bars = {name: one.seconds for name, found in results.items() for one in found if one.phase == "catching up"}
    return _picture("From the start to the complete table, seconds", [*_bars(bars)])


def _delays(lines: Mapping[str, Sequence[float]]) -> Iterator[str]:
    low, high = math.log10(MILLISECONDS[0]), math.log10(MILLISECONDS[-1])

    def y(value: float) -> float:
        at = (math.log10(min(max(value, MILLISECONDS[0]), MILLISECONDS[-1])) - low) / (high - low)
        return HEIGHT - BOTTOM - at * (HEIGHT - BOTTOM - TOP)

    steps = {share: LEFT + at * (WIDTH - LEFT - RIGHT) / (len(SHARES) - 1) for at, share in enumerate(SHARES)}
    for value in MILLISECONDS:
        yield _line(LEFT, y(value), WIDTH - RIGHT, y(value), GRID)
        yield _text(LEFT - 8, y(value) + 4, f"{value:,}", "end")
    for share, x in steps.items():
        yield _text(x, HEIGHT - BOTTOM + 20, "longest" if share == 1.0 else f"{share * 100:g} %", "middle")
    for number, (name, delays) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [(x, delays[min(len(delays) - 1, int(len(delays) * share))]) for share, x in steps.items()]
        points = " ".join(f"{x:.1f},{y(value):.1f}" for x, value in places)
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield _text(WIDTH - RIGHT + 16, TOP + 18 * number, name, "start", colour)


def _bars(bars: Mapping[str, float]) -> Iterator[str]:
    longest = max(bars.values(), default=1.0)
    for number, (name, seconds) in enumerate(bars.items()):
        y, width = TOP + 24 + 44 * number, seconds / longest * (WIDTH - LEFT - RIGHT)
        yield f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="22" fill="{COLOURS[number % len(COLOURS)]}"/>'
        yield _text(LEFT + width + 8, y + 16, f"{name}: {seconds:.1f} s", "start")


def _picture(title: str, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="12" '
        f'font-family="system-ui, sans-serif"><title>{escape(title)}</title>'
    )
    return "\n".join([head, _text(LEFT, 20, title, "start"), *parts, "</svg>\n"])


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str, colour: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
