"""A value of an event: where it stands in the JSON, whether it has its column's type, and how Spark holds it.

A variant keeps what a number looked like, so a type is asked for before a value is taken, and nothing is rounded: what
would have to be is refused. Points in time are held as nanoseconds and dates as days since 1970, as they travel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from livejoin.model.column import LARGEST_SECOND, Column, ColumnType, Kind
from livejoin.pipeline.sql.literal import literal
from livejoin.wire.dead_letter import Kind as Reason

NANOS = 1_000_000_000
TEXT = "text"
"""The column with an event's value as a text."""
_ISO = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?([Zz]|[+-][0-9]{2}:?[0-9]{2})$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_SQL_TYPES = {
    Kind.STRING: "string",
    Kind.LONG: "bigint",
    Kind.DOUBLE: "double",
    Kind.BOOLEAN: "boolean",
    Kind.TIMESTAMP: "bigint",
    Kind.DATE: "int",
}
_FOUND = {Kind.STRING: "STRING", Kind.LONG: "BIGINT", Kind.BOOLEAN: "BOOLEAN", Kind.DATE: "STRING"}
"""What Spark calls the type of a variant that may be a value of this kind."""


def sql_type(of: ColumnType) -> str:
    """How Spark holds values of a type."""
    return str(of) if of.kind is Kind.DECIMAL else _SQL_TYPES[of.kind]


def on_the_wire(value: str, of: ColumnType) -> str:
    """A held value as `to_json` has to write it."""
    return f"cast({value} as string)" if of.kind is Kind.DECIMAL else value


def at(root: str, path: Sequence[str], kind: str = "variant") -> str:
    """What stands at a place in a value; null where there is nothing, or not that kind.

    `root` is a variant with the value in brackets, as it is parsed.
    """
    steps = [_step(name) for name in path]
    if None not in steps:
        return f"try_variant_get({root}, {literal('$[0]' + ''.join(filter(None, steps)))}, '{kind}')"
    found = f"try_variant_get({root}, '$[0]', 'variant')"
    for name in path:
        found = f"try_variant_get({found}, '$', 'map<string,variant>')[{literal(name)}]"
    return f"try_variant_get({found}, '$', '{kind}')"


def _step(name: str) -> str | None:
    """A field as a path of variants names it; None for a name that no path can have."""
    for quote in ('"', "'"):
        if quote not in name:
            return f"[{quote}{name}{quote}]"
    return None if "." in name or "[" in name else f".{name}"


def word_for(found: str) -> str:
    """What a variant is, for a sentence; `found` is its type."""
    return (
        f"case when {found} = 'STRING' then 'a string' when {found} = 'BOOLEAN' then 'a boolean'"
        f" when {found} = 'VOID' then 'null' when {found} = 'BIGINT' then 'a number'"
        f" when startswith({found}, 'OBJECT') then 'an object' when startswith({found}, 'ARRAY') then 'an array'"
        " else 'a number with a fraction or an exponent' end"
    )


def because(kind: Reason, text: str) -> str:
    """A reason for rejection; the text is an expression."""
    return f"named_struct('kind', '{kind.value}', 'text', {text})"


@dataclass(frozen=True, slots=True)
class Value:
    """A column's value in what is parsed as `root`, where `path` leads to it. `mark` tells it from others."""

    column: Column
    root: str
    path: tuple[str, ...]
    mark: str

    @property
    def found(self) -> str:
        """The column with the type that was found; null where nothing was."""
        return f"type_{self.mark}"

    @property
    def raw(self) -> str:
        """The column with the value as the variant has it, where the type may be right."""
        return f"raw_{self.mark}"

    @property
    def held(self) -> str:
        """The column with the value; null where there is none or it is not right."""
        return f"held_{self.mark}"

    def steps(self) -> tuple[str, str, str]:
        """The expressions for these three, each of which uses the one before."""
        return (
            f"schema_of_variant({at(self.root, self.path)}) as {self.found}",
            f"case when {self._may_be} then {at(self.root, self.path, self._raw_type)} end as {self.raw}",
            f"{self._held} as {self.held}",
        )

    @property
    def normalised(self) -> str:
        """The value, or what a null becomes."""
        column = self.column
        if column.null_becomes is None:
            return self.held
        return f"coalesce({self.held}, {constant(column.type, column.type.hold(column.null_becomes))})"

    @property
    def is_missing(self) -> str:
        """Whether there is no value, or a null."""
        return f"coalesce({self.found}, 'VOID') = 'VOID'"

    def reasons(self) -> Iterator[tuple[str, Reason, str]]:
        """Conditions under which the value is not right, with the kind of the reason and its text."""
        name, words = self.column.name, self.column.type.words
        out_of_range = literal(f"{name} is out of range for {words}")
        kind = self.column.type.kind
        if kind is Kind.LONG:
            # A variant holds a whole number beyond 64 bits as a decimal without a fraction; so it does 1.0, which fits
            # but is not written as an integer.
            beyond = f"abs({at(self.root, self.path, 'double')}) >= 9.2e18D"
            yield f"{self.found} like 'DECIMAL(%,0)' and {beyond}", Reason.OUT_OF_RANGE, out_of_range
        wrong = f"concat({literal(f'{name} is ')}, {word_for(self.found)}, {literal(f', not {words}')})"
        yield f"not {self.is_missing} and not ({self._may_be})", Reason.WRONG_TYPE, wrong
        unfit = f"{self.raw} is not null and {self.held} is null"
        match kind:
            case Kind.LONG | Kind.DOUBLE:
                yield unfit, Reason.OUT_OF_RANGE, out_of_range
            case Kind.DECIMAL:
                yield unfit, Reason.OUT_OF_RANGE, literal(f"{name} does not fit into {words}")
            case Kind.TIMESTAMP if self.column.type.millis:
                yield unfit, Reason.OUT_OF_RANGE, out_of_range
            case Kind.TIMESTAMP:
                range_of = "from 1677-09-22 to 2262-04-11"
                yield unfit, Reason.WRONG_TYPE, literal(f"{name} is a string, but not {words} {range_of}")
            case Kind.DATE:
                yield unfit, Reason.WRONG_TYPE, literal(f"{name} is a string, but not {words}")

    @property
    def _may_be(self) -> str:
        match self.column.type.kind:
            case Kind.DOUBLE:
                return f"({self.found} in ('BIGINT', 'DOUBLE') or startswith({self.found}, 'DECIMAL'))"
            case Kind.DECIMAL:
                return f"({self.found} = 'BIGINT' or startswith({self.found}, 'DECIMAL'))"
            case Kind.TIMESTAMP:
                return f"{self.found} = '{'BIGINT' if self.column.type.millis else 'STRING'}'"
            case kind:
                return f"{self.found} = '{_FOUND[kind]}'"

    @property
    def _raw_type(self) -> str:
        match self.column.type.kind:
            case Kind.LONG | Kind.DOUBLE | Kind.BOOLEAN:
                return sql_type(self.column.type)
            case Kind.TIMESTAMP if self.column.type.millis:
                return "bigint"
            case _:
                return "string"

    @property
    def _held(self) -> str:
        raw, of = self.raw, self.column.type
        match of.kind:
            case Kind.LONG:
                # The table server has no such number: it stands for a null there, as the lowest double does.
                return f"case when {raw} > -9223372036854775808 then {raw} end"
            case Kind.DOUBLE:
                fits = f"abs({raw}) < double('infinity') and {raw} > -1.7976931348623157E308D"
                return f"case when {fits} then {self._signed} end"
            case Kind.DECIMAL:
                fits = f"length(regexp_extract({raw}, '[.]([0-9]*)', 1)) <= {of.scale}"
                return f"case when {fits} then try_cast({raw} as {of}) end"
            case Kind.TIMESTAMP if of.millis:
                largest = LARGEST_SECOND * 1000
                # Not by abs, which the smallest long has not: that would stop the join.
                return f"case when {raw} between -{largest} and {largest} then {raw} * 1000000 end"
            case Kind.TIMESTAMP:
                return _nanos(raw)
            case Kind.DATE:
                is_day = f"{raw} rlike {literal(_DATE)} and {raw} >= '0001-01-01'"
                return f"case when {is_day} then unix_date(try_cast({raw} as date)) end"
            case _:
                return raw

    @property
    def _signed(self) -> str:
        """The number with its sign also where it is zero: a variant has -0.0 as a decimal, whose zero has none."""
        schema = "double"
        for name in reversed(self.path):
            schema = f"struct<`{name.replace('`', '``')}`:{schema}>"
        found = f"from_json({TEXT}, {literal(schema)})"
        for name in self.path:
            found = f"{found}[{literal(name)}]"
        is_signed = f"{self.raw} = 0 and contains({TEXT}, '-0')"
        return f"case when {is_signed} then coalesce({found}, {self.raw}) else {self.raw} end"


def constant(of: ColumnType, value: object) -> str:
    """A held value of a type, as an expression."""
    return f"cast({literal(str(value).lower() if isinstance(value, bool) else str(value))} as {sql_type(of)})"


def _nanos(text: str) -> str:
    """The point in time that a text names; Spark's own timestamps would cut it to microseconds."""
    whole = f"regexp_replace(upper({text}), '[.][0-9]+', '')"
    seconds = f"unix_seconds(try_cast({whole} as timestamp))"
    fraction = f"bigint(rpad(regexp_extract({text}, '[.]([0-9]{{1,9}})', 1), 9, '0'))"
    is_time = f"{text} rlike {literal(_ISO)} and abs({seconds}) <= {LARGEST_SECOND}"
    return f"case when {is_time} then {seconds} * {NANOS} + {fraction} end"
