"""`livejoin swap` and `livejoin rollback`: a control message, and what becomes of it."""

import uuid
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn

from livejoin.cli.options import Config, Set, settings_from
from livejoin.control import ACCOUNTS_TOPIC, ID, JOIN_TYPE, ROLLBACK, USERS_TOPIC, ControlEntry, Verdict
from livejoin.control_client import ControlClient
from livejoin.generation import Generation, JoinType
from livejoin.settings import Settings
from livejoin.visible import visible

EXIT_CODES = {Verdict.APPLIED: 0, Verdict.UNCHANGED: 0, Verdict.FAILED: 1, Verdict.SUPERSEDED: 1, Verdict.REJECTED: 2}
NO_VERDICT = 1

Wait = Annotated[bool, typer.Option("--wait", help="Wait for the verdict: exit 0 applied, 1 failed, 2 rejected.")]
Timeout = Annotated[float | None, typer.Option("--timeout", help="Seconds to wait at the most; default: no limit.")]


def swap(
    users: Annotated[str, typer.Option("--users", help="Topic with the users.")],
    accounts: Annotated[str, typer.Option("--accounts", help="Topic with the accounts.")],
    join: Annotated[JoinType, typer.Option("--join", help="How they are joined.")] = JoinType.LEFT,
    *,
    wait: Wait = False,
    timeout: Timeout = None,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Exchange the topics or the join while people watch."""
    message: dict[str, object] = {USERS_TOPIC: users, ACCOUNTS_TOPIC: accounts, JOIN_TYPE: join.value}
    _send(settings_from(config, set_), message, wait=wait, timeout=timeout)


def rollback(
    *,
    wait: Wait = False,
    timeout: Timeout = None,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Bring back the generation that was shown before, while it lingers."""
    _send(settings_from(config, set_), {ROLLBACK: True}, wait=wait, timeout=timeout)


def _send(settings: Settings, message: dict[str, object], *, wait: bool, timeout: float | None) -> None:
    client = ControlClient(settings)
    try:
        key = client.send({**message, ID: str(uuid.uuid4())})
        if not wait:
            typer.echo(f"sent to {visible(settings.topics.control)}; `livejoin rows control_raw` shows its verdict")
            return
        with progress_bar() as bar:
            judged = client.follow(key, timeout, Bar(bar).tell)
    finally:
        client.close()
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
