"""A source topic as a stream of judged events: normalised rows, tombstones, or a reason for rejection.

Everything here is Spark's own SQL; no Python runs per event. `from_json` would let through what must be rejected (text
after the object, a number as userId, a field twice, NaN), so events are parsed as variants, which are strict, and every
field's type is asked for before its value is taken.

Expressions are SQL text and not Column objects: a Column costs a round trip to the JVM for every operator, which made
thousands of them and several seconds at each start of a query.
"""

from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession

from livejoin.schema import Column, ColumnType, Source
from livejoin.settings import EventSettings

SQL_TYPES = {ColumnType.STRING: "string", ColumnType.LONG: "bigint", ColumnType.DOUBLE: "double"}
WORDS = {ColumnType.STRING: "a string", ColumnType.LONG: "a 64-bit integer", ColumnType.DOUBLE: "a number"}
ORDER_TYPE = "struct<timestamp:timestamp,partition:int,offset:bigint>"


def row_type(source: Source) -> str:
    """The fields of a source's row, without the key, as Spark names the type."""
    return "struct<" + ",".join(f"{field.name}:{SQL_TYPES[field.type]}" for field in source.fields) + ">"


def read(spark: SparkSession, kafka: Mapping[str, str], topic: str, starting_offsets: str) -> DataFrame:
    """A topic's records: key, value, topic, partition, offset, timestamp."""
    # A gap in the offsets is a reason to stop and say so, never to go on silently.
    options = {"subscribe": topic, "startingOffsets": starting_offsets, "failOnDataLoss": "true"}
    options |= {f"kafka.{name}": value for name, value in kafka.items()}
    return spark.readStream.format("kafka").options(**options).load()


def judge(records: DataFrame, source: Source, limits: EventSettings) -> DataFrame:
    """Turn records into: value, topic, `reason` (null if valid), userId, `order` and `row` (null for a tombstone).

    In steps, each a projection that uses the one before several times, so that a value is parsed once.
    """
    key = source.key.name
    types = [f"schema_of_variant({_at(column)}) as {column.name}_type" for column in source.columns]
    values = [f"{_value(column)} as {column.name}" for column in source.columns]
    normalised = ", ".join(f"'{field.name}', {_normalised(field)}" for field in source.fields)
    return (
        records.selectExpr("*", f"octet_length(value) > {limits.max_bytes} as too_large")
        .selectExpr("*", "case when not too_large and is_valid_utf8(string(value)) then string(value) end as text")
        .selectExpr("*", f"{_strictly_parsed('text')} as json", "coalesce(string(key), '') as key_text")
        # A second element means that there was text after the value.
        .selectExpr("*", f"case when {_at('$[1]')} is null then schema_of_variant({_at('$[0]')}) end as shape", *types)
        .selectExpr("*", *values)
        .selectExpr(
            "value",
            "topic",
            f"case {' '.join(_reasons(source, limits))} end as reason",
            f"case when value is null then key_text else {key} end as {key}",
            f"cast(struct(timestamp, partition, offset) as {ORDER_TYPE}) as order",
            f"case when value is not null then cast(named_struct({normalised}) as {row_type(source)}) end as row",
        )
    )


def _strictly_parsed(text: str) -> str:
    """A variant array with the value as its only element; null where the text is not exactly one JSON value.

    In brackets, text after the value breaks the parse, except where it closes the bracket itself. What closes a bracket
    cannot also stand in an object, which the second form asks, only where a bracket is there at all.
    """
    in_object = f"""try_parse_json(concat('{{"x":', {text}, '}}'))"""
    in_array = f"try_parse_json(concat('[', {text}, ']'))"
    return f"case when not contains({text}, ']') or {in_object} is not null then {in_array} end"


def _at(place: Column | str, kind: str = "variant") -> str:
    path = place if isinstance(place, str) else f"$[0].{place.name}"
    return f"try_variant_get(json, '{path}', '{kind}')"


def _value(column: Column) -> str:
    found = f"{column.name}_type"
    right = _is_number(found) if column.type is ColumnType.DOUBLE else f"{found} = '{_exact_type(column)}'"
    return f"case when {right} then {_at(column, SQL_TYPES[column.type])} end"


def _exact_type(column: Column) -> str:
    return SQL_TYPES[column.type].upper()


def _normalised(column: Column) -> str:
    return column.name if column.null_becomes is None else f"coalesce({column.name}, '{column.null_becomes}')"


def _is_number(found: str) -> str:
    return f"({found} in ('BIGINT', 'DOUBLE') or startswith({found}, 'DECIMAL'))"


def _reasons(source: Source, limits: EventSettings) -> list[str]:
    """`when` branches that say why an event is not valid; the first thing that is wrong is the one that is named."""
    key = source.key
    too_large = f"concat(octet_length(value), ' bytes: more than the {limits.max_bytes} of events.max_bytes')"
    # No event that is small enough could have such a userId.
    too_long = f"octet_length(to_json(named_struct('{key.name}', key_text))) > {limits.max_bytes}"
    branches = [
        f"when value is null and key is null then 'no value and no key: the key of a tombstone is the {key.name}'",
        "when value is null and not is_valid_utf8(key_text) then 'no value, and a key that is not UTF-8'",
        "when value is null and key_text = '' then 'no value and an empty key'",
        f"when value is null and {too_long} then 'no value, and a key that is longer than any {key.name} can be'",
        "when value is null then null",
        f"when too_large then {too_large}",
        "when text is null then 'not UTF-8'",
        "when trim(text) = '' then 'empty: neither JSON nor a tombstone'",
        "when shape is null and size(array_distinct(json_object_keys(text))) < size(json_object_keys(text))"
        " then 'the same field twice'",
        "when shape is null and try_parse_json(text) is not null then 'text after the JSON value'",
        "when shape is null then 'not valid JSON'",
        f"when not startswith(shape, 'OBJECT') then concat('the value is ', {_word_for('shape')}, ', not an object')",
        f"when coalesce({key.name}_type, 'VOID') = 'VOID' then '{key.name} is missing'",
        f"when {key.name}_type <> 'STRING' then {_wrong_type(key)}",
        f"when {key.name} = '' then '{key.name} is empty'",
    ]
    for field in source.fields:
        branches += _field_reasons(field)
    return branches


def _field_reasons(field: Column) -> list[str]:
    found = f"{field.name}_type"
    present = f"coalesce({found}, 'VOID') <> 'VOID'"
    out_of_range = f"'{field.name} is out of range for {WORDS[field.type]}'"
    if field.type is ColumnType.DOUBLE:
        return [
            f"when {present} and not {_is_number(found)} then {_wrong_type(field)}",
            f"when abs({field.name}) = double('infinity') then {out_of_range}",
        ]
    wrong = f"when {present} and {found} <> '{_exact_type(field)}' then {_wrong_type(field)}"
    if field.type is ColumnType.LONG:
        # A variant holds a whole number beyond 64 bits as a decimal without a fraction; so it does 1.0, which fits but
        # is not written as an integer.
        beyond = f"{found} like 'DECIMAL(%,0)' and abs({_at(field, 'double')}) >= 9.2e18D"
        return [f"when {beyond} then {out_of_range}", wrong]
    return [wrong]


def _wrong_type(column: Column) -> str:
    return f"concat('{column.name} is ', {_word_for(f'{column.name}_type')}, ', not {WORDS[column.type]}')"


def _word_for(found: str) -> str:
    return (
        f"case when {found} = 'STRING' then 'a string' when {found} = 'BOOLEAN' then 'a boolean'"
        f" when {found} = 'VOID' then 'null' when {found} = 'BIGINT' then 'a number'"
        f" when startswith({found}, 'OBJECT') then 'an object' when startswith({found}, 'ARRAY') then 'an array'"
        " else 'a number with a fraction or an exponent' end"
    )
