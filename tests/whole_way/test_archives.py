"""What `livejoin archive` has kept is what a running stack uses."""

from contextlib import suppress
from pathlib import Path

import psutil

from livejoin.jvm.class_archive import Jvm
from up import Up, descendants


def test_every_jvm_has_its_classes_from_its_archive(up: Up) -> None:
    """Whatever they run with, and whoever has started them."""
    mapped = set()
    for process in descendants(up.process.pid):
        # Whoever was started for a moment is over.
        with suppress(psutil.NoSuchProcess):
            mapped |= {Path(part.path).name for part in process.memory_maps()}
    assert {f"{of}.jsa" for of in Jvm} <= mapped
