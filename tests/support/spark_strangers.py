"""A Spark session for tests of what strangers can see and reach of it, as a process of its own.

Reads settings as JSON from its argument. Opens servers as the streaming shuffle does, without and with what keeps them
on loopback, says JSON with where they listen, and waits until its input ends.
"""

import json
import os
import sys
from typing import Any

import psutil

from livejoin.pipeline.spark.loopback import stay_on_loopback
from livejoin.pipeline.spark.session import open_session
from livejoin.settings.loader import load_settings


def main() -> None:
    """Say what there is, then wait."""
    settings = load_settings(None, json.loads(sys.argv[1]))
    spark = open_session(settings)
    java: Any = spark.sparkContext._jvm  # noqa: SLF001 - as in livejoin.pipeline.spark.loopback
    implementation = java.java.lang.Class.forName("java.net.InetAddress").getDeclaredField("impl")
    implementation.setAccessible(True)
    known = implementation.get(None)
    answer = known.getClass().getDeclaredField("anyLocalAddress")
    answer.setAccessible(True)
    answer.set(known, None)
    reachable = _shuffle_server(java)
    stay_on_loopback(spark)
    kept = _shuffle_server(java)
    told = {
        "reachable": reachable.getPort(),
        "kept": kept.getPort(),
        "driver": int(spark.conf.get("spark.driver.port") or 0),
        "secret": spark.conf.get("spark.hadoop.of.somebody.secret.key", None),
        "pid": os.getpid(),
        "variables": sorted(name for name in os.environ if name.startswith("LIVEJOIN_")),
        "path": spark.conf.get("spark.hadoop.of.somebody.path", None),
        "work": java.java.lang.System.getProperty("java.io.tmpdir"),
        "jvm": next(child.pid for child in psutil.Process().children() if "java" in child.name()),
    }
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    sys.stdin.read()
    spark.stop()


def _shuffle_server(java: Any) -> Any:
    """A server as a writer of the streaming shuffle opens one."""
    network = java.org.apache.spark.network
    conf = network.util.TransportConf("shuffle", network.util.MapConfigProvider(java.java.util.HashMap()))
    return network.TransportContext(conf, network.server.NoOpRpcHandler()).createServer()


if __name__ == "__main__":
    main()
