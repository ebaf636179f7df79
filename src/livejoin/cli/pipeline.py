"""`livejoin pipeline`: the Spark driver with the orchestrator in it."""

import signal
from threading import Event

from livejoin.cli.options import Config, Set, settings_from, tell_remarks
from livejoin.data_folder import own_data_folder
from livejoin.kafka.cluster import Cluster
from livejoin.logs import configure_logs
from livejoin.settings import Settings

BROKER_SECONDS = 60.0


def pipeline(config: Config = None, set_: Set = None) -> None:
    """Run the Spark pipeline until it is told to stop."""
    settings = settings_from(config, set_)
    own_data_folder(settings.data_dir)
    configure_logs("pipeline")
    tell_remarks(settings)
    run(settings)


def run(settings: Settings) -> None:
    """Start Spark, keep a generation live, and stop both in order on SIGTERM or SIGINT."""
    # Here and not above: the other commands start in a moment only because they do not import Spark.
    from livejoin.pipeline.orchestrator import Orchestrator
    from livejoin.pipeline.session import is_running, open_session

    cluster = Cluster(settings.kafka_client)
    cluster.wait_until_reachable(BROKER_SECONDS)
    spark = open_session(settings)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        Orchestrator(settings, cluster, spark, lambda: is_running(spark)).run(stop)
    finally:
        if is_running(spark):
            spark.stop()
