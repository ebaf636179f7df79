"""What a control message means for the generations, and the verdict that it gets."""

from dataclasses import replace

from livejoin.model.control_message import ControlEntry, ControlMessage, Verdict
from livejoin.model.generation import Generation, State
from livejoin.pipeline.control.construction import Construction
from livejoin.pipeline.control.lifecycle import Lifecycle
from livejoin.pipeline.control.losses import Losses
from livejoin.pipeline.control.reader import ControlRecord
from livejoin.process.crash_point import crash_point
from livejoin.settings.settings import Settings
from livejoin.wire.control_message import parse


class Messages:
    """Obeys control messages, one after the other and each once. Used by the orchestrator's thread."""

    def __init__(self, settings: Settings, life: Lifecycle, construction: Construction, losses: Losses) -> None:
        self._settings = settings
        self._life = life
        self._construction = construction
        self._losses = losses

    def take(self, record: ControlRecord) -> None:
        """Do what it says, unless that was done before, and note that it was read."""
        key, registry = record.key, self._life.registry
        taken = {generation.control for generation in registry.generations.values()}
        flipped = registry.current.control if registry.current is not None else None
        if not self._life.control_log.has_verdict(key) and key not in {*taken, flipped}:
            message = parse(record.value, self._settings.declaration)
            self._obey(key, message, ControlEntry.of(message, record.timestamp))
        crash_point("message taken")
        ledger = registry.ledger
        known = ledger.control_next if ledger.control_id == record.topic_id else {}
        after = {**known, record.partition: record.offset + 1}
        self._life.write_ledger(control_id=record.topic_id, control_next=after)

    def _obey(self, key: str, message: ControlMessage, entry: ControlEntry) -> None:
        registry, judge = self._life.registry, self._life.control_log.judge
        if message.problem:
            judge(key, Verdict.REJECTED, message.problem, entry)
            return
        lingering = registry.in_state(State.LINGERING)
        if message.rollback:
            if lingering:
                self._bring_back(lingering[-1], key, entry)
            else:
                judge(key, Verdict.REJECTED, "no generation lingers: there is nothing to roll back to", entry)
            return
        request = replace(
            self._settings.request,
            left_topic=message.left_topic or "",
            right_topic=message.right_topic or "",
            join=message.join,
        )
        own = [topic for topic in request.choice[:2] if self._settings.own_topics.is_own(topic)]
        same = [generation for generation in lingering if generation.request == request]
        building, live = registry.building, registry.live
        if own:
            judge(key, Verdict.REJECTED, f"{own[0]!r} is a topic of livejoin's own: name a source topic", entry)
        elif building is not None and building.request == request and not registry.in_state(State.REQUESTED):
            judge(key, Verdict.UNCHANGED, f"generation {building.number}, which is being built, shows this", entry)
        elif live is not None and live.request == request and not self._losses.has(live.number):
            self._construction.supersede(None, f"a later message asked for generation {live.number}, which is live")
            judge(key, Verdict.UNCHANGED, f"generation {live.number}, which is live, shows this", entry)
        elif same:
            self._bring_back(same[-1], key, entry)
        else:
            self._life.control_log.note(key, entry)
            crash_point("message noted")
            self._construction.look_at_once()
            self._life.request(request, "", control=key)

    def _bring_back(self, lingering: Generation, key: str, entry: ControlEntry) -> None:
        """Flip back at once: its queries have gone on all the time."""
        self._construction.supersede(None, f"a later message brought generation {lingering.number} back")
        self._life.control_log.note(key, entry)
        why = f"generation {lingering.number} is live again"
        live = self._losses.useful(self._life.registry.live)
        self._life.flip(lingering.number, lingering=live, why=why, control=key)
