"""What a query would read next, from a checkpoint as Spark writes it."""

from pathlib import Path

from livejoin.pipeline.spark.next_offsets import next_offsets

CONF = '{"batchWatermarkMs":0,"batchTimestampMs":1,"conf":{"spark.sql.shuffle.partitions":"1"}}'


def write(folder: Path, name: str, *lines: str) -> None:
    """A file of the checkpoint."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines))


def begin(folder: Path) -> None:
    """Where Spark began to read."""
    write(folder, "sources/0/0", "\0v1", '{"users":{"0":3}}')
    write(folder, "sources/1/0", "\0v1", '{"accounts":{"0":0,"1":4}}')


def test_a_query_that_has_never_run_wants_nothing(tmp_path: Path) -> None:
    """There is no checkpoint."""
    assert next_offsets(tmp_path) == {}


def test_before_the_first_batch_is_done_the_beginning_is_wanted(tmp_path: Path) -> None:
    """Also where the end of that batch was chosen already."""
    begin(tmp_path)
    write(tmp_path, "offsets/0", "v1", CONF, '{"users":{"0":9}}', '{"accounts":{"0":9,"1":9}}')

    assert next_offsets(tmp_path) == {"users": {0: 3}, "accounts": {0: 0, 1: 4}}


def test_a_batch_that_was_not_done_is_wanted_again(tmp_path: Path) -> None:
    """Batches are numbers: the tenth is after the ninth."""
    begin(tmp_path)
    for batch in (8, 9, 10):
        write(tmp_path, f"commits/{batch}", "v2", "{}")
        write(tmp_path, f"commits/.{batch}.crc", "")
    for batch in (9, 10, 11):
        write(tmp_path, f"offsets/{batch}", "v1", CONF, f'{{"users":{{"0":{batch}}}}}', '{"accounts":{"0":1,"1":7}}')

    assert next_offsets(tmp_path) == {"users": {0: 10}, "accounts": {0: 1, 1: 7}}


def test_of_one_topic_for_both_sources_the_one_that_is_behind_counts(tmp_path: Path) -> None:
    """A partition that one of them does not know yet is wanted from its beginning."""
    write(tmp_path, "commits/0", "v2", "{}")
    write(tmp_path, "offsets/0", "v1", CONF, '{"both":{"0":9}}', '{"both":{"0":5,"1":2}}')

    assert next_offsets(tmp_path) == {"both": {0: 5, 1: 0}}
