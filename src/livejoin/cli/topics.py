"""`livejoin topics`: what somebody with more rights has to do before livejoin can run with few."""

import shlex
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from livejoin.cli.options import AsJson, Config, Set, settings_from
from livejoin.errors import RightMissing
from livejoin.kafka.cluster import Cluster
from livejoin.settings.settings import Settings
from livejoin.topics.grants import grant_commands, server_option
from livejoin.topics.plan import PlannedTopic, own_topics
from livejoin.topics.rights import Who, rights
from livejoin.visible import visible, visible_json

ANSWER_SECONDS = 10.0
OPTIONS = {Who.PIPELINE: "--principal", Who.SERVE: "--serve-principal", Who.OPERATOR: "--operator-principal"}

Principal = Annotated[
    str, typer.Option("--principal", help="Who the pipeline logs in as, and the table server unless told otherwise.")
]
ServePrincipal = Annotated[str, typer.Option("--serve-principal", help="Who the table server logs in as.")]
OperatorPrincipal = Annotated[str, typer.Option("--operator-principal", help="Who sends control messages.")]
Check = Annotated[bool, typer.Option("--check", help="Ask the broker which are there; exit 1 where one is not right.")]


def topics(
    principal: Principal = "",
    serve_principal: ServePrincipal = "",
    operator_principal: OperatorPrincipal = "",
    *,
    check: Check = False,
    as_json: AsJson = False,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Print the commands that make livejoin's own topics and give the rights it needs."""
    settings = settings_from(config, set_)
    principals = {
        Who.PIPELINE: principal,
        Who.SERVE: serve_principal or principal,
        Who.OPERATOR: operator_principal,
    }
    states = _states(settings) if check else {}
    if as_json:
        typer.echo(visible_json(_data(settings, principals, states)))
    else:
        typer.echo("\n".join(visible(line) for line in _lines(settings, principals, states)))
    if any(states.values()):
        raise typer.Exit(1)


def _states(settings: Settings) -> dict[str, str]:
    """What is wrong with each topic that livejoin needs; empty where nothing is."""
    cluster = Cluster(settings.kafka_client)
    cluster.wait_until_reachable(ANSWER_SECONDS)
    there = cluster.topic_names()
    others = dict.fromkeys((*settings.request.topics.values(), settings.topics.control))
    states = {topic: "" if topic in there else "is not there, and not livejoin's to make" for topic in others}
    for topic in own_topics(settings):
        states[topic.name] = _wrong(cluster, topic) if topic.name in there else "is not there"
    return states


def _wrong(cluster: Cluster, topic: PlannedTopic) -> str:
    try:
        wrong = topic.wrong(cluster.configuration(topic.name))
    except RightMissing as unseen:
        return f"is there, and how it is configured cannot be seen: {unseen.what}"
    return "needs " + ", ".join(f"{name}={value}" for name, value in wrong.items()) if wrong else ""


def _lines(settings: Settings, principals: dict[Who, str], states: dict[str, str]) -> Iterator[str]:
    server = server_option(settings.people_client.bootstrap_servers)
    yield "# To be run by somebody who may; a broker that asks for a login wants --command-config besides."
    for topic, wrong in states.items():
        yield f"# {topic}: {wrong or 'is there, as it has to be'}"
    yield ""
    for planned in own_topics(settings):
        yield f"kafka-topics.sh {server} --create --if-not-exists {_creation(planned)}"
    if not settings.own_topics.views:
        yield f"# livejoin itself makes {settings.own_topics.view_prefix}<number>, for the rows of each generation."
        yield "# To make those beforehand too, name at least three in topics.views."
    for who, principal in principals.items():
        yield ""
        if principal:
            yield f"# Rights of {who.in_words}"
            yield from grant_commands(server, principal, [right for right in rights(settings) if right.who is who])
        else:
            yield f"# Rights of {who.in_words}: say who that is, {OPTIONS[who]} User:name"


def _creation(topic: PlannedTopic) -> str:
    replication = f" --replication-factor {topic.replication}" if topic.replication > 0 else ""
    config = "".join(f" --config {shlex.quote(f'{name}={value}')}" for name, value in topic.config.items())
    return f"--topic {shlex.quote(topic.name)} --partitions {topic.partitions}{replication}{config}"


def _data(settings: Settings, principals: dict[Who, str], states: dict[str, str]) -> dict[str, Any]:
    return {
        "topics": [
            {
                "name": topic.name,
                "purpose": topic.purpose,
                "partitions": topic.partitions,
                "replication": topic.replication,
                "config": dict(topic.config),
            }
            for topic in own_topics(settings)
        ],
        "rights": [
            {
                "who": right.who.value,
                "principal": principals[right.who],
                "operation": right.operation.value,
                "on": right.on.value,
                "name": right.topic,
                "pattern": "prefixed" if right.prefixed else "literal",
                "needed": right.needed,
                "why": right.why,
            }
            for right in rights(settings)
        ],
        **({"found": states} if states else {}),
    }
