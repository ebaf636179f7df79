"""Which type the values of a field suggest: the strictest one that takes all of them."""

from collections import Counter
from collections.abc import Sequence

from livejoin.draft.names import suggests_time
from livejoin.draft.sample import Array, Leaf, Nested, Number
from livejoin.model.column import MOST_DIGITS, ColumnType, Kind, Scalar

MOST_SCALE = 4
"""How many digits after the point suggest that somebody counts with them."""
USUAL_DIGITS = 18
PLAUSIBLE_MILLIS = range(946_684_800_000, 4_102_444_800_000)
"""From 2000 to 2100."""

STRING, LONG, DOUBLE, BOOLEAN = (ColumnType(kind) for kind in (Kind.STRING, Kind.LONG, Kind.DOUBLE, Kind.BOOLEAN))
TIMESTAMP, MILLIS, DATE = ColumnType(Kind.TIMESTAMP), ColumnType(Kind.TIMESTAMP, millis=True), ColumnType(Kind.DATE)


def word_for(value: Leaf) -> str:
    """What a value is, for a sentence."""
    match value:
        case Number():
            return "a number" if value.is_whole else "a number with a fraction or an exponent"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case Array():
            return "an array"
        case Nested():
            return "an object"
        case _:
            return "null"


def suggested(name: str, values: Sequence[Leaf]) -> ColumnType | type[Array] | type[Nested] | None:
    """The type of these values, of which most are of one shape; None where there are none but nulls."""
    shapes = Counter(_shape(value) for value in values if value is not None)
    if not shapes:
        return None
    shape = shapes.most_common(1)[0][0]
    if shape is Array or shape is Nested:
        return shape
    alike = [value for value in values if value is not None and _shape(value) is shape]
    if shape is bool:
        return BOOLEAN
    texts = [str(value) for value in alike]
    return _of_numbers(name, [Number(text) for text in texts]) if shape is Number else _of_texts(texts)


def accepted(of: ColumnType, value: Leaf) -> bool:
    """Whether an event with this value fits, by the rules of the declaration."""
    if isinstance(value, Number):
        if of.kind is Kind.DECIMAL and _has_exponent(value):
            return False
        return of.kind is not Kind.STRING and of.accepts(str(value) if of.kind is Kind.DECIMAL else _plain(value))
    if isinstance(value, Array | Nested) or value is None:
        return False
    return of.kind is not Kind.DECIMAL and of.accepts(value)


def misfit(name: str, of: ColumnType, value: Leaf) -> str:
    """Why a value that is not accepted does not fit, in the words of a dead letter."""
    if isinstance(value, Number):
        if of.kind is Kind.DECIMAL and not _has_exponent(value):
            return f"{name} does not fit into {of.words}"
        if of.kind is Kind.DOUBLE or (value.is_whole and (of.kind is Kind.LONG or of.millis)):
            return f"{name} is out of range for {of.words}"
    return f"{name} is {word_for(value)}, not {of.words}"


def held(of: ColumnType, value: Leaf) -> object:
    """A value that is accepted, so that equal ones are equal however they are written."""
    if isinstance(value, Number):
        return of.hold(str(value) if of.kind is Kind.DECIMAL else _plain(value))
    return of.hold(value) if isinstance(value, str | bool) else None


def _shape(value: Leaf) -> type:
    return type(value)


def _of_texts(texts: Sequence[str]) -> ColumnType:
    return next((of for of in (TIMESTAMP, DATE) if all(map(of.accepts, texts))), STRING)


def _of_numbers(name: str, numbers: Sequence[Number]) -> ColumnType:
    if any(_has_exponent(number) for number in numbers):
        return DOUBLE
    scale = max(len(number.partition(".")[2]) for number in numbers)
    whole = max(len(number.partition(".")[0].lstrip("-")) for number in numbers)
    if scale > MOST_SCALE or whole + scale > MOST_DIGITS:
        return DOUBLE
    if not scale and all(LONG.accepts(int(number)) for number in numbers):
        is_time = suggests_time(name) and all(int(number) in PLAUSIBLE_MILLIS for number in numbers)
        return MILLIS if is_time else LONG
    # Some room: the largest of all was hardly among the newest.
    return ColumnType(Kind.DECIMAL, USUAL_DIGITS if whole + scale + 3 <= USUAL_DIGITS else MOST_DIGITS, scale)


def _has_exponent(number: Number) -> bool:
    return "e" in number.lower()


def _plain(number: Number) -> Scalar:
    """As Python has it; one with a fraction as a text is judged digit by digit where that matters."""
    if number.is_whole:
        return int(number) if len(number) <= 2 * MOST_DIGITS else float(number)
    return float(number)
