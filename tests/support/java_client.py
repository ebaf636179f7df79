"""Spark's Kafka client without Spark: a JVM that uses it with properties of a test's."""

import os
import subprocess
from pathlib import Path

from livejoin.jvm.jars import pyspark_jars, spark_jars
from livejoin.jvm.java import java
from livejoin.pipeline.spark.renewal import renewal_jar
from livejoin.settings.loader import load_settings

PROGRAMS = Path(__file__).parent / "java"
NEEDED = ("slf4j-api-*.jar", "lz4-java-*.jar", "snappy-java-*.jar", "zstd-jni-*.jar", "jackson-*.jar")


def run_java(program: str, *arguments: str) -> list[str]:
    """The lines that a program of the folder `java` prints, run with the jars of Spark's Kafka client."""
    jars = [*spark_jars(load_settings()), renewal_jar(), *(jar for each in NEEDED for jar in pyspark_jars().glob(each))]
    command = [java(), "-cp", os.pathsep.join(str(jar) for jar in jars), str(PROGRAMS / f"{program}.java"), *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def visits(
    folder: Path, topic: str, clients: dict[str, dict[str, str]], in_force: dict[str, str] | None = None
) -> dict[str, str]:
    """What each client came to see who asks for topics, writes and reads: "read", or what went wrong.

    `in_force` is what those of livejoin's own classes find who look for something newer than they were told.
    """
    folder.mkdir()
    for name, properties in clients.items():
        _write(folder / name, properties)
    now = [_write(folder.with_suffix(".now"), in_force)] if in_force is not None else []
    return dict(line.split("\t", 1) for line in run_java("KafkaVisit", str(folder), topic, *now))


def _write(file: Path, properties: dict[str, str]) -> str:
    text = "".join(f"{option}={_escaped(value)}\n" for option, value in properties.items())
    file.write_text(text, encoding="utf-8")
    return str(file)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n")
