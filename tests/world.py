"""The real processes of livejoin on a broker of their own, for tests that break them."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from await_that import await_that
from conftest import broker_ports, free_ports
from deployment import Deployment
from livejoin.crash_point import VARIABLE
from livejoin.embedded.kafka import EmbeddedKafka
from livejoin.generation import Generation, State
from livejoin.schema import FINAL_UI
from livejoin.settings import load_settings, overrides_from
from livejoin.stack import PIPELINE_NICENESS
from livejoin.supervise.child import Child
from view_topic import ViewTopic

MEND_SECONDS = 90.0


class World(Deployment):
    """A broker that may be killed, a real `livejoin pipeline` on it, and a `livejoin serve` for who starts it."""

    def __init__(self, folder: Path, *pairs: str) -> None:
        web, monitor = free_ports(2)
        ports = [f"broker.{name}={number}" for name, number in broker_ports().items()]
        ports += [f"web.port={web}", f"pipeline.port={monitor}"]
        self.options = [f"--set={pair}" for pair in (f"data_dir={folder}", *ports, *pairs)]
        super().__init__(load_settings(None, overrides_from([f"data_dir={folder}", *ports, *pairs])))
        self.crash_file = folder / "crash"
        self._folder = folder
        self._kafka = EmbeddedKafka(self.settings)
        self.broker = self._prepared_broker()
        self.pipeline = self._livejoin("pipeline", niceness=PIPELINE_NICENESS)
        self.serve = self._livejoin("serve")

    def _prepared_broker(self) -> Child:
        return Child("broker", self._kafka.prepare(), self._folder / "broker.log")

    def restart_broker(self) -> None:
        """Start the broker as `up` does, with the password that is in its file; clients log in with it from then on."""
        self.broker = self._prepared_broker()
        self.broker.start()
        for client in ("cluster", "_control"):
            vars(self).pop(client, None)
        self.cluster.wait_until_reachable(60)

    def _livejoin(self, verb: str, niceness: int = 0) -> Child:
        command = [sys.executable, "-m", "livejoin", verb, *self.options]
        env = {**os.environ, VARIABLE: str(self.crash_file)}
        return Child(verb, command, self._folder / f"{verb}.log", niceness=niceness, env=env)

    def start(self) -> None:
        """Start both and return when generation 1 is live."""
        self.broker.start()
        self.cluster.wait_until_reachable(60)
        self._kafka.open_to_people()
        self.pipeline.start()
        self.await_number(1, timeout=180)

    def stop(self) -> None:
        """Stop all."""
        self.serve.stop()
        self.pipeline.stop()
        self.broker.stop()

    def await_number(self, number: int, *, timeout: float = MEND_SECONDS) -> Generation:
        """Return the generation when it is the current one and live."""

        def live() -> Generation | None:
            found = self.registry.live
            assert self.pipeline.running, self.pipeline.last_lines()
            return found if found and found.number == number and found.state is State.LIVE else None

        return await_that(live, timeout=timeout)

    def produce(self, topic: str, user_id: str, partition: int = 0, **row: Any) -> None:
        """Send one row event and wait until the broker has it."""
        producer = self.cluster.producer(**{"message.max.bytes": 2_000_000})
        producer.produce(topic, value=json.dumps({"userId": user_id, **row}), partition=partition)
        assert producer.flush(30) == 0

    def view(self, generation: int) -> ViewTopic:
        """The view topic of a generation; whoever asks for it closes it."""
        return ViewTopic(self.cluster, self.settings.own_topics.view(generation), self.settings.request)

    def await_final(self, generation: int, *user_ids: str) -> None:
        """Return when these users, and no others, are in final_ui of that generation."""
        view = self.view(generation)
        try:

            def shown() -> bool:
                view.read_available()
                assert {row[0] for row in view.table(FINAL_UI)} == set(user_ids)
                return True

            await_that(shown, timeout=MEND_SECONDS)
        finally:
            view.close()
