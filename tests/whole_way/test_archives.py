"""What `livejoin archive` has kept is what a running stack uses."""

from pathlib import Path

from livejoin.jvm.class_archive import Jvm
from up import Up, descendants


def test_every_jvm_has_its_classes_from_its_archive(up: Up) -> None:
    """Whatever they run with, and whoever has started them."""
    mapped = {Path(part.path).name for process in descendants(up.process.pid) for part in process.memory_maps()}
    assert {f"{of}.jsa" for of in Jvm} <= mapped
