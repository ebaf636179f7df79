"""What several sections of the settings are made of."""

import ipaddress
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic_settings import NoDecode


class Section(BaseModel):
    """A part of the settings: what it does not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
