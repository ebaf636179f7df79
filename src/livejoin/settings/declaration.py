"""The settings that declare what is joined: `[left]`, `[right]`, `[join]`. docs/declaration.md is their reference."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictBool, StrictFloat, StrictInt, StrictStr, field_validator

from livejoin.model.column import Column, ColumnType, DeclarationProblem
from livejoin.model.declaration import Declaration, Keep, Source
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import JoinType
from livejoin.settings.section import Section, Texts
from livejoin.wire.control_message import LEGAL_TOPIC


class ColumnSettings(Section):
    """A column that is more than its type: `path` leads to a nested field, `null` is what a null becomes."""

    type: str
    path: str | list[str] | None = None
    null: StrictStr | StrictBool | StrictInt | StrictFloat | None = None

    def column(self, name: str) -> Column:
        """The column of that name; raises DeclarationProblem."""
        path = self.path.split(".") if isinstance(self.path, str) else self.path or ()
        return Column(name, ColumnType.named(self.type), tuple(path), self.null)


def _as_section(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


AnyColumn = Annotated[ColumnSettings, BeforeValidator(_as_section)]


class SourceSettings(Section):
    """One of the two sources: its name, its topic (without one, of the same name), what is kept, and its columns."""

    name: str
    topic: str = ""
    keep: Keep
    columns: dict[str, AnyColumn]

    @field_validator("columns")
    @classmethod
    def _some_columns(cls, value: dict[str, ColumnSettings]) -> dict[str, ColumnSettings]:
        if not value:
            raise ValueError("a source has at least one column")
        for name, column in value.items():
            try:
                column.column(name)
            except DeclarationProblem as problem:
                raise DeclarationProblem(f"{name}: {problem}") from None
        return value

    @field_validator("topic")
    @classmethod
    def _a_topic(cls, value: str) -> str:
        if value and (not LEGAL_TOPIC.fullmatch(value) or value in (".", "..")):
            raise ValueError("no topic can be called so: its name has letters, digits, '.', '_' and '-', at most 249")
        return value

    @property
    def topic_name(self) -> str:
        """The topic that is read at the first start."""
        return self.topic or self.name

    def source(self, key: list[str]) -> Source:
        """The source, joined by these columns; raises DeclarationProblem."""
        columns = tuple(settings.column(name) for name, settings in self.columns.items())
        return Source(self.name, columns, tuple(key), self.keep)


def _columns_of(source: Source) -> dict[str, ColumnSettings]:
    return {column.name: ColumnSettings(type=str(column.type), null=column.null_becomes) for column in source.columns}


class LeftSettings(SourceSettings):
    """The source whose rows a left join shows in any case."""

    name: str = DEFAULT.left.name
    keep: Keep = DEFAULT.left.keep
    columns: dict[str, AnyColumn] = Field(default_factory=lambda: _columns_of(DEFAULT.left))


class RightSettings(SourceSettings):
    """The source that is joined to it."""

    name: str = DEFAULT.right.name
    keep: Keep = DEFAULT.right.keep
    columns: dict[str, AnyColumn] = Field(default_factory=lambda: _columns_of(DEFAULT.right))


class JoinSettings(Section):
    """How the sources are joined: the type, the pairs of equal columns, and the columns of the joined table."""

    type: JoinType = JoinType.LEFT
    on: dict[str, str] = Field(default_factory=dict)
    columns: Texts | None = None


def declared(left: SourceSettings, right: SourceSettings, join: JoinSettings) -> Declaration:
    """What the settings declare; raises DeclarationProblem."""
    usual = dict(zip(DEFAULT.left.key, DEFAULT.right.key, strict=True))
    on = join.on or usual
    if not join.on and not (usual.keys() <= left.columns.keys() and set(usual.values()) <= right.columns.keys()):
        raise ValueError(
            f"join.on is missing: say which column of {left.name} equals which column of {right.name}, for example "
            f'on = {{ {next(iter(left.columns))} = "{next(iter(right.columns))}" }}'
        )
    return Declaration.of(left.source(list(on)), right.source(list(on.values())), join.columns)
