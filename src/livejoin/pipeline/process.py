"""`livejoin pipeline`, put together: who starts what, in which order, and who stops it."""

import signal
from collections.abc import Callable
from threading import Event

import structlog
from prometheus_client import CollectorRegistry

from livejoin.errors import Fenced
from livejoin.http.ports import port_of_pipeline, require_free
from livejoin.http.server import listen
from livejoin.kafka.cluster import Cluster
from livejoin.monitor.exposition import registry_of
from livejoin.monitor.metric import Reading
from livejoin.monitor.web import MonitorWeb
from livejoin.pipeline import metrics
from livejoin.pipeline.control.counts import Counts
from livejoin.pipeline.control.one_writer import writer_name
from livejoin.pipeline.control.orchestrator import Orchestrator
from livejoin.pipeline.control.standby import StandbyWatch
from livejoin.pipeline.health import PipelineHealth
from livejoin.pipeline.spark.rehearsal import rehearse
from livejoin.pipeline.spark.renewal import Renewal
from livejoin.pipeline.spark.session import is_running, open_session
from livejoin.pipeline.spark.watch import SparkWatch
from livejoin.settings.settings import Settings

BROKER_SECONDS = 60.0

log = structlog.get_logger()


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
    # While Spark starts, it shows whether another pipeline is there.
    standby = StandbyWatch(cluster, settings.own_topics.state, writer_name())
    try:
        _work(settings, cluster, standby, health, registry)
    finally:
        standby.stop()


def _work(
    settings: Settings,
    cluster: Cluster,
    standby: StandbyWatch,
    health: PipelineHealth,
    registry: CollectorRegistry,
) -> None:
    """Have Spark and what looks at it there for as long as the pipeline takes its turns."""
    health.starts("Spark is starting")
    spark = open_session(settings)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    watch = SparkWatch(spark, settings.spark.batch)
    watch.expose_in(registry)
    renewal = Renewal(spark, settings.kafka_client)
    renewal.start()
    counts = Counts()
    counts.expose_in(registry)
    figures = metrics.pipeline_figures(lambda: health.registry, counts.verdicts)
    registry.register(Reading(metrics.METRICS, figures))
    try:
        take_turns(
            standby,
            health,
            stop,
            lambda: rehearse(spark, settings, cluster, stop),
            lambda: Orchestrator(settings, cluster, spark, lambda: is_running(spark), counts),
        )
    finally:
        health.ended()
        renewal.stop()
        watch.close()
        if is_running(spark):
            spark.stop()


def take_turns(
    standby: StandbyWatch,
    health: PipelineHealth,
    stop: Event,
    get_ready: Callable[[], None],
    new_orchestrator: Callable[[], Orchestrator],
) -> None:
    """Stand by, write, and stand by again where another one has taken the right to write, until told to stop."""
    while standby.wait(stop, health.stands_by, get_ready):
        orchestrator = new_orchestrator()
        health.runs(orchestrator)
        try:
            orchestrator.run(stop)
        except Fenced as fenced:
            log.warning("another pipeline writes: this one has stopped its queries", why=fenced.what)
