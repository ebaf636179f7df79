"""`livejoin swap` and `livejoin rollback`: a control message, and what becomes of it."""

import getpass
import os
import uuid
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn

from livejoin.cli.options import Config, Set, settings_from
from livejoin.client.control import ControlClient
from livejoin.errors import SettingsError
from livejoin.model.control_message import ControlEntry, Verdict
from livejoin.model.declaration import Declaration, Side
from livejoin.model.generation import Generation, JoinType
from livejoin.settings.settings import Settings
from livejoin.visible import visible
from livejoin.wire.control_message import BY, ID, JOIN_TYPE, ROLLBACK

EXIT_CODES = {Verdict.APPLIED: 0, Verdict.UNCHANGED: 0, Verdict.FAILED: 1, Verdict.SUPERSEDED: 1, Verdict.REJECTED: 2}
NO_VERDICT = 1

Wait = Annotated[bool, typer.Option("--wait", help="Wait for the verdict: exit 0 applied, 1 failed, 2 rejected.")]
Timeout = Annotated[float | None, typer.Option("--timeout", help="Seconds to wait at the most; default: no limit.")]


NAMED_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""How the command is registered: options that are called after the declared sources are known when it runs."""
TAKEN = frozenset({"left", "right", "join", "wait", "timeout", "config", "set", "help"})
"""Options of the command itself: a source of such a name is chosen by its side."""

Left = Annotated[str | None, typer.Option("--left", metavar="TOPIC", help="Topic of the left source.")]
Right = Annotated[str | None, typer.Option("--right", metavar="TOPIC", help="Topic of the right source.")]


def swap(
    context: typer.Context,
    left: Left = None,
    right: Right = None,
    join: Annotated[JoinType, typer.Option("--join", help="How they are joined.")] = JoinType.LEFT,
    *,
    wait: Wait = False,
    timeout: Timeout = None,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Exchange the topics or the join while people watch.

    Both topics are given, by --left and --right or by options that are called after the sources which are declared.
    """
    settings = settings_from(config, set_)
    client = ControlClient(settings)
    try:
        declaration = client.declaration(otherwise=settings.declaration)
        given = {Side.LEFT: left, Side.RIGHT: right}
        message: dict[str, object] = {**topic_fields(declaration, given, context.args), JOIN_TYPE: join.value}
        judged = _send(client, settings, message, wait=wait, timeout=timeout)
    finally:
        client.close()
    _end(judged, wait=wait, timeout=timeout)


def rollback(
    *,
    wait: Wait = False,
    timeout: Timeout = None,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Bring back the generation that was shown before, while it lingers."""
    settings = settings_from(config, set_)
    client = ControlClient(settings)
    try:
        judged = _send(client, settings, {ROLLBACK: True}, wait=wait, timeout=timeout)
    finally:
        client.close()
    _end(judged, wait=wait, timeout=timeout)


def topic_fields(declaration: Declaration, given: dict[Side, str | None], more: list[str]) -> dict[str, object]:
    """The topics of a control message, from the options by side and those that are called after the sources."""
    chosen = {side: topic for side, topic in given.items() if topic is not None}
    for option, topic in _named(declaration, more):
        side = declaration.side_of(option)
        if side in chosen:
            raise SettingsError(f"the topic of {option} is given twice", do=f"use --{option} or --{side}, once")
        chosen[side] = topic
    missing = [side for side in Side if side not in chosen]
    if missing:
        options = " and ".join(f"{swap_option(declaration, side)} TOPIC" for side in missing)
        raise SettingsError(f"a swap names both topics: {options} is missing", do="name the one that stays, too")
    return {declaration.source(side).topic_field: topic for side, topic in chosen.items()}


def swap_option(declaration: Declaration, side: Side) -> str:
    """The option that chooses the topic of a side, by the name of its source where nothing else is called so."""
    name = declaration.source(side).name
    return f"--{side if name in TAKEN else name}"


def _named(declaration: Declaration, words: list[str]) -> Iterator[tuple[str, str]]:
    names = [source.name for source in declaration.sources]
    left = iter(words)
    for word in left:
        option, equals, topic = word.partition("=")
        name = option.removeprefix("--")
        if not option.startswith("--") or name not in names:
            both = " and ".join(f"{swap_option(declaration, side)} TOPIC" for side in Side)
            raise SettingsError(
                f"there is no option {option!r}", do=f"choose topics by {both}, or by --left and --right"
            )
        found = topic if equals else next(left, None)
        if found is None:
            raise SettingsError(f"{option} needs a topic")
        yield name, found


def _send(
    client: ControlClient, settings: Settings, message: dict[str, object], *, wait: bool, timeout: float | None
) -> ControlEntry | None:
    key = client.send({**message, ID: str(uuid.uuid4()), BY: who_asks()})
    if not wait:
        typer.echo(f"sent to {visible(settings.topics.control)}; `livejoin rows control_raw` shows its verdict")
        return None
    with progress_bar() as bar:
        return client.follow(key, timeout, Bar(bar).tell)


def who_asks() -> str:
    """The user who runs the command: by name, or by number where the machine has no name for it, as in a container."""
    try:
        # A variable may hold bytes that are no text.
        return getpass.getuser().encode(errors="replace").decode()
    except (KeyError, OSError):
        return str(os.getuid())


def _end(judged: ControlEntry | None, *, wait: bool, timeout: float | None) -> None:
    if not wait:
        return
    if judged is None or judged.verdict is None:
        typer.echo(f"no verdict within {timeout:g} s: is a pipeline running? `livejoin status` tells", err=True)
        raise typer.Exit(NO_VERDICT)
    typer.echo(outcome(judged))
    raise typer.Exit(EXIT_CODES[judged.verdict])


def outcome(judged: ControlEntry) -> str:
    """What became of a message, in one line."""
    return f"{judged.verdict}: {visible(judged.reason)}"


def progress_bar() -> Progress:
    """A line with a bar, in which text of others is no markup."""
    description, detail = "{task.description}", "{task.fields[detail]}"
    return Progress(TextColumn(description, markup=False), BarColumn(), TextColumn(detail, markup=False))


class Bar:
    """What is told about a message on its way, as one line with a bar."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("sent", total=None, detail="waiting for the pipeline")

    def tell(self, entry: ControlEntry | None, generation: Generation | None) -> None:
        """Update the line."""
        if generation is None:
            if entry is not None:
                self._progress.update(self._task, description="taken", detail="")
            return
        done = generation.progress
        detail = str(done) if done else generation.message
        self._progress.update(
            self._task,
            description=f"generation {generation.number} {generation.state}",
            total=done.total if done else None,
            completed=done.done if done else 0,
            detail=visible(detail),
        )
