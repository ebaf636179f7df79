"""The `livejoin` command: one verb per task, and errors in words."""

import sys

import typer

from livejoin.cli.archive import archive
from livejoin.cli.check import check
from livejoin.cli.config import config
from livejoin.cli.demo import demo
from livejoin.cli.doctor import doctor
from livejoin.cli.init import init
from livejoin.cli.jars import jars
from livejoin.cli.pipeline import pipeline
from livejoin.cli.rows import rows
from livejoin.cli.serve import serve
from livejoin.cli.status import status
from livejoin.cli.swap import NAMED_OPTIONS, rollback, swap
from livejoin.cli.topics import topics
from livejoin.cli.up import up
from livejoin.errors import LivejoinError
from livejoin.logs.configure import tell_failure
from livejoin.visible import visible_lines

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Two Kafka topics, joined live by Spark, shown in the browser through tables that never die.",
)
for command in (
    init,
    check,
    up,
    pipeline,
    serve,
    demo,
    swap,
    rollback,
    status,
    rows,
    config,
    topics,
    doctor,
    jars,
    archive,
):
    app.command(context_settings=NAMED_OPTIONS if command is swap else None)(command)


def main() -> None:
    """Run a command; a failure that a person can act on is told in words, without a traceback."""
    try:
        app()
    except LivejoinError as error:
        if not tell_failure(error):
            sys.stderr.write(told(error))
        sys.exit(error.exit_code)


def told(error: LivejoinError) -> str:
    """A failure in words. Of several lines, those after the first are set off: none of them can pose as another."""
    what = visible_lines(error.what).replace("\n", "\n  | ")
    do = f"  what to do: {visible_lines(error.do)}\n" if error.do else ""
    return f"livejoin: {what}\n{do}"
