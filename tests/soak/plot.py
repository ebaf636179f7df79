"""Plots of the samples of a run, one file for each kind of number: SVG, which every browser shows."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from tests.soak.verdict import AT, TOLERANCES, Sample, kind_of, series_of

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 360, 70, 190, 30, 40
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")
TICKS = 5


def write_plots(samples: Sequence[Sample], folder: Path) -> list[Path]:
    """A plot of each kind, with a line for each series of it."""
    kinds = dict.fromkeys(kind_of(name) for name in series_of(samples))
    files = [folder / f"{kind}.svg" for kind in kinds]
    for kind, file in zip(kinds, files, strict=True):
        names = [name for name in series_of(samples) if kind_of(name) == kind]
        file.write_text(_plot(samples, kind, names), encoding="utf-8")
    return files


def _plot(samples: Sequence[Sample], kind: str, names: list[str]) -> str:
    end = max(samples[-1][AT], 1.0)
    top = max((sample[name] for sample in samples for name in names if name in sample), default=1.0) * 1.05 or 1.0
    unit = TOLERANCES[kind].unit
    drawn = [f'<text x="{LEFT}" y="18" font-weight="bold">{escape(kind)}{f", {unit}" if unit else ""}</text>']
    for tick in range(TICKS + 1):
        y, x = _y(top * tick / TICKS, top), _x(end * tick / TICKS, end)
        drawn.append(f'<path d="M{LEFT},{y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        drawn.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * tick / TICKS:.4g}</text>')
        hours = f"{end * tick / TICKS / 3600:.2f} h"
        drawn.append(f'<text x="{x:.1f}" y="{HEIGHT - 16}" text-anchor="middle">{hours}</text>')
    for place, name in enumerate(names):
        colour = COLOURS[place % len(COLOURS)]
        points = " ".join(f"{_x(s[AT], end):.1f},{_y(s[name], top):.1f}" for s in samples if name in s)
        drawn.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        y = TOP + 14 * (place + 1)
        drawn.append(f'<text x="{WIDTH - RIGHT + 12}" y="{y}" fill="{colour}">{escape(name)}</text>')
    body = "\n".join(drawn)
    style = 'font-family="sans-serif" font-size="11"'
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    background = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n{background}\n{body}\n</svg>\n'


def _x(at: float, end: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * at / end


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top
