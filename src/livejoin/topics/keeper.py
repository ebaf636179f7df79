"""Livejoin's own topics on the broker: made where that is livejoin's to do, and looked at wherever they come from."""

import shlex

import structlog

from livejoin.errors import NotAccepted, RightMissing, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import needed_to
from livejoin.settings.settings import Settings
from livejoin.topics.plan import PlannedTopic

HOW_TO_CREATE = "create it: `livejoin topics` prints the command"

log = structlog.get_logger()


class TopicKeeper:
    """Makes, checks and mends. Holds no connection of its own; nothing to close."""

    def __init__(self, settings: Settings, cluster: Cluster) -> None:
        self._topics = settings.topics
        self._cluster = cluster
        self._told: set[str] = set()

    def provide(self, topic: PlannedTopic) -> None:
        """Have the topic on the broker: made if it is not there, mended if it is not as it has to be."""
        with needed_to("WRITE"):
            is_missing = bool(self._cluster.missing([topic.name]))
        if not is_missing:
            self.check(topic)
        elif self._is_ours_to_make(topic):
            self._cluster.ensure(
                topic.name, partitions=topic.partitions, replication=topic.replication, config=topic.config
            )
        else:
            raise TopicMissing(
                f"topic {topic.name!r} ({topic.purpose}) is not on the broker at {self._cluster.bootstrap_servers}, "
                "and topics.create is false",
                do=HOW_TO_CREATE,
            )

    def check(self, topic: PlannedTopic) -> str:
        """Look at a topic that is there. What is wrong is mended, or told in the log; returns what is still wrong."""
        try:
            wrong = topic.wrong(self._cluster.configuration(topic.name))
        except RightMissing as unseen:
            self._tell_once(f"how topic {topic.name!r} is configured cannot be seen: {unseen.what}", do=unseen.do)
            return ""
        if not wrong or self._mended(topic, wrong):
            return ""
        settings = ",".join(f"{name}=[{value}]" for name, value in wrong.items())
        what = f"topic {topic.name!r} ({topic.purpose}) needs " + ", ".join(f"{n}={v}" for n, v in wrong.items())
        server = f"--bootstrap-server {self._cluster.bootstrap_servers}"
        change = f"--alter --topic {shlex.quote(topic.name)} --add-config {shlex.quote(settings)}"
        self._tell_once(what, do=f"kafka-configs.sh {server} {change}")
        return what

    def _tell_once(self, what: str, **more: str) -> None:
        if what not in self._told:
            log.warning("topic of livejoin's own", what=what, **more)
            self._told.add(what)

    def _mended(self, topic: PlannedTopic, wrong: dict[str, str]) -> bool:
        if not self._is_ours_to_make(topic):
            return False
        try:
            self._cluster.configure(topic.name, wrong)
        except (RightMissing, NotAccepted):
            return False
        log.info("topic is mended", topic=topic.name, set=wrong)
        return True

    def _is_ours_to_make(self, topic: PlannedTopic) -> bool:
        return self._topics.create and topic.name not in self._topics.views
