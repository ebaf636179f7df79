"""What can go wrong, in words for the person who has to correct it.

LivejoinError
├── SettingsError       a setting is missing, unknown or of the wrong form
├── ToolMissing         a program that livejoin needs is not on this machine
├── PortInUse           another process listens where livejoin should
├── BrokerUnreachable   no Kafka broker answers at the configured address
├── TopicMissing        a source topic is not on the broker
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


class SettingsError(LivejoinError):
    """A setting is missing, unknown or of the wrong form."""

    exit_code = 2


class ToolMissing(LivejoinError):
    """A program that livejoin needs is not on this machine."""


class PortInUse(LivejoinError):
    """Another process listens where livejoin should."""


class BrokerUnreachable(LivejoinError):
    """No Kafka broker answers at the configured address."""


class TopicMissing(LivejoinError):
    """A source topic is not on the broker; livejoin never creates one."""


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
