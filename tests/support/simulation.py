"""One run of the pipelines in a simulated world, from one seed."""

from dataclasses import replace
from typing import Any

from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from simulated_chaos import Chaos
from simulated_disk import Folder
from simulated_faults import Faults
from simulated_machine import simulated_machine
from simulated_time import World

LONGEST_SECONDS = 3_600.0
TOLD_LINES = 150


class Simulation:
    """Runs seeds one after the other. What is given of the faults is not drawn."""

    def __init__(self, **given: Any) -> None:
        self._given = given
        self._chaos: Chaos
        self._settings: Settings = load_settings(
            None,
            {
                "kafka": {"bootstrap.servers": "simulated:9092"},
                "swap": {"linger_seconds": 5, "topic_wait_seconds": 3, "build_timeout_seconds": 60},
            },
        )

    def run(self, seeds: range, label: int) -> "Failed | None":
        """The first of these seeds that fails, if one does; `label` is the seed of the run of tests."""
        with simulated_machine(lambda name: self._chaos.at_place(name)):
            for number in seeds:
                failed = self._run_one(f"{label} {number}")
                if failed is not None:
                    return failed
        return None

    def story(self, number: int) -> list[str]:
        """Everything that happens with a seed."""
        with simulated_machine(lambda name: self._chaos.at_place(name)):
            self._run_one(f"{number}")
        return [*World.now_running.told]

    def _run_one(self, seed: str) -> "Failed | None":
        Folder.folders.clear()
        world = World(seed)
        self._chaos = Chaos(world, self._settings, replace(Faults.drawn(world.chance), **self._given))
        self._chaos.begin()
        world.run(LONGEST_SECONDS, lambda: not self._chaos.unmet)
        if not world.defects and self._chaos.unmet:
            world.defect(f"it did not end: {self._chaos.unmet}")
        try:
            return Failed(seed, world.defects, [*world.told]) if world.defects else None
        finally:
            world.end()


class Failed:
    """A seed with what went wrong."""

    def __init__(self, seed: str, defects: list[str], told: list[str]) -> None:
        self.seed = seed
        self.defects = defects
        self.told = told

    def __str__(self) -> str:
        """For whoever has to find out why."""
        return "\n".join([f"seed {self.seed}:", *self.told[-TOLD_LINES:], *self.defects])
