"""What a client may say, and nothing else: every field named, typed and bounded."""

from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from livejoin.serve.door.refusal import Refusal, Refused

LARGEST_MESSAGE = 65_536
"""In bytes. A filter by a few hundred values fits."""
MOST_CONDITIONS = 200
MOST_OPERANDS = 1_000
MOST_COLUMNS = 1_000
MOST_SORTS = 16
LONGEST_TEXT = 4_096
LONGEST_NAME = 256
DEEPEST = 4
MOST_ROWS = 5_000
"""That one look may ask for."""
LARGEST_NUMBER = 2**53 - 1

T = TypeVar("T")

Number = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Operand = Text | bool | int | float


class BadMessage(Refused):
    """What arrived is not a message of the protocol; the text says why."""

    kind = Refusal.NOT_A_MESSAGE


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Direction(StrEnum):
    """How a column is sorted."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


class SortBy(_Model):
    """One column of an order."""

    column: Name
    direction: Annotated[Direction, Field(strict=False)]


class Is(StrEnum):
    """What can be asked of a cell."""

    EQUAL = "equal"
    NOT_EQUAL = "notEqual"
    LESS = "less"
    LESS_OR_EQUAL = "lessOrEqual"
    GREATER = "greater"
    GREATER_OR_EQUAL = "greaterOrEqual"
    ONE_OF = "oneOf"
    CONTAINING = "containing"
    NOT_CONTAINING = "notContaining"
    STARTING_WITH = "startingWith"
    ENDING_WITH = "endingWith"
    NULL = "null"
    NOT_NULL = "notNull"
    BLANK = "blank"
    NOT_BLANK = "notBlank"
    ANY_OF = "anyOf"
    ALL_OF = "allOf"


COMPARISONS = frozenset(
    {Is.EQUAL, Is.NOT_EQUAL, Is.LESS, Is.LESS_OR_EQUAL, Is.GREATER, Is.GREATER_OR_EQUAL},
)
LIKENESSES = frozenset({Is.CONTAINING, Is.NOT_CONTAINING, Is.STARTING_WITH, Is.ENDING_WITH})
SEARCHES = frozenset({Is.CONTAINING, Is.NOT_CONTAINING})
"""They look at all of a text."""
JOINTS = frozenset({Is.ANY_OF, Is.ALL_OF})


class Condition(_Model):
    """What is asked of a cell; `to` and `of` are there exactly where the question needs them."""

    is_: Annotated[Is, Field(alias="is", strict=False)]
    to: Operand | Annotated[tuple[Operand, ...], Field(max_length=MOST_OPERANDS, strict=False)] | None = None
    of: Annotated[tuple["Condition", ...], Field(max_length=MOST_CONDITIONS, strict=False)] | None = None

    @model_validator(mode="after")
    def _complete(self) -> "Condition":
        if self.is_ in JOINTS:
            fits = self.to is None and bool(self.of)
        elif self.is_ is Is.ONE_OF:
            fits = isinstance(self.to, tuple) and self.of is None
        elif self.is_ in COMPARISONS | LIKENESSES:
            fits = self.to is not None and not isinstance(self.to, tuple) and self.of is None
        else:
            fits = self.to is None and self.of is None
        if not fits:
            raise ValueError(f"{self.is_.value} does not go with what is given beside it")
        return self

    @property
    def depth(self) -> int:
        """How deep conditions lie in conditions."""
        return 1 + max((condition.depth for condition in self.of or ()), default=0)

    @property
    def count(self) -> int:
        """How many conditions there are, this one included."""
        return 1 + sum(condition.count for condition in self.of or ())

    @property
    def searches(self) -> int:
        """How many conditions look at all of a text."""
        return (self.is_ in SEARCHES) + sum(condition.searches for condition in self.of or ())


class FilterBy(Condition):
    """A condition on a column."""

    column: Name


class Description(_Model):
    """A view: which rows and columns of a table, and in which order."""

    table: Name
    columns: Annotated[tuple[Name, ...], Field(min_length=1, max_length=MOST_COLUMNS, strict=False)] | None = None
    sort: Annotated[tuple[SortBy, ...], Field(max_length=MOST_SORTS, strict=False)] = ()
    filter: Annotated[tuple[FilterBy, ...], Field(max_length=MOST_CONDITIONS, strict=False)] = ()
    search: Text = ""

    @model_validator(mode="after")
    def _bounded(self) -> "Description":
        if sum(condition.count for condition in self.filter) > MOST_CONDITIONS:
            raise ValueError(f"a view has at most {MOST_CONDITIONS} conditions")
        if any(condition.depth > DEEPEST for condition in self.filter):
            raise ValueError(f"conditions lie at most {DEEPEST} deep in one another")
        # A thousand times the same column would be a thousand times the bytes of every row.
        if self.columns is not None and len(set(self.columns)) < len(self.columns):
            raise ValueError("a column is named twice")
        return self

    @property
    def searches(self) -> int:
        """How often the texts of a row are looked through, at the most."""
        return bool(self.search) + sum(condition.searches for condition in self.filter)


class Login(_Model):
    """Who it is. The first message."""

    do: Literal["login"]
    key: Annotated[str, Field(max_length=1_024, repr=False)]


class Open(Description):
    """Begin a view that goes on changing, under a number of the client's own."""

    do: Literal["open"]
    view: Number


class Copy(Description):
    """The same for a copy of this moment."""

    do: Literal["copy"]
    view: Number


class Look(_Model):
    """Be sent these rows of a view from now on."""

    do: Literal["look"]
    view: Number
    look: Number
    first: Number
    last: Number

    @model_validator(mode="after")
    def _bounded(self) -> "Look":
        if not self.first <= self.last < self.first + MOST_ROWS:
            raise ValueError(f"a look is at 1 to {MOST_ROWS} rows")
        return self


class Close(_Model):
    """End a view."""

    do: Literal["close"]
    view: Number


class Ping(_Model):
    """Be answered."""

    do: Literal["ping"]
    id: Number


Message = Login | Open | Copy | Look | Close | Ping
_MESSAGES: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="do")])


def read_message(text: str) -> Message:
    """The message that a text is; raises BadMessage, and never anything else."""
    return _read(_MESSAGES, text)


def read_description(text: str | bytes) -> Description:
    """The same for a description alone, as HTTP takes it."""
    return _read(TypeAdapter(Description), text)


def _read(adapter: "TypeAdapter[T]", text: str | bytes) -> T:
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if size > LARGEST_MESSAGE:
        raise BadMessage(f"a message has at most {LARGEST_MESSAGE} bytes")
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise BadMessage(_reason(error)) from None


def _reason(error: ValidationError) -> str:
    """The first problem, without what was sent: that may be a key."""
    problem: Any = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else str(problem["msg"])
