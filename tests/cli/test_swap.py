"""`livejoin swap`: its options are called after the declared sources, and its message after those in force."""

import getpass
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from livejoin.cli.main import app
from livejoin.cli.swap import swap_option, topic_fields, who_asks
from livejoin.errors import SettingsError
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.writer import Writer
from livejoin.model.column import Column, ColumnType
from livejoin.model.declaration import Declaration, Keep, Side, Source
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Generation, Request, State
from livejoin.model.registry import Current, Ledger
from livejoin.settings.settings import Settings
from livejoin.wire.records import key_of, to_json

NOW = datetime(2024, 5, 17, tzinfo=UTC)
NOTHING: dict[Side, str | None] = {Side.LEFT: None, Side.RIGHT: None}


def declaration(left: str, right: str) -> Declaration:
    """Two sources of these names."""
    columns = (Column("id", ColumnType.named("string")),)
    return Declaration.of(Source(left, columns, ("id",), Keep.ALL), Source(right, columns, ("id",), Keep.ALL))


ORDERS = declaration("orders", "customers")


@pytest.mark.parametrize(
    ("declared", "given", "words", "wanted"),
    [
        (DEFAULT, NOTHING, ["--users", "u", "--accounts", "a"], {"usersTopic": "u", "accountsTopic": "a"}),
        (DEFAULT, NOTHING, ["--accounts=a", "--users=u"], {"usersTopic": "u", "accountsTopic": "a"}),
        (DEFAULT, {Side.LEFT: "u", Side.RIGHT: "a"}, [], {"usersTopic": "u", "accountsTopic": "a"}),
        (ORDERS, {Side.LEFT: "o", Side.RIGHT: None}, ["--customers", "c"], {"ordersTopic": "o", "customersTopic": "c"}),
        (ORDERS, NOTHING, ["--orders", "--odd", "--customers", "c"], {"ordersTopic": "--odd", "customersTopic": "c"}),
    ],
)
def test_topics_are_chosen_by_name_or_by_side(
    declared: Declaration, given: dict[Side, str | None], words: list[str], wanted: dict[str, str]
) -> None:
    """In any order, and mixed."""
    assert topic_fields(declared, given, words) == wanted


@pytest.mark.parametrize(
    ("declared", "given", "words", "said"),
    [
        (DEFAULT, NOTHING, [], "--users TOPIC and --accounts TOPIC is missing"),
        (DEFAULT, NOTHING, ["--users", "u"], "--accounts TOPIC is missing"),
        (ORDERS, {Side.LEFT: None, Side.RIGHT: "c"}, [], "--orders TOPIC is missing"),
        (ORDERS, {Side.LEFT: "o", Side.RIGHT: None}, ["--orders", "o"], "the topic of orders is given twice"),
        (ORDERS, NOTHING, ["--users", "u"], "there is no option '--users'"),
        (ORDERS, NOTHING, ["orders", "u"], "there is no option 'orders'"),
        (ORDERS, NOTHING, ["--orders"], "--orders needs a topic"),
    ],
)
def test_what_is_missing_is_named_as_it_is_declared(
    declared: Declaration, given: dict[Side, str | None], words: list[str], said: str
) -> None:
    """So that nobody has to know which side is which."""
    with pytest.raises(SettingsError) as refused:
        topic_fields(declared, given, words)
    assert said in refused.value.what


def test_a_source_that_is_called_like_another_option_is_chosen_by_its_side() -> None:
    """`--join` means the join, whatever a source is called."""
    odd = declaration("join", "timeout")
    assert [swap_option(odd, side) for side in Side] == ["--left", "--right"]
    with pytest.raises(SettingsError, match="--left TOPIC and --right TOPIC is missing"):
        topic_fields(odd, NOTHING, [])


def run(broker: Settings, folder: Path, prefix: str, *words: str) -> Result:
    """The command on a running broker, with topics of its own."""
    file = folder / "swap.toml"
    kafka = "".join(f"{json.dumps(name)} = {json.dumps(value)}\n" for name, value in broker.kafka.items())
    topics = f'[topics]\nprefix = "{prefix}"\ncontrol = "{prefix}-control"\n'
    file.write_text(f"{topics}[kafka]\n{kafka}", encoding="utf-8")
    Cluster(broker.kafka_client).ensure(f"{prefix}-control")
    return CliRunner().invoke(app, ["swap", *words, f"--config={file}"])


def sent(broker: Settings, prefix: str) -> list[dict[str, str]]:
    """The control messages, without the ids that the command makes, and who sends them."""
    records = read_to_end(Cluster(broker.kafka_client), f"{prefix}-control")
    found = [json.loads(record.value() or b"") for record in records]
    assert {message["by"] for message in found} == {getpass.getuser()}
    return [{name: value for name, value in message.items() if name not in ("id", "by")} for message in found]


def test_a_user_without_a_name_is_told_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one whose name is no text by what can be shown of it: no name keeps anybody from swapping."""
    monkeypatch.setenv("LOGNAME", os.fsdecode(b"jos\xe9"))
    assert who_asks() == "jos?"

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert who_asks() == str(os.getuid())


def test_before_anything_is_live_the_settings_name_the_options(broker: Settings, tmp_path: Path) -> None:
    """There is no registry yet to ask."""
    done = run(broker, tmp_path, "first", "--users", "u", "--accounts=a", "--join", "asof")
    assert done.exit_code == 0, done.exception
    assert sent(broker, "first") == [{"usersTopic": "u", "accountsTopic": "a", "joinType": "asof"}]


def test_what_the_pipeline_was_started_with_names_the_options(broker: Settings, tmp_path: Path) -> None:
    """Also while what is shown is of another declaration: messages are read by the new one."""
    cluster = Cluster(broker.kafka_client)
    cluster.ensure("changed.state")
    live = Generation(3, Request(DEFAULT, "u", "a"), "v", requested=NOW, since=NOW, state=State.LIVE)
    state = Writer(cluster, "changed.state")
    for record in (live, Current(3, NOW), Ledger(3, Request(ORDERS, "o", "c"))):
        state.write(key_of(record), to_json(record))
    done = run(broker, tmp_path, "changed", "--orders", "o", "--customers", "c")
    assert done.exit_code == 0, done.exception
    assert sent(broker, "changed") == [{"ordersTopic": "o", "customersTopic": "c", "joinType": "left"}]


def test_what_is_live_names_the_options(broker: Settings, tmp_path: Path) -> None:
    """Whatever the settings of who sends the message declare."""
    cluster = Cluster(broker.kafka_client)
    cluster.ensure("live.state")
    live = Generation(3, Request(ORDERS, "o", "c"), "v", requested=NOW, since=NOW, state=State.LIVE)
    state = Writer(cluster, "live.state")
    for record in (live, Current(3, NOW)):
        state.write(key_of(record), to_json(record))
    done = run(broker, tmp_path, "live", "--orders", "other", "--right", "c")
    assert done.exit_code == 0, done.exception
    assert sent(broker, "live") == [{"ordersTopic": "other", "customersTopic": "c", "joinType": "left"}]
    refused = run(broker, tmp_path, "live", "--users", "u", "--accounts", "a")
    assert isinstance(refused.exception, SettingsError)
    assert "--orders TOPIC and --customers TOPIC" in refused.exception.do
    assert len(sent(broker, "live")) == 1
