"""`livejoin pipeline`, put together: who starts what, in which order, and who stops it."""

import signal
from threading import Event

from prometheus_client import CollectorRegistry

from livejoin.http.server import listen
from livejoin.kafka.cluster import Cluster
from livejoin.monitor.exposition import registry_of
from livejoin.monitor.metric import Reading
from livejoin.monitor.web import MonitorWeb
from livejoin.pipeline import metrics
from livejoin.pipeline.health import PipelineHealth
from livejoin.pipeline.orchestrator import Orchestrator
from livejoin.pipeline.session import is_running, open_session
from livejoin.pipeline.spark_watch import SparkWatch
from livejoin.ports import port_of_pipeline, require_free
from livejoin.settings import Settings

BROKER_SECONDS = 60.0


def run(settings: Settings) -> None:
    """Tell how it is from the first moment on, start Spark, and keep a generation live until SIGTERM or SIGINT."""
    require_free([port_of_pipeline(settings)])
    listener = listen(settings.pipeline.host, settings.pipeline.port)
    health = PipelineHealth()
    registry = registry_of(health)
    web = MonitorWeb(settings.pipeline, listener, health, registry)
    web.start()
    try:
        _run(settings, health, registry)
    finally:
        web.stop()


def _run(settings: Settings, health: PipelineHealth, registry: CollectorRegistry) -> None:
    cluster = Cluster(settings.kafka_client)
    cluster.wait_until_reachable(BROKER_SECONDS)
    health.starts("Spark is starting")
    spark = open_session(settings)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    watch = SparkWatch(spark, settings.spark.batch)
    watch.expose_in(registry)
    try:
        orchestrator = Orchestrator(settings, cluster, spark, lambda: is_running(spark))
        life = orchestrator.life
        life.counts.expose_in(registry)
        figures = metrics.pipeline_figures(lambda: life.registry, life.control_log.verdicts)
        registry.register(Reading(metrics.METRICS, figures))
        health.runs(orchestrator)
        orchestrator.run(stop)
    finally:
        health.ended()
        watch.close()
        if is_running(spark):
            spark.stop()
