"""Judges events in a Spark of its own, without Kafka and without a stream.

Reads a JSON file {"settings": overrides, "side": "left", "events": [[key, value], ...]} with texts or nulls, and writes
a JSON file with a pair for each of them: the kind and text of the reason, or null; and the row as JSON, or null.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from pyspark.sql import SparkSession

from livejoin.model.declaration import Side
from livejoin.pipeline.sql.source import judge
from livejoin.settings.loader import load_settings

RECORD = "key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp, timestampType int"


def main(given: Path, answer: Path) -> None:
    """Answer with what is wrong with each event."""
    asked = json.loads(given.read_text(encoding="utf-8"))
    settings = load_settings(None, asked["settings"])
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = spark.config("spark.sql.session.timeZone", "UTC").config("spark.driver.host", "127.0.0.1").getOrCreate()
    now = datetime.now(UTC)
    rows = [
        (_bytes(key), _bytes(value), "topic", 0, offset, now, 0) for offset, (key, value) in enumerate(asked["events"])
    ]
    judged = judge(session.createDataFrame(rows, RECORD), settings.declaration, Side(asked["side"]), settings.events)
    wanted = judged.selectExpr("order.offset as offset", "reason", "to_json(row) as row")
    found = {row.offset: (row.reason and list(row.reason), row.row) for row in wanted.collect()}
    answer.write_text(json.dumps([found[offset] for offset in range(len(rows))]))
    session.stop()


def _bytes(text: str | None) -> bytearray | None:
    return None if text is None else bytearray(text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
