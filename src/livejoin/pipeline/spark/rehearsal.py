"""A join that nobody sees: what a standby does while it waits, so that Spark has loaded and compiled what it will need.

A Spark that was just started takes many times longer for its first query than for the next one.
"""

import os
import shutil
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import structlog
from pyspark.sql import SparkSession

from livejoin.errors import KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.model.declaration import Side
from livejoin.model.generation import Generation, Start
from livejoin.pipeline.spark.query import JoinQuery
from livejoin.pipeline.spark.streaming import QueryDied
from livejoin.settings.settings import Settings

EVENTS = 10
"""Of each partition, the newest: enough that every part of the plan has something to do."""
PREFIX = "rehearsal-"
LONGEST_SECONDS = 3_600.0
"""A rehearsal takes seconds, and a minute on a machine that is busy."""

log = structlog.get_logger()


def rehearse(spark: SparkSession, settings: Settings, cluster: Cluster, stop: Event) -> None:
    """Join the newest events of what the settings name; what keeps it from that is told, and is no trouble."""
    forget_rehearsals(settings.data_dir)
    folder = settings.data_dir / f"{PREFIX}{os.getpid()}"
    request, now = replace(settings.request, start=Start.LATEST), datetime.now(UTC)
    try:
        starts = {
            request.declaration.source(side).name: {
                partition: max(low, high - EVENTS)
                for partition, (low, high) in cluster.watermarks(request.topic_of(side)).items()
            }
            for side in Side
        }
        generation = Generation(
            number=0, request=request, view_topic="", requested=now, since=now, source_starts=starts
        )
        JoinQuery(spark, settings, generation, epoch=0, view_partitions=1).rehearse(folder, stop)
    except (KafkaTrouble, QueryDied) as trouble:
        log.info("nothing was rehearsed: taking over will take longer", why=str(trouble))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def forget_rehearsals(data_dir: Path) -> None:
    """Remove what is left of those whose pipeline was killed; others may rehearse here at this moment."""
    for folder in data_dir.glob(f"{PREFIX}*"):
        with suppress(FileNotFoundError):
            if time.time() - folder.stat().st_mtime > LONGEST_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
