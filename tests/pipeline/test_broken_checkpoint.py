"""Checkpoints that are known to be broken by their files; tests/whole_pipeline/test_checkpoints.py has the others."""

from pathlib import Path

import pytest

from livejoin.pipeline.spark.broken_checkpoint import CheckpointBroken, require_logs

WRITTEN = {
    "metadata": '{"id":"f39d42bd"}',
    "offsets/0": 'v1\n{"batchTimestampMs":1}\n{"users":{"0":3}}\n-',
    "offsets/1": 'v1\n{"batchTimestampMs":2}\n{"users":{"0":9}}\n{"accounts":{"0":9}}',
    "commits/0": 'v2\n{"nextBatchWatermarkMs":0}',
}


@pytest.fixture
def query(tmp_path: Path) -> Path:
    """As Spark writes it: a batch that was done, and one that was begun."""
    for name, text in WRITTEN.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return tmp_path


def test_what_spark_writes_is_not_broken_nor_is_what_has_not_begun(query: Path) -> None:
    """Nor is a batch missing that was begun and not done."""
    require_logs(query)
    (query / "offsets/1").unlink()
    require_logs(query)
    require_logs(query / "nothing")


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("content", [b"", b"v1", b"v1\n", b"\0\0\0\0", b'v1\n{"users":', b"v1\n\xff"])
def test_a_file_that_was_not_written_to_its_end_is_found(query: Path, name: str, content: bytes) -> None:
    """As after a loss of power, or with another disk's bytes."""
    (query / name).write_bytes(content)

    with pytest.raises(CheckpointBroken, match=f"{name} cannot be read"):
        require_logs(query)


def test_a_batch_that_was_done_and_is_gone_is_found(query: Path) -> None:
    """Nobody knows where the next one would begin."""
    (query / "offsets/0").unlink()

    with pytest.raises(CheckpointBroken, match="offsets/0 cannot be read"):
        require_logs(query)
