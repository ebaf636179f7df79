"""What can go wrong, in words for the person who has to correct it.

LivejoinError
├── SettingsError       a setting is missing, unknown or of the wrong form
├── ToolMissing         a program that livejoin needs is not on this machine
├── PortInUse           another process listens where livejoin should
├── KafkaTrouble        Kafka does not do what livejoin asks it for
│   ├── BrokerUnreachable   no broker answers at the configured address: it is waited for
│   ├── Refused             somebody has to allow it first: it is tried again, slowly
│   │   ├── LoginRefused    the broker, its certificate or the token endpoint does not accept this client
│   │   └── RightMissing    this client may not do that
│   ├── TopicMissing        a topic is not on the broker: it is waited for, or the message that names it is rejected
│   └── NotAccepted         the broker will never do what is asked: a setting or a policy of the cluster is wrong
├── Fenced              another pipeline has the right to write: this one stops what it does, and waits
├── SparkGone           the JVM that runs the queries has ended
├── JarsUnavailable     a jar could not be fetched, or is not the one that was locked
├── TableServerRefused  the table server does not accept the key
├── TableServerGone     no table server answers
├── ProviderFailed      the provider of a sign-in does not answer, or not as it should
├── SignInRefused       what a sign-in came back with is not right
└── NoRole              somebody has signed in who has no role here
"""


class LivejoinError(Exception):
    """A failure a person can act on: what happened, and what to do about it."""

    exit_code = 1

    def __init__(self, what: str, *, do: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.do = do

    @property
    def in_words(self) -> str:
        """What happened and what to do about it, in one line."""
        return "; ".join(filter(None, (self.what, self.do)))


class SettingsError(LivejoinError):
    """A setting is missing, unknown or of the wrong form."""

    exit_code = 2


class ToolMissing(LivejoinError):
    """A program that livejoin needs is not on this machine."""


class PortInUse(LivejoinError):
    """Another process listens where livejoin should."""


class KafkaTrouble(LivejoinError):
    """Kafka does not do what livejoin asks it for; the kinds tell what helps."""


class BrokerUnreachable(KafkaTrouble):
    """No Kafka broker answers at the configured address. It may come back, and is waited for."""


class Refused(KafkaTrouble):
    """Somebody has to allow it first. It is tried again, slowly, because nothing else would notice that it is."""


class LoginRefused(Refused):
    """The broker does not accept who livejoin says it is, or livejoin does not accept the broker's certificate."""


class RightMissing(Refused):
    """The broker knows who asks, and does not allow it."""

    def __init__(self, principal: str, operation: str, topic: str | None, transactional_id: str = "") -> None:
        """Without a topic it is a right on a transactional id, where one is named, or on the whole cluster."""
        resource, option = "the cluster", "--cluster"
        if topic is not None:
            resource, option = f"topic {topic!r}", f"--topic {topic}"
        elif transactional_id:
            resource, option = f"transactional id {transactional_id!r}", f"--transactional-id {transactional_id}"
        super().__init__(
            f"{principal} has no right to {operation} {resource}",
            do=f"grant it: kafka-acls.sh --add --allow-principal {principal!r} --operation {operation} {option}",
        )
        self.principal, self.operation, self.topic = principal, operation, topic


class TopicMissing(KafkaTrouble):
    """A topic is not on the broker; livejoin never creates a source topic."""


class NotAccepted(KafkaTrouble):
    """The broker will never do what is asked, however often: a setting, or a policy of the cluster, is wrong."""


class Fenced(LivejoinError):
    """Another pipeline has the right to write that this one had."""


class SparkGone(LivejoinError):
    """The JVM that runs the queries has ended: only a new process can go on."""


class JarsUnavailable(LivejoinError):
    """A jar could not be fetched, or its bytes are not those that were locked."""


class TableServerRefused(LivejoinError):
    """The table server does not accept the key."""


class TableServerGone(LivejoinError):
    """No table server answers at the configured address."""


class ProviderFailed(LivejoinError):
    """The provider of a sign-in does not answer, or not as it should."""


class SignInRefused(LivejoinError):
    """What a sign-in came back with is not right."""


class NoRole(LivejoinError):
    """Somebody has signed in who has no role here."""
