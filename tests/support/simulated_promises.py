"""What must hold while a simulation runs, and what must have come true when all faults are over."""

from collections import Counter
from pathlib import Path

from livejoin.model.control_message import ControlEntry, Verdict
from livejoin.model.generation import OVER, SHOWN, Generation, State
from livejoin.model.registry import Registry
from livejoin.settings.settings import Settings
from livejoin.wire.control_message import parse
from livejoin.wire.records import (
    EPOCH_KEY,
    GENERATION_KEY_PREFIX,
    STANDBY_KEY_PREFIX,
    apply,
    from_json,
)
from simulated_broker import Broker, Entry
from simulated_disk import Folder, checkpoint
from simulated_time import Process, World


class Promises:
    """Looks on. What is broken at once is a defect of the world; `unmet` is asked when all is well again."""

    def __init__(self, settings: Settings) -> None:
        self.registry = Registry()
        """As every reader of the state topic has it."""
        self.verdicts: dict[str, ControlEntry] = {}
        self.writer: Process | None = None
        self._settings = settings
        self._own = settings.own_topics
        self._numbers: dict[int, object] = {}
        self._gone: set[int] = set()
        self._judged: Counter[str] = Counter()
        self._epochs: set[int] = set()
        self._standbys: dict[str, Process] = {}
        """Who has told of itself under that name."""

    def heard(self, topic: str, entry: Entry, process: Process) -> None:
        """A record is committed."""
        key = (entry.key or b"").decode()
        if key.startswith(STANDBY_KEY_PREFIX) and entry.value is not None:
            self._standbys[key.removeprefix(STANDBY_KEY_PREFIX)] = process
        if topic == self._own.state and not key.startswith(STANDBY_KEY_PREFIX):
            self._hear_state(key, entry.value, process)
        elif topic == self._own.control_log:
            self._require_writer(process, f"the verdict or note of {key}")
            self._hear_verdict(key, entry.value or b"")

    def _hear_state(self, key: str, value: bytes | None, process: Process) -> None:
        before = self.registry.epoch
        apply(self.registry, key, value)
        World.now_running.tell("written", by=process.name, key=key, state=self._short(key))
        if key == EPOCH_KEY:
            epoch = self.registry.epoch
            assert epoch is not None
            if before is not None and epoch.number < before.number + (epoch.writer != before.writer):
                World.now_running.defect(f"epoch {epoch.number} of {epoch.writer} follows {before}")
            if before is None or before.writer != epoch.writer:
                self.writer = process
            return
        self._require_writer(process, f"the record {key}")
        if key.startswith(GENERATION_KEY_PREFIX):
            self._hear_generation(int(key.removeprefix(GENERATION_KEY_PREFIX)))
        self._require_something_shown()

    def _short(self, key: str) -> str:
        if not key.startswith(GENERATION_KEY_PREFIX):
            return ""
        found = self.registry.generations.get(int(key.removeprefix(GENERATION_KEY_PREFIX)))
        return found.state if found else "gone"

    def _require_writer(self, process: Process, what: str) -> None:
        if process is not self.writer:
            writer = self.writer.name if self.writer else "nobody"
            World.now_running.defect(f"{process.name} has written {what}, and the writer is {writer}")

    def _hear_generation(self, number: int) -> None:
        found = self.registry.generations.get(number)
        if found is None:
            self._gone.add(number)
        elif number not in self._numbers:
            if self._numbers and number < max(self._numbers):
                World.now_running.defect(f"number {number} is given after {max(self._numbers)}")
            self._numbers[number] = found.requested
        elif number in self._gone or self._numbers[number] != found.requested:
            World.now_running.defect(f"number {number} is given twice")

    def _require_something_shown(self) -> None:
        current, live = self.registry.current, self.registry.live
        if current is not None and (live is None or live.state not in SHOWN):
            World.now_running.defect(f"generation {current.generation} is shown, which is {live and live.state}")

    def _hear_verdict(self, key: str, value: bytes) -> None:
        entry = from_json(ControlEntry, value)
        World.now_running.tell("logged", key=key, verdict=entry.verdict, reason=entry.reason)
        if entry.verdict is not None:
            self._judged[key] += 1
            self.verdicts[key] = entry
        if self._judged[key] > 1 or (self._judged[key] and entry.verdict is None):
            World.now_running.defect(f"message {key} was judged before")

    def topic_is_deleted(self, name: str) -> None:
        """By a pipeline."""
        users = [found for found in self._known() if found.view_topic == name]
        if users:
            World.now_running.defect(f"{name} is deleted, which generation {users[0].number} needs")

    def checkpoint_is_deleted(self, settings: Settings, number: int) -> None:
        """By a pipeline with these settings."""
        if checkpoint(settings, number).exists() and number in {found.number for found in self._known()}:
            World.now_running.defect(f"checkpoint {number} is deleted, which is needed")

    def query_starts(self, number: int, epoch: int) -> None:
        """With this number of its own."""
        if epoch in self._epochs:
            World.now_running.defect(f"epoch {epoch} is given twice, now to generation {number}")
        self._epochs.add(epoch)

    def _known(self) -> list[Generation]:
        return [found for found in self.registry.generations.values() if found.state not in OVER]

    def unmet(self, broker: Broker, folder: Path | None) -> str:
        """What is not as it has to be when all faults are over, in words; `folder` is where the writer keeps its data.

        Empty where all is well.
        """
        registry, live = self.registry, self.registry.live
        if live is None or live.state is not State.LIVE or [*registry.generations] != [live.number]:
            states = {number: found.state.value for number, found in registry.generations.items()}
            return f"not one live generation: {states}, current {registry.current and registry.current.generation}"
        views = {name for name in broker.topics if self._own.is_made_view(name)}
        if views != {live.view_topic}:
            return f"view topics: {views}, and generation {live.number} is live"
        if folder is not None:
            kept = {found.name for found in Folder(folder).iterdir()}
            if kept != {str(live.number)}:
                return f"checkpoints: {kept}, and generation {live.number} is live"
        return self._unread(broker) or self._remembered(broker) or self._disobeyed(broker, live)

    def _messages(self, broker: Broker) -> dict[str, bytes]:
        topic = broker.topics[self._settings.topics.control]
        return {
            f"{topic.topic_id}/{number}/{entry.offset}": entry.value or b""
            for number, partition in enumerate(topic.partitions)
            for entry in partition.entries
        }

    def _unread(self, broker: Broker) -> str:
        unread = [key for key in self._messages(broker) if key not in self.verdicts]
        return f"without a verdict: {unread}" if unread else ""

    def _remembered(self, broker: Broker) -> str:
        """Whoever reads the state topic from its beginning, after compaction, has to know the same."""
        registry = Registry()
        [partition] = broker.topics[self._own.state].partitions
        for entry in partition.since(0):
            apply(registry, (entry.key or b"").decode(), entry.value)
        if registry.generations != self.registry.generations:
            return f"read again, the registry has {sorted(registry.generations)}"
        gone = [name for name in registry.standbys if self._standbys[name].dead]
        return f"standbys are remembered that are gone: {gone}" if gone else ""

    def _disobeyed(self, broker: Broker, live: Generation) -> str:
        """Where the newest message asked for topics and was applied, they are shown."""
        messages = self._messages(broker)
        if not messages or len(broker.topics[self._settings.topics.control].partitions) > 1:
            return ""
        newest = [*messages][-1]
        message = parse(messages[newest], self._settings.declaration)
        wanted = (message.left_topic, message.right_topic, message.join)
        if message.rollback or self.verdicts[newest].verdict is not Verdict.APPLIED or wanted == live.request.choice:
            return ""
        return f"message {newest} asked for {wanted}, and {live.request} is shown"
