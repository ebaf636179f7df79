"""Kinds of values that several sections of the settings have."""

import ipaddress
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_settings import NoDecode


def _listed(value: Any) -> Any:
    """On the command line and in the environment, several are separated by commas."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Texts = Annotated[list[str], NoDecode, BeforeValidator(_listed)]
"""Several texts."""


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this very machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
