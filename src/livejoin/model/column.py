"""A column of a source: its name, its type, where its value stands in an event, and what a null becomes.

Every type travels exactly, from JSON through Spark and the table server to the browser: nothing is rounded on the way,
and what a type cannot hold is refused where the event is judged.
"""

import math
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal, InvalidOperation
from enum import StrEnum

MOST_DIGITS = 38
"""Of a decimal: what Spark holds."""
LONGEST_NAME = 128
DEEPEST = 16
"""How many fields a path may have."""
LONGEST_NUMBER = 1_000
"""How many digits the pipeline reads of a number, in any field of an event."""
LONGEST_NULL = 1_000
"""How many characters the text may have that a null becomes."""
_DECIMAL = re.compile(r"decimal\((?P<precision>\d{1,3}),\s*(?P<scale>\d{1,3})\)")
INSTANT_TEXT = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?P<fraction>\.\d{1,9})?(Z|z|[+-]\d{2}:?\d{2})", re.ASCII
)
"""A point in time in ISO-8601, with its zone."""
LARGEST_SECOND = 9_223_372_035
"""Of a point in time that fits into 64 bits of nanoseconds, after the first and before the last moment of all."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EXACT = Context(prec=2 * MOST_DIGITS)
DATE_TEXT = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

UNDRAWN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]")
"""Characters that Unicode counts as printable and allows to be left undrawn."""

Scalar = str | int | float | bool
"""A value as JSON and TOML have it."""


class DeclarationProblem(ValueError):
    """Something that cannot be declared so, in a sentence that says what can."""


class Kind(StrEnum):
    """What a column holds."""

    STRING = "string"
    LONG = "long"
    DOUBLE = "double"
    BOOLEAN = "boolean"
    DECIMAL = "decimal"
    TIMESTAMP = "timestamp"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A kind with what belongs to it: the digits of a decimal, whether a timestamp is written as epoch milliseconds."""

    kind: Kind
    precision: int = 0
    scale: int = 0
    millis: bool = False

    @classmethod
    def named(cls, text: str) -> "ColumnType":
        """The type of that name, as a declaration has it; raises DeclarationProblem."""
        name = text.strip().lower()
        if name == "timestamp(millis)":
            return cls(Kind.TIMESTAMP, millis=True)
        found = _DECIMAL.fullmatch(name)
        if found:
            precision, scale = int(found["precision"]), int(found["scale"])
            if not 1 <= precision <= MOST_DIGITS or scale > precision:
                raise DeclarationProblem(
                    f"{text}: a decimal has 1 to {MOST_DIGITS} digits, and at most all of them after the point"
                )
            return cls(Kind.DECIMAL, precision, scale)
        if name not in set(Kind) - {Kind.DECIMAL}:
            raise DeclarationProblem(
                f"there is no type {text!r}: it is string, long, double, boolean, decimal(digits,after the point), "
                "timestamp, timestamp(millis) or date"
            )
        return cls(Kind(name))

    def __str__(self) -> str:
        """Its name in a declaration."""
        if self.kind is Kind.DECIMAL:
            return f"decimal({self.precision},{self.scale})"
        return "timestamp(millis)" if self.millis else self.kind.value

    @property
    def held(self) -> "ColumnType":
        """The type of the values themselves, however an event writes them."""
        return ColumnType(Kind.TIMESTAMP) if self.millis else self

    @property
    def written_as(self) -> frozenset[str]:
        """What of JSON may stand where a value is: no event can have a text and a number in the same place."""
        match self.kind:
            case Kind.STRING | Kind.DATE:
                return frozenset({"text"})
            case Kind.TIMESTAMP:
                return frozenset({"number" if self.millis else "text"})
            case Kind.BOOLEAN:
                return frozenset({"boolean"})
            case Kind.LONG | Kind.DOUBLE | Kind.DECIMAL:
                return frozenset({"number"})

    @property
    def words(self) -> str:
        """What a value is, for a sentence."""
        match self.kind:
            case Kind.STRING:
                return "a string"
            case Kind.LONG:
                return "a 64-bit integer"
            case Kind.DOUBLE:
                return "a number"
            case Kind.BOOLEAN:
                return "a boolean"
            case Kind.DECIMAL:
                return f"a {self}"
            case Kind.TIMESTAMP:
                return "epoch milliseconds" if self.millis else "an ISO-8601 time with a zone"
            case Kind.DATE:
                return "a date like 2024-12-31"

    def accepts(self, value: Scalar) -> bool:
        """Whether this is a value of the type, as an event or a declaration writes it."""
        is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
        match self.kind:
            case Kind.STRING:
                return isinstance(value, str)
            case Kind.LONG:
                return isinstance(value, int) and not isinstance(value, bool) and -(2**63) < value < 2**63
            case Kind.DOUBLE:
                return is_number and _is_finite(value)
            case Kind.BOOLEAN:
                return isinstance(value, bool)
            case Kind.DECIMAL:
                return (is_number or isinstance(value, str)) and self._holds(str(value))
            case Kind.TIMESTAMP:
                if self.millis:
                    return (
                        isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_SECOND * 1000
                    )
                return isinstance(value, str) and INSTANT_TEXT.fullmatch(value) is not None and _is_moment(value)
            case Kind.DATE:
                return isinstance(value, str) and DATE_TEXT.fullmatch(value) is not None and _is_day(value)

    def hold(self, value: Scalar) -> str | int | float | bool | Decimal:
        """A value that it accepts, as it is held: a timestamp as nanoseconds and a date as days since 1970."""
        match self.kind:
            case Kind.DOUBLE:
                return float(value)
            case Kind.DECIMAL:
                return Decimal(str(value)).quantize(Decimal(1).scaleb(-self.scale), context=_EXACT)
            case Kind.TIMESTAMP if self.millis:
                return int(value) * 1_000_000
            case Kind.TIMESTAMP:
                return _nanos_of(str(value))
            case Kind.DATE:
                return (date.fromisoformat(str(value)) - date(1970, 1, 1)).days
            case _:
                return value

    def _holds(self, text: str) -> bool:
        try:
            number = Decimal(text)
        except InvalidOperation:
            return False
        _, digits, exponent = number.as_tuple()
        if not isinstance(exponent, int):
            return False
        # By hand: to normalise a number rounds it.
        needed = "".join(map(str, digits)).rstrip("0")
        exponent += len(digits) - len(needed)
        return not needed or (-exponent <= self.scale and len(needed) + exponent <= self.precision - self.scale)


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `path` leads to its field, through objects; a missing or null field has the value `null_becomes`."""

    name: str
    type: ColumnType
    path: tuple[str, ...] = ()
    null_becomes: Scalar | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be shown or told apart."""
        if not self.path:
            object.__setattr__(self, "path", (self.name,))
        for text in (self.name, *self.path):
            if not text or len(text) > LONGEST_NAME:
                shown = f"{text[:40]!r}..., which has {len(text)}" if text else "none"
                raise DeclarationProblem(
                    f"the name of a column or field has 1 to {LONGEST_NAME} characters, not {shown}"
                )
            if not text.isprintable() or text != text.strip() or UNDRAWN.search(text):
                raise DeclarationProblem(
                    f"{text!r} cannot be the name of a column or field: control characters, characters that are not "
                    "drawn and spaces at its ends would not be seen"
                )
        if len(self.path) > DEEPEST:
            raise DeclarationProblem(f"path has {len(self.path)} fields: at most {DEEPEST} lead to a value")
        if isinstance(self.null_becomes, str) and len(self.null_becomes) > LONGEST_NULL:
            raise DeclarationProblem(
                f"null has {len(self.null_becomes)} characters: at most {LONGEST_NULL} are allowed"
            )
        if self.null_becomes is not None and not self.type.accepts(self.null_becomes):
            raise DeclarationProblem(f"null = {self.null_becomes!r} is not {self.type.words}")

    @property
    def place(self) -> str:
        """Where its value stands in an event, for a sentence."""
        return ".".join(self.path)


def looks(name: str) -> str:
    """A name as it looks: two that look the same are the same to a person, however their characters are composed."""
    return unicodedata.normalize("NFC", name)


def _is_finite(value: Scalar) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _is_moment(text: str) -> bool:
    try:
        _nanos_of(text)
    except (ValueError, OverflowError):
        return False
    return True


def _nanos_of(text: str) -> int:
    found = INSTANT_TEXT.fullmatch(text)
    if found is None:
        raise ValueError(text)
    fraction = found["fraction"] or ""
    whole = datetime.fromisoformat(text.upper().replace(fraction, ""))
    seconds = (whole - _EPOCH) // timedelta(seconds=1)
    if abs(seconds) > LARGEST_SECOND:
        raise OverflowError(text)
    return seconds * 1_000_000_000 + int(fraction.removeprefix(".").ljust(9, "0") or 0)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
