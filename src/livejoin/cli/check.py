"""`livejoin check`: try the declared join on the newest events, before anything is built."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from livejoin.cli.options import AsJson, Config, Set, settings_from
from livejoin.cli.rows import drawn
from livejoin.visible import visible, visible_json

if TYPE_CHECKING:
    from livejoin.doctor.trial import Sampled, Trial

SOMETHING_TO_LOOK_AT = 1

Events = Annotated[int, typer.Option("--events", min=1, help="How many of the newest events of each topic are judged.")]
Rows = Annotated[int, typer.Option("--rows", min=0, help="How many joined rows are shown.")]


def check(
    events: Events = 2_000,
    rows: Rows = 5,
    *,
    as_json: AsJson = False,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Judge and join the newest events as the pipeline would, and show some rows and what is rejected.

    Exit 0: it fits, 1: there are dead letters, or no row has a match, 2: wrong settings.
    """
    from livejoin.doctor.trial import try_out

    settings = settings_from(config, set_)
    trial = try_out(settings, events, rows)
    if as_json:
        typer.echo(visible_json(_data(trial)))
    else:
        _tell(trial)
    if not trial.fits:
        raise typer.Exit(SOMETHING_TO_LOOK_AT)


def _tell(trial: "Trial") -> None:
    for source in trial.sources:
        typer.echo("\n".join(told(source)))
    if trial.rows:
        title = f"{trial.table}: {len(trial.rows)} of {trial.size} rows that these events make"
        # A pipe has no width of its own: nothing is cut there.
        Console(width=None if sys.stdout.isatty() else 400).print(drawn(title, trial.columns, trial.rows))
    typer.echo(visible(verdict(trial)))


def told(source: "Sampled") -> Iterator[str]:
    """What became of the events of a source, in lines for people."""
    about = f"{source.name} ({source.topic})"
    if not source.events:
        yield visible(f"{about}: no events")
        return
    of = f" of at the most {source.there:,}" if source.there > source.events else ""
    valid = source.events - source.rejected
    yield visible(
        f"{about}: {source.events:,} newest events{of}: {valid:,} valid, {source.rejected:,} dead letters "
        f"({_share(source.rejected, source.events)})"
    )
    for each in source.rejections:
        share = _share(each.count, source.events)
        yield visible(f"  {each.count:>7,}  {share:>6}  {each.reason} (e.g. {each.example})")


def verdict(trial: "Trial") -> str:
    """What it comes down to, in a line."""
    found = f"{trial.matched:,} of {trial.keys:,} keys are on both sides"
    if not any(source.events for source in trial.sources):
        return "there are no events yet: nothing can be said"
    if not trial.matched:
        return f"{found}: is join.on right? A larger sample (--events) may have more of them"
    if not trial.fits:
        return f"{found}; dead letters are kept with their reasons, and stop nothing"
    return f"{found}; it fits"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _data(trial: "Trial") -> dict[str, Any]:
    sources = [{**asdict(source), "rejected": source.rejected} for source in trial.sources]
    return {**asdict(trial), "sources": sources, "fits": trial.fits}
