"""What must not be shown: which names stand for secrets, and how a text is shown that holds some."""

import re

SECRET_WORDS = ("password", "passphrase", "secret", "jaas", "key", "token", "credentials")
MASK = "********"
HARMLESS = ("_per_key", "tls_key", ".location", ".file", ".endpoint.url", ".type", ".client.id", ".chain", ".algorithm")
"""The ends of names that only sound so: limits, places, kinds, and what everybody may know."""
SHORTEST_KEY = 16
"""How many characters a key has at the least that nobody can guess by trying."""

_WORDS = "|".join(SECRET_WORDS)
# An option such as -Djavax.net.ssl.keyStorePassword=..., as it stands among other options.
_OPTION = re.compile(rf"""(?P<name>[\w.-]*(?:{_WORDS})[\w.-]*=)(?P<value>"[^"]*"|'[^']*'|\S*)""", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"(?P<name>://[^/\s:@]*:)(?P<value>[^/\s]*)(?=@)")


def is_secret(name: str) -> bool:
    """Whether the setting or Kafka property of that name may hold something that must not be shown."""
    return any(word in name.lower() for word in SECRET_WORDS) and not name.lower().endswith(HARMLESS)


def masked(name: str, text: str) -> str:
    """A setting's value as it may be shown."""
    return MASK if is_secret(name) else masked_text(text)


def masked_text(text: str) -> str:
    """A text as it may be shown: without the values of options that are secret, and passwords in addresses."""
    for pattern in (_OPTION, _IN_ADDRESS):
        text = pattern.sub(lambda found: found["name"] + MASK, text)
    return text


def holds_secret(name: str, text: str) -> bool:
    """Whether a setting must not be seen by others."""
    return masked(name, text) != text
