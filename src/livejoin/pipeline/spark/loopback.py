"""Keeps what Spark opens on one machine from being reached by others.

Spark binds what it opens to SPARK_LOCAL_IP, except for the streaming shuffle of Real-Time Mode: each of its writers
listens at a port of every interface, asks nobody who they are, and has no setting for the address. It asks Java for
"any address" (`new InetSocketAddress(port)`), so Java is told that this is loopback.
"""

from typing import TYPE_CHECKING, Any

from livejoin.errors import LivejoinError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class ShuffleReachable(LivejoinError):
    """The streaming shuffle would listen on every interface of this machine."""


def stay_on_loopback(spark: "SparkSession") -> None:
    """Let everything that the driver's JVM binds to any address from now on be bound to loopback."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # it has no annotations

    java: Any = spark.sparkContext._jvm  # noqa: SLF001 - PySpark's only way to the JVM
    try:
        _let_any_address_be_loopback(java)
    except Py4JError as error:
        reason = str(error).splitlines()[0]
    else:
        reason = "it still binds to every interface"
    if not java.java.net.InetSocketAddress(0).getAddress().isLoopbackAddress():
        version = java.java.lang.System.getProperty("java.version")
        raise ShuffleReachable(
            f"Java {version} does not let livejoin keep Spark's streaming shuffle on loopback: {reason}",
            do="run livejoin with Java 17 or 25, where it was tried (set JAVA_HOME)",
        )


def _let_any_address_be_loopback(java: Any) -> None:
    """Through the field where Java keeps the answer; Spark opens this package of Java's to its own libraries."""
    address = java.java.lang.Class.forName("java.net.InetAddress")
    implementation = _open(address, "impl").get(None)
    _open(implementation.getClass(), "anyLocalAddress").set(
        implementation, java.java.net.InetAddress.getLoopbackAddress()
    )


def _open(kind: Any, name: str) -> Any:
    field = kind.getDeclaredField(name)
    field.setAccessible(True)
    return field
