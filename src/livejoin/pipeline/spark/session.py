"""The Spark session, set up for Real-Time Mode. Every setting here was measured or is required by it."""

import os
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from livejoin.errors import SettingsError
from livejoin.jvm.class_archive import Jvm, archive_options
from livejoin.jvm.jars import spark_jars
from livejoin.logs.configure import is_json
from livejoin.logs.java import log4j
from livejoin.pipeline.spark.loopback import stay_on_loopback
from livejoin.pipeline.spark.renewal import renewal_jar
from livejoin.pipeline.spark.work_folder import take_work_folder, working_in
from livejoin.secrecy.environment import settings_kept_back
from livejoin.secrecy.masked import holds_secret, masked_text
from livejoin.secrecy.private_file import replace
from livejoin.settings.settings import LOOPBACK, Settings

SUBMIT_ARGUMENTS = "PYSPARK_SUBMIT_ARGS"
DRIVER_OPTIONS = "spark.driver.extraJavaOptions"
STREAMING = "spark.sql.streaming"
REQUIRED: dict[str, str] = {
    # Real-Time Mode keeps state in RocksDB only; changelogs make its commits small.
    f"{STREAMING}.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
    f"{STREAMING}.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    # From the first backfill on, or live could not go on from its checkpoint.
    f"{STREAMING}.stateStore.checkpointFormatVersion": "2",
    f"{STREAMING}.noDataMicroBatches.enabled": "false",
    # The other manager forks processes for every checkpoint file on a local disk.
    f"{STREAMING}.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    ),
    # Merging projections would compute a common part, such as a parsed value, once per use instead of once.
    "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.CollapseProject",
    "spark.sql.session.timeZone": "UTC",
    # Spark's own words for what it must not show, and the line and the key that a Kafka client logs in with.
    "spark.redaction.regex": "(?i)secret|password|token|access[.]?key|jaas|keystore[.]key",
    "spark.sql.redaction.options.regex": "(?i)url|secret|password|token|jaas|keystore[.]key",
}
DEFAULTS: dict[str, str] = {
    # The default of 50 ms is added to the latency of every event.
    "spark.shuffle.streaming.networkBufferMaxWaitTimeMs": "2",
    # As many threads are made at the start as there are slots otherwise, whether anybody has something to say or not.
    "spark.rpc.netty.dispatcher.numThreads": "8",
    # The counters of running tasks, which tell how far a backfill is.
    "spark.executor.heartbeatInterval": "1s",
    # What Spark remembers of queries that are over, for a web page that is switched off, would grow with every swap.
    "spark.sql.ui.retainedExecutions": "20",
    "spark.ui.retainedJobs": "50",
    "spark.ui.retainedStages": "50",
    "spark.ui.retainedTasks": "1000",
    # Every generation has clients of its own; those of one that is gone would be kept for ten minutes otherwise, and
    # what they had read last for five.
    "spark.kafka.producer.cache.timeout": "5s",
    "spark.kafka.producer.cache.evictorThreadRunInterval": "2s",
    "spark.kafka.consumer.cache.timeout": "5s",
    "spark.kafka.consumer.cache.evictorThreadRunInterval": "2s",
    "spark.kafka.consumer.fetchedData.cache.timeout": "5s",
    "spark.kafka.consumer.fetchedData.cache.evictorThreadRunInterval": "2s",
    # The state of a query that has stopped is unloaded by the next maintenance.
    "spark.sql.streaming.stateStore.maintenanceInterval": "20s",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


LOCAL = {
    # Hadoop asks for the modes of checkpoints by itself, whatever this process's umask is.
    "spark.hadoop.fs.permissions.umask-mode": "077",
    # Who connects to the driver has to know a secret, which Spark makes for itself where it needs no other machine.
    "spark.authenticate": "true",
}


def open_session(settings: Settings) -> SparkSession:
    """Start Spark; who calls this stops it."""
    spark = settings.spark
    master = spark.master or f"local[{spark.slots}]"
    is_local = master.startswith("local")
    if is_local:
        # Spark's own name for where it listens.
        os.environ["SPARK_LOCAL_IP"] = LOOPBACK
    work = take_work_folder(settings.data_dir.resolve())
    conf = {
        **DEFAULTS,
        **(LOCAL if is_local else {}),
        "spark.app.name": "livejoin",
        "spark.master": master,
        "spark.jars": ",".join(str(jar) for jar in (*spark_jars(settings), renewal_jar())),
        "spark.driver.memory": spark.driver_memory,
        "spark.sql.shuffle.partitions": str(spark.shuffle_partitions),
        "spark.sql.warehouse.dir": str(settings.data_dir / "spark-warehouse"),
        **spark.conf,
        **REQUIRED,
    }
    _refuse_secrets_in_arguments(conf)
    log_config = settings.data_dir / "spark-log4j2.xml"
    replace(log_config, log4j(settings.logs, "pipeline", as_json=is_json(settings.logs)))
    # First, so that who names a configuration of his own is obeyed.
    own = [f"-Dlog4j2.configurationFile={log_config}", f"-Djava.io.tmpdir={work}"]
    own += archive_options(settings, Jvm.SPARK)
    conf[DRIVER_OPTIONS] = " ".join([*(f'"{option}"' for option in own), conf.get(DRIVER_OPTIONS, "")]).strip()
    # Spark is told everything by the file, and needs nothing of what this process was given by its environment.
    with settings_kept_back(), _told_by_file(conf), working_in(work, unless=conf):
        session = SparkSession.builder.getOrCreate()
    if is_local:
        stay_on_loopback(session)
    know_own_functions(session)
    return session


def know_own_functions(session: SparkSession) -> None:
    """Let SQL call what a join keeps its events with, of which Spark knows nothing by itself."""
    session._jvm.livejoin.CollectNewest.register(session._jsparkSession)  # type: ignore[union-attr]  # noqa: SLF001


def is_running(spark: SparkSession) -> bool:
    """Whether Spark's JVM, which this process has started, is there."""
    process = getattr(spark.sparkContext._gateway, "proc", None)  # noqa: SLF001  it has no public name
    return process is None or process.poll() is None


def _refuse_secrets_in_arguments(conf: dict[str, str]) -> None:
    """Options of the driver's JVM have to be its arguments."""
    for name in (name for name in conf if name.startswith("spark.driver.") and name.endswith("JavaOptions")):
        if holds_secret("", conf[name]):
            raise SettingsError(
                f"spark.conf.{name} would show a secret in the list of processes: {masked_text(conf[name])}",
                do="write the options into a file that only you may read, and set it to @ and the file's path",
            )


@contextmanager
def _told_by_file(conf: dict[str, str]) -> Iterator[None]:
    """Tell Spark its settings by a private file, while it starts.

    PySpark would hand them over as arguments, which every user of the machine can read, and some may be secret. The
    file is not in the data folder, which a standby shares: the two may start at the same moment.
    """
    given = os.environ.get(SUBMIT_ARGUMENTS)
    with tempfile.TemporaryDirectory(prefix="livejoin-") as folder:
        file = Path(folder) / "spark.properties"
        replace(file, "".join(f"{name}={_escaped(value)}\n" for name, value in conf.items()))
        told = f"--load-spark-defaults --properties-file {shlex.quote(str(file))} {given or 'pyspark-shell'}"
        os.environ[SUBMIT_ARGUMENTS] = told
        try:
            yield
        finally:
            if given is None:
                del os.environ[SUBMIT_ARGUMENTS]
            else:
                os.environ[SUBMIT_ARGUMENTS] = given


def _escaped(value: str) -> str:
    """A value as Java's properties have it."""
    return value.replace("\\", "\\\\").replace("\n", "\\n")
