"""A source topic as a stream of judged events: normalised rows, tombstones, or a reason for rejection.

Everything here is Spark's own SQL; no Python runs per event. `from_json` would let through what must be rejected (text
after the object, a number for a string, a field twice, NaN), so events are parsed as variants, which are strict, and
every field's type is asked for before its value is taken.

Expressions are SQL text and not Column objects: a Column costs a round trip to the JVM for every operator, which made
thousands of them and several seconds at each start of a query.
"""

from collections.abc import Iterator, Mapping

from pyspark.sql import DataFrame, SparkSession

from livejoin.model.column import LONGEST_NUMBER, Column, Kind
from livejoin.model.declaration import Declaration, Side, Source
from livejoin.model.table import field_of, key_field
from livejoin.pipeline.sql.literal import literal
from livejoin.pipeline.sql.value import TEXT, Value, at, because, sql_type, word_for
from livejoin.settings.generation import EventSettings
from livejoin.wire.dead_letter import Kind as Reason

FORMAT = "livejoin.KafkaOfAnyTime"
"""How Spark knows the class that reads records."""
ORDER_TYPE = "struct<timestamp:timestamp,partition:int,offset:bigint>"
ROOT = "parsed"
KEY_ROOT = "key_parsed"
"""The columns with what is parsed, in brackets."""
LONGEST_NAME, DEEPEST = 50_000, 1000
"""What else Spark's parser of JSON can read, in any field."""
NO_TIME = "(timestampType = -1 and unix_millis(timestamp) = 0)"
"""Whether a record is handed on by livejoin.AnyTime as one whose time cannot be held, with that in place of its key."""
TOPIC_ID = "livejoin.topic.id"
"""A property of livejoin.SameTopic."""
NO_ID = "AAAAAAAAAAAAAAAAAAAAAA"
"""What a broker that is too old for ids says of every topic."""
NO_FIELDS = "struct<present:boolean>"
"""The row of a source that consists of its key."""


def row_type(declaration: Declaration, side: Side) -> str:
    """The fields of a source's row, without the key, as Spark names the type."""
    fields = declaration.source(side).fields
    if not fields:
        return NO_FIELDS
    return "struct<" + ",".join(f"{field_of(declaration, side, f.name)}:{sql_type(f.type)}" for f in fields) + ">"


def key_fields(declaration: Declaration) -> list[str]:
    """The columns of the key."""
    return [key_field(at) for at in range(len(declaration.left.key))]


def read(
    spark: SparkSession, kafka: Mapping[str, str], topic: str, topic_id: str | None, starting_offsets: str
) -> DataFrame:
    """A topic's records: key, value, topic, partition, offset, timestamp and its type.

    With an id, those of the topic that has it, and an end of the query where another topic takes its name.
    """
    # A gap in the offsets is a reason to stop and say so, never to go on silently.
    options = {"startingOffsets": starting_offsets, "failOnDataLoss": "true"}
    return spark.readStream.format(FORMAT).options(**reading(kafka, topic, topic_id), **options).load()


def reading(kafka: Mapping[str, str], topic: str, topic_id: str | None = None) -> dict[str, str]:
    """What Spark is told of a topic, besides from where to where: every record that was committed, of any time."""
    own = {"isolation.level": "read_committed", "interceptor.classes": "livejoin.AnyTime"}
    if topic_id not in (None, NO_ID):
        own |= {"interceptor.classes": "livejoin.SameTopic,livejoin.AnyTime", TOPIC_ID: _in_java(str(topic_id))}
    return {"subscribe": topic} | {f"kafka.{name}": value for name, value in {**kafka, **own}.items()}


def _in_java(topic_id: str) -> str:
    """An id as Java writes it, which has the alphabet of addresses, and librdkafka that of mails."""
    return topic_id.translate(str.maketrans("+/", "-_"))


def judge(records: DataFrame, declaration: Declaration, side: Side, limits: EventSettings) -> DataFrame:
    """Turn records into: value, topic, `millis`, `reason` (its kind and text; null if valid), key, `order` and `row`.

    `millis` is the time as Kafka has it. The row is null for a tombstone. In steps, each a projection that uses the one
    before several times, so that a value is parsed once.
    """
    return _Judge(declaration, side, limits).judge(records)


class _Judge:
    """What is right in an event of one source, as SQL."""

    def __init__(self, declaration: Declaration, side: Side, limits: EventSettings) -> None:
        self._declaration = declaration
        self._side = side
        self._source: Source = declaration.source(side)
        self._limits = limits
        self._values = {
            column.name: Value(column, ROOT, column.path, f"v{place}")
            for place, column in enumerate(self._source.columns)
        }
        # The key of a tombstone that is not one text.
        self._key_values = (
            []
            if self._source.has_text_key
            else [Value(c, KEY_ROOT, (c.name,), f"k{place}") for place, c in enumerate(self._source.key_columns)]
        )

    def judge(self, records: DataFrame) -> DataFrame:
        steps = [value.steps() for value in (*self._values.values(), *self._key_values)]
        found, raw, held = zip(*steps, strict=True)
        shapes = [f"{_shape(ROOT)} as shape", *(f"{_at_parent(path)} as {mark}" for path, mark in self._parents())]
        if self._key_values:
            shapes.append(f"{_shape(KEY_ROOT)} as key_shape")
        return (
            records.selectExpr("*", f"octet_length(value) > {self._limits.max_bytes} as too_large")
            .selectExpr(
                "*", f"case when not too_large and is_valid_utf8(string(value)) then string(value) end as {TEXT}"
            )
            .selectExpr("*", f"{_strictly_parsed(TEXT)} as {ROOT}", "coalesce(string(key), '') as key_text")
            .selectExpr("*", *self._parsed_key())
            .selectExpr("*", *shapes, *found)
            .selectExpr("*", *raw)
            .selectExpr("*", *held)
            .selectExpr(
                "value",
                "topic",
                f"case when {NO_TIME} then bigint(string(key)) else unix_millis(timestamp) end as millis",
                f"case {' '.join(self._branches())} end as reason",
                *self._key(),
                f"cast(struct(timestamp, partition, offset) as {ORDER_TYPE}) as order",
                f"case when value is not null then {self._row()} end as row",
            )
        )

    def _parsed_key(self) -> list[str]:
        if not self._key_values:
            return []
        readable = f"value is null and octet_length(key) <= {self._limits.max_bytes} and is_valid_utf8(key_text)"
        return [f"{_strictly_parsed(f'case when {readable} then key_text end')} as {KEY_ROOT}"]

    def _key(self) -> Iterator[str]:
        for place, column in enumerate(self._source.key_columns):
            of_tombstone = self._key_values[place].held if self._key_values else "key_text"
            yield (
                f"case when value is null then {of_tombstone} else {self._values[column.name].held} end"
                f" as {key_field(place)}"
            )

    def _row(self) -> str:
        pairs = ", ".join(
            f"'{field_of(self._declaration, self._side, field.name)}', {self._values[field.name].normalised}"
            for field in self._source.fields
        )
        fields = pairs or "'present', true"
        return f"cast(named_struct({fields}) as {row_type(self._declaration, self._side)})"

    def _branches(self) -> Iterator[str]:
        """`when` branches that say why an event is not valid; the first thing that is wrong is named."""
        no_time = "concat('the time of the record is out of range: ', string(key), ' milliseconds since 1970')"
        yield f"when {NO_TIME} then {because(Reason.OUT_OF_RANGE, no_time)}"
        for condition, kind, text in self._tombstone_reasons():
            yield f"when value is null and ({condition}) then {because(kind, text)}"
        yield "when value is null then null"
        for condition, kind, text in self._reasons():
            yield f"when {condition} then {because(kind, text)}"

    def _tombstone_reasons(self) -> Iterator[tuple[str, Reason, str]]:
        source, kind = self._source, Reason.TOMBSTONE
        names = ", ".join(source.key)
        what = f"the {names}" if source.has_text_key else f"a JSON object with {names}"
        yield "key is null", kind, literal(f"no value and no key: the key of a tombstone is {what}")
        yield "not is_valid_utf8(key_text)", kind, "'no value, and a key that is not UTF-8'"
        yield "key_text = ''", kind, "'no value and an empty key'"
        # No event that is small enough could have such a key.
        too_long = (
            f"octet_length(to_json(named_struct('x', key_text))) + {len(source.key[0].encode()) - 1}"
            if source.has_text_key
            else "octet_length(key)"
        )
        longer = literal(f"no value, and a key that is longer than any {names} can be")
        yield f"{too_long} > {self._limits.max_bytes}", kind, longer
        if self._key_values:
            no_object = literal(f"no value, and a key that is not {what}")
            yield "key_shape is null or not startswith(key_shape, 'OBJECT')", kind, no_object
        for value in self._key_values:
            for condition, _, text in self._key_reasons(value):
                yield condition, kind, f"concat('no value, and in its key ', {text})"

    def _reasons(self) -> Iterator[tuple[str, Reason, str]]:
        most = self._limits.max_bytes
        too_large = f"concat(octet_length(value), ' bytes: more than the {most} of events.max_bytes')"
        yield "too_large", Reason.TOO_LARGE, too_large
        yield f"{TEXT} is null", Reason.NOT_UTF8, "'not UTF-8'"
        yield f"trim({TEXT}) = ''", Reason.EMPTY, "'empty: neither JSON nor a tombstone'"
        twice = f"size(array_distinct(json_object_keys({TEXT}))) < size(json_object_keys({TEXT}))"
        yield f"shape is null and {twice}", Reason.NOT_JSON, "'the same field twice'"
        after = f"shape is null and try_parse_json({TEXT}) is not null"
        yield after, Reason.NOT_JSON, "'text after the JSON value'"
        for condition, kind, text in _parser_limits():
            yield f"shape is null and {condition}", kind, literal(text)
        yield "shape is null", Reason.NOT_JSON, "'not valid JSON'"
        not_object = f"concat('the value is ', {word_for('shape')}, ', not an object')"
        yield "not startswith(shape, 'OBJECT')", Reason.NOT_AN_OBJECT, not_object
        for path, mark in self._parents():
            wrong = f"concat({literal('.'.join(path) + ' is ')}, {word_for(mark)}, ', not an object')"
            yield f"{mark} <> 'VOID' and not startswith({mark}, 'OBJECT')", Reason.WRONG_TYPE, wrong
        for column in self._source.key_columns:
            yield from self._key_reasons(self._values[column.name])
        for field in self._source.fields:
            yield from self._values[field.name].reasons()

    def _key_reasons(self, value: Value) -> Iterator[tuple[str, Reason, str]]:
        column: Column = value.column
        yield value.is_missing, Reason.NO_KEY, literal(f"{column.name} is missing")
        yield from value.reasons()
        if column.type.kind is Kind.STRING:
            yield f"{value.held} = ''", Reason.NO_KEY, literal(f"{column.name} is empty")

    def _parents(self) -> list[tuple[tuple[str, ...], str]]:
        """Every object on the way to a nested field, with the column that has its type."""
        paths = dict.fromkeys(
            column.path[:depth] for column in self._source.columns for depth in range(1, len(column.path))
        )
        return [(path, f"parent_{place}") for place, path in enumerate(paths)]


def _parser_limits() -> Iterator[tuple[str, Reason, str]]:
    """What Spark's parser cannot read although it is JSON; it can read the same with less in it.

    The patterns repeat single characters only: anything else would take Java's stack for as long as a match is.
    """
    shorter = f"regexp_replace({TEXT}, '([0-9])[0-9.eE+-]{{{LONGEST_NUMBER},}}', '$1')"
    yield f"{_strictly_parsed(shorter)} is not null", Reason.TOO_LARGE, f"a number of more than {LONGEST_NUMBER} digits"
    shorter = f"""regexp_replace({TEXT}, '"([^"]{{40}})[^"]{{{LONGEST_NAME - 40},}}"', '"$1"')"""
    named = f"the name of a field has more than {LONGEST_NAME} characters"
    yield f"{_strictly_parsed(shorter)} is not null", Reason.TOO_LARGE, named
    opened = f"length({TEXT}) - length(translate({TEXT}, '[{{', '')) > {DEEPEST}"
    yield opened, Reason.NOT_JSON, f"not valid JSON, or more than {DEEPEST} arrays and objects in each other"


def _shape(parsed: str) -> str:
    """The type of the value in its brackets; null where it is not exactly one value."""
    # A second element means that there was text after the value.
    second = f"try_variant_get({parsed}, '$[1]', 'variant')"
    return f"case when {second} is null then schema_of_variant({at(parsed, ())}) end"


def _at_parent(path: tuple[str, ...]) -> str:
    return f"coalesce(schema_of_variant({at(ROOT, path)}), 'VOID')"


def _strictly_parsed(text: str) -> str:
    """A variant array with the value as its only element; null where the text is not exactly one JSON value.

    In brackets, text after the value breaks the parse, except where it closes the bracket itself. What closes a bracket
    cannot also stand in an object, which the second form asks, only where a bracket is there at all.
    """
    in_object = f"""try_parse_json(concat('{{"x":', {text}, '}}'))"""
    in_array = f"try_parse_json(concat('[', {text}, ']'))"
    return f"case when not contains({text}, ']') or {in_object} is not null then {in_array} end"
