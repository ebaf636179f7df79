"""A draft as a livejoin.toml, with comments that say what it was drafted from."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from livejoin.draft.declaration import Draft, Kept
from livejoin.draft.source import DraftedSource
from livejoin.errors import SettingsError
from livejoin.model.column import Column
from livejoin.secrecy.masked import holds_secret
from livejoin.settings.toml import Inline, key, text
from livejoin.visible import visible

SECTIONS = ("left", "right", "join")
HEAD = (
    "# Drafted by `livejoin init` from the newest events of both topics. Look at every line; then `livejoin check`\n"
    "# judges and joins a sample by it, and `livejoin up` builds it. docs/declaration.md tells what can be declared.\n"
)


def drafted(draft: Draft) -> str:
    """The sections of the declaration."""
    keys = [pair.left.name for pair in draft.key], [pair.right.name for pair in draft.key]
    lines = [
        *_source("left", draft.left, draft.left_kept, keys[0]),
        "",
        *_source("right", draft.right, draft.right_kept, keys[1]),
        "",
        *_join(draft),
    ]
    return "\n".join([HEAD, *lines]) + "\n"


def kafka_section(properties: Mapping[str, str]) -> str:
    """How the present settings reach Kafka; secrets are not written, but named."""
    if not properties:
        return ""
    lines = ["", "[kafka]"]
    for name, value in properties.items():
        if holds_secret(name, value):
            variable = f"LIVEJOIN_KAFKA__{name.upper().replace('.', '_')}"
            lines.append(f"# {key(name)} is a secret: give it by {variable}, or by a file (docs/kafka.md)")
        else:
            lines.append(f"{key(name)} = {text(value)}")
    return "\n".join(lines) + "\n"


def replaced(before: str, declared: str) -> str:
    """A settings file in which another declaration stands in place of its own; everything else is as it was."""
    kept: list[str] = []
    comments: list[str] = []
    is_ours = False
    for line in before.replace(HEAD, "").splitlines(keepends=True):
        if line.startswith("#"):
            comments.append(line)
            continue
        if line.lstrip().startswith("["):
            is_ours = line.strip().strip("[]").partition(".")[0].strip(" \"'") in SECTIONS
        # What is said right above a section is about it.
        kept += [] if is_ours else [*comments, line]
        comments = []
    kept += [] if is_ours else comments
    result = f"{''.join(kept).rstrip()}\n\n{declared}".lstrip()
    others = {name: value for name, value in tomllib.loads(before).items() if name not in SECTIONS}
    if _others(result) != others:
        raise SettingsError(
            "the declaration in this file cannot be replaced without changing what else it says",
            do="write to another file, with --output, and copy [left], [right] and [join] from it",
        )
    return result


def _others(file: str) -> dict[str, Any]:
    try:
        found = tomllib.loads(file)
    except tomllib.TOMLDecodeError:
        return {"": None}
    return {name: value for name, value in found.items() if name not in SECTIONS}


def _source(side: str, source: DraftedSource, kept: Kept, keys: list[str]) -> Iterator[str]:
    sample = source.sample
    misfits = source.misfits(keys)
    events = len(sample.events) + sample.unread.total()
    of = f" of at the most {sample.there:,}" if sample.there > sample.count else ""
    yield _comment(
        f"{sample.topic}: the newest {sample.count:,} events{of} were read, {sample.tombstones:,} tombstones."
    )
    yield _comment(
        f"{events - misfits.total():,} would fit, {misfits.total():,} would be dead letters" + ":" * bool(misfits)
    )
    for reason, count in misfits.most_common(20):
        yield _comment(f"  {count:>7,}  {100 * count / events:>5.1f} %  {reason}")
    yield f"[{side}]"
    yield f"name = {text(source.name)}"
    yield f"topic = {text(sample.topic)}"
    yield f"keep = {text(kept.keep.value)}  {_comment(kept.why)}"
    yield f"[{side}.columns]"
    for column in source.columns:
        present = source.present[column.name]
        often = (
            "" if present == len(sample.events) else f"  {_comment(f'in {present:,} of {len(sample.events):,} events')}"
        )
        yield f"{key(column.name)} = {_column(column)}{often}"
    for field in source.left_out:
        yield _comment(f"left out: {'.'.join(field.path)} ({field.why})")


def _column(column: Column) -> str:
    if column.path == (column.name,):
        return text(str(column.type))
    plain = all("." not in part for part in column.path)
    return text(Inline(type=str(column.type), path=".".join(column.path) if plain else list(column.path)))


def _join(draft: Draft) -> Iterator[str]:
    yield "[join]"
    yield 'type = "left"  # or "inner", "asof"'
    if not draft.is_sure:
        yield "# A guess: neither names nor values speak for it. Correct it."
    yield from map(_comment, draft.advice)
    for pair in draft.key:
        yield _comment(
            f"{draft.left.name}.{pair.left.name} has {pair.left_values:,} different values, "
            f"{draft.right.name}.{pair.right.name} {pair.right_values:,}; both have {pair.shared:,} of them"
        )
    yield f"on = {text(Inline({pair.left.name: pair.right.name for pair in draft.key}))}"


def _comment(said: str) -> str:
    return f"# {visible(said)}"
