"""`livejoin up`: everything on one machine, from one command."""

import re
import shlex
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from livejoin.access.keys import has_own_keys, key_file, server_key
from livejoin.cli.jars import show_progress
from livejoin.cli.options import Config, Set, settings_from
from livejoin.cli.swap import swap_option
from livejoin.errors import SettingsError
from livejoin.http.ports import ports_of, require_free
from livejoin.jvm.jars import fetch_jars
from livejoin.jvm.java import java
from livejoin.kafka.cluster import Cluster
from livejoin.local.stack import Service, Stack, only_one
from livejoin.local.supervise.child import Child, Death
from livejoin.local.supervise.supervisor import Supervisor
from livejoin.model.declaration import Side
from livejoin.process.terminal import Terminal
from livejoin.secrecy.data_folder import own_data_folder
from livejoin.secrecy.masked import holds_secret
from livejoin.settings.settings import Settings
from livejoin.visible import visible_lines

TICK_SECONDS = 0.1
PATIENCE_SECONDS = 10.0
"""How long nothing is said of something that is waited for."""
STANDARD_INPUT = 0
PLAIN_SETTING = re.compile(r"(?!kafka\.|spark\.conf\.)[a-z_]+(\.[a-z_]+)?")
"""A setting whose name can be that of a variable."""


def up(
    config: Config = None,
    set_: Set = None,
    demo: Annotated[
        bool | None,
        typer.Option("--demo/--no-demo", help="Send demo events; default: yes, if the broker is the embedded one."),
    ] = None,
) -> None:
    """Start broker, pipeline, table server, page and demo data; Ctrl-C stops all of them."""
    _refuse_secrets(set_ or [])
    settings = settings_from(config, set_)
    java()
    options = [*([f"--config={config}"] if config else []), *(f"--set={pair}" for pair in set_ or [])]
    own_data_folder(settings.data_dir)
    with only_one(settings):
        require_free(ports_of(settings))
        fetch_jars(settings, on_progress=show_progress)
        with_demo = settings.embedded_broker if demo is None else demo
        Up(settings, Stack(settings, options), options, with_demo=with_demo).run()


class Up:
    """One run of the stack, told on the terminal. `run` returns when it was asked to stop and nothing is left."""

    def __init__(self, settings: Settings, stack: Stack, options: list[str], *, with_demo: bool) -> None:
        self._settings = settings
        self._stack = stack
        self._options = options
        self._with_demo = with_demo
        self._began = time.monotonic()
        self._asked_to_stop = False
        self._supervisor = Supervisor(self._tell_death)
        self._terminal = Terminal(STANDARD_INPUT)
        self._waiting: dict[str, Service] = {}
        self._told_of: dict[str, float] = {}
        """When something was last said of what is waited for."""
        self._services: dict[str, Service] = {}

    def run(self) -> None:
        """Start in the order of need, follow, and stop in the reverse order whatever happens."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        _say(f"livejoin: data in {self._settings.data_dir}, logs in {self._settings.data_dir / 'logs'}")
        try:
            self._start_broker()
            self._start_others()
            if self._follow_until_ready():
                self._welcome()
            while not self._asked_to_stop:
                self._tick()
        finally:
            self._supervisor.stop(self._tell_stop)
            self._tell("livejoin", "stopped; no process is left")

    def _start_broker(self) -> None:
        if self._settings.embedded_broker:
            self._start(self._stack.broker())
            self._follow_until_ready()
        else:
            Cluster(self._settings.kafka_client).wait_until_reachable(10.0)
            self._tell("broker", f"yours answers: {self._settings.kafka_client.bootstrap_servers}")

    def _start_others(self) -> None:
        services = [self._stack.tables(), self._stack.pipeline()]
        if self._with_demo:
            services.append(self._stack.demo())
        for service in services:
            if not self._asked_to_stop:
                self._start(service)

    def _start(self, service: Service) -> None:
        self._tell(service.child.name, "starting")
        self._services[service.child.name] = service
        self._waiting[service.child.name] = service
        self._supervisor.start(service.child)

    def _follow_until_ready(self) -> bool:
        while self._waiting and not self._asked_to_stop:
            self._tick()
        return not self._asked_to_stop

    def _tick(self) -> None:
        if self._terminal.is_gone():
            self._asked_to_stop = True
        self._supervisor.look_after()
        for name, service in list(self._waiting.items()):
            if service.child.running and service.is_ready():
                del self._waiting[name]
                took = time.monotonic() - service.child.started
                self._tell(name, f"ready after {took:.1f} s: {service.ready}")
            elif time.monotonic() - self._told_of.get(name, service.child.started) >= PATIENCE_SECONDS:
                self._told_of[name] = time.monotonic()
                self._tell(name, f"still starting: {visible_lines(service.waits_for())}".rstrip(": "))
        time.sleep(TICK_SECONDS)

    def _on_signal(self, *_: object) -> None:
        """The first signal asks for a stop in order; another one cuts the wait short."""
        if self._asked_to_stop:
            raise KeyboardInterrupt
        self._asked_to_stop = True

    def _tell(self, who: str, what: str) -> None:
        _say(f"{time.monotonic() - self._began:7.1f} s  {who:<9} {what}")

    def _tell_stop(self, child: Child) -> None:
        self._tell(child.name, "stopping")

    def _tell_death(self, death: Death) -> None:
        self._tell(death.name, f"{death.how}; restart in {death.restart_in:.1f} s; its last lines in {death.log}:")
        for line in death.last_lines:
            _say(f"             | {visible_lines(line)}")
        self._waiting[death.name] = self._services[death.name]

    def _welcome(self) -> None:
        settings = self._settings
        livejoin = "livejoin" if shutil.which("livejoin") else str(Path(sys.executable).with_name("livejoin"))
        variables, flags = as_variables(settings, self._options)
        options = "".join(f" {shlex.quote(flag)}" for flag in flags)
        first = [f"    export {' '.join(variables)}"] if variables else []
        topics, declaration = {side: settings.request.topic_of(side) for side in Side}, settings.declaration
        chosen = " ".join(f"{swap_option(declaration, side)} {topic}" for side, topic in topics.items())
        lines = [
            "",
            *address(settings, on_terminal=sys.stdout.isatty()),
            "",
            "  Try, in another terminal:",
            *first,
            f"    {livejoin} status{options}",
            f"    {livejoin} rows final_ui --limit 5{options}",
            f"    {livejoin} rows dead_letters --limit 5{options}",
            f"    {livejoin} demo --rate 200 --count 2000{options}",
            f"    {livejoin} swap {chosen} --join inner --wait{options}",
            f"  or write to the topics {' and '.join(topics.values())} with any Kafka producer",
            f"  (bootstrap.servers: {settings.people_client.bootstrap_servers}).",
            "  Ctrl-C stops everything.",
            "",
        ]
        _say("\n".join(lines))


def address(settings: Settings, *, on_terminal: bool) -> list[str]:
    """How the page is opened. What is not a terminal keeps what it is told, so it is not told the key."""
    if has_own_keys(settings):
        return [f"  Open  {settings.page_url}", "  Log in with one of the keys that you have set (access)."]
    if settings.access.oidc is not None:
        # Who can sign in needs no key that may do everything.
        return [f"  Open  {settings.page_url}", f"  Sign in with {settings.access.oidc.shown_name}."]
    if on_terminal:
        return [f"  Open  {settings.page_url}#key={server_key(settings)}"]
    return [f"  Open  {settings.page_url}", f"  The key is in {key_file(settings)}."]


def as_variables(settings: Settings, options: list[str]) -> tuple[list[str], list[str]]:
    """Options of a command as variables of a shell, and those that are no variables: names with capitals or dots."""
    variables, flags = [], []
    for option in options:
        name, _, value = option.removeprefix("--set=").partition("=")
        if option.startswith("--config="):
            variables.append(f"LIVEJOIN_CONFIG={shlex.quote(str(Path(option.partition('=')[2]).resolve()))}")
        elif PLAIN_SETTING.fullmatch(name) and not value.startswith(("[", "{")):
            given = str(settings.data_dir.resolve()) if name == "data_dir" else value
            variables.append(f"LIVEJOIN_{name.replace('.', '__').upper()}={shlex.quote(given)}")
        else:
            flags.append(option)
    return variables, flags


def _say(text: str) -> None:
    """A terminal that is gone (the reason for SIGHUP) must not keep `up` from stopping its children."""
    with suppress(OSError):
        typer.echo(text)


def _refuse_secrets(pairs: list[str]) -> None:
    """A secret in an argument is readable by every user of the machine, here and in every child it is handed on to."""
    for name, _, value in (pair.partition("=") for pair in pairs):
        if holds_secret(name, value):
            raise SettingsError(
                f"--set {name}=... would show a secret in the list of processes",
                do="put it into livejoin.toml, or into the environment; a key for the page may also be in the file "
                "`key` of the data folder",
            )
