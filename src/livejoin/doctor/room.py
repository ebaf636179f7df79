"""Whether there is room: on the disk, in memory, and for tasks in Spark."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil

from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.errors import LivejoinError
from livejoin.secrecy.data_folder import require_ours
from livejoin.settings.settings import Settings

GENERATIONS = 3
"""One that is shown, one that lingers and one that is being built."""
LEAST_DISK, LITTLE_DISK = 256 * 2**20, 2 * 2**30
UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_SIZE = re.compile(r"(\d+)([kmgt]?)b?", re.IGNORECASE)
_LOCAL = re.compile(r"local(?:\[(?P<slots>\d+|\*)(?:,\d+)?\])?")


def check_disk(case: Case) -> Iterator[Finding]:
    """Checkpoints lie in the data folder, and what the embedded broker keeps."""
    folder = case.settings.data_dir
    place = next(each for each in (folder, *folder.parents) if each.exists())
    tried = f"ask for the free space of {place}"
    if not os.access(place, os.W_OK | os.X_OK):
        do = "let this user write there, or set data_dir to another folder"
        yield problem(str(folder), "look whether it can be written", f"{place} may not be written by this user", do)
        return
    if place == folder:
        try:
            require_ours(folder)
        except LivejoinError as error:
            yield problem(str(folder), "look whose folder it is, and who may look into it", error.what, error.do)
            return
    free = shutil.disk_usage(place).free
    sources = sum(case.source_bytes.values())
    # Uncompressed, and as if every event were kept: the state of a query is not larger than what it has read.
    needed = GENERATIONS * sources
    guess = f"; checkpoints of {GENERATIONS} generations may take up to about {size(needed)}" if needed >= 2**20 else ""
    found = f"{size(free)} free{guess}"
    do = "make room, or set data_dir to a folder on a larger disk"
    if free < LEAST_DISK:
        yield problem(str(folder), tried, found, do)
    elif free < max(LITTLE_DISK, needed):
        yield warning(str(folder), tried, found, do)
    else:
        yield ok(str(folder), tried, found)


def check_memory(case: Case) -> Iterator[Finding]:
    """Every JVM can grow to its heap, and needs some memory beyond it."""
    heaps = {name: in_bytes(text) for name, text in _heaps(case.settings).items()}
    total, available = memory()
    together = sum(heaps.values())
    told = " + ".join(f"{name} {size(heap)}" for name, heap in heaps.items())
    found = f"heaps of {size(together)} ({told}); this machine has {size(total)}, of which {size(available)} are free"
    tried, do = "compare the heaps in the settings with this machine's memory", f"lower {' or '.join(heaps)}"
    if together > total:
        yield problem("", tried, found, f"{do}, or run livejoin where there is more memory")
    elif together > available:
        yield warning("", tried, found, f"end what takes memory, or {do}; fine if livejoin itself runs already")
    else:
        yield ok("", tried, found)


def check_slots(case: Case) -> Iterator[Finding]:
    """Every task of every live query holds one."""
    spark, tried = case.settings.spark, "count partitions and tasks"
    partitions = sum(case.sources[topic].partitions for topic in case.source_topics.values() if topic in case.sources)
    if any(topic not in case.sources for topic in case.source_topics.values()):
        yield skipped("", tried, "the partitions of a source are not known")
        return
    one = spark.slots_for(partitions)
    needed = GENERATIONS * one
    count = (
        f"a generation needs {one} (2 x {partitions} partitions of sources + {spark.shuffle_partitions} of the join)"
    )
    there = slots(spark.master, spark.slots)
    if there is None:
        yield skipped("", tried, f"{count}; that {spark.master} has {needed}, for a swap too, only its owner can tell")
    elif there < one:
        found = f"{count}, and there are {there}: some of its tasks would never run"
        yield problem("", tried, found, f"set {_setting(spark.master)} to {needed}")
    elif there < needed:
        found = f"{count}, and a swap up to {GENERATIONS} times as many; there are {there}: a swap may have to wait"
        yield warning("", tried, found, f"set {_setting(spark.master)} to {needed}")
    else:
        yield ok("", tried, f"{count}; there are {there}, enough for a swap ({needed})")


def slots(master: str, default: int) -> int | None:
    """How many tasks a master runs at once; None: it is not on this machine."""
    if not master:
        return default
    local = _LOCAL.fullmatch(master)
    if local is None:
        return None
    told = local["slots"] or "1"
    return os.cpu_count() or 1 if told == "*" else int(told)


def in_bytes(text: str) -> int:
    """A size as Java's options have it: 512m, 2g."""
    found = _SIZE.fullmatch(text.strip())
    return int(found[1]) * UNITS[found[2].lower()] if found else 0


def memory() -> tuple[int, int]:
    """What there is and what is free, in the container too that this may run in."""
    seen = psutil.virtual_memory()
    limit = next((int(text) for file in CGROUP_LIMITS if (text := _read(Path(file))).isdigit()), seen.total)
    return min(seen.total, limit), min(seen.available, limit)


def size(number: int) -> str:
    """Bytes in words."""
    return f"{number / 2**30:.1f} GiB" if number >= 2**30 else f"{number / 2**20:.0f} MiB"


def _setting(master: str) -> str:
    return "spark.master, in brackets," if master else "spark.slots"


def _heaps(settings: Settings) -> dict[str, str]:
    heaps = {"spark.driver_memory": settings.spark.driver_memory, "server.heap": settings.server.heap}
    return heaps | ({"broker.heap": settings.broker.heap} if settings.embedded_broker else {})


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
