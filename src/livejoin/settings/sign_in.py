"""The settings of signing in by OpenID Connect, `[access.oidc]`. docs/sign-in.md shows an example."""

from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from livejoin.settings.section import Section, Texts, is_loopback

EVERYBODY = "*"
A_WEEK = 7 * 24 * 60


class OidcSettings(Section):
    """A provider that says who somebody is, and the claim that says what they may do.

    `role_claim` is the name of a claim, or a path to it with dots. Whoever has one of the values in `operator` there is
    an operator, else whoever has one of those in `viewer` is a viewer; `*` there is everybody who signs in. `ca_file`
    is the only authority (PEM) that is believed where it is set. A session ends `session_minutes` after the sign-in.
    """

    issuer: str
    client_id: str = Field(min_length=1)
    client_secret: SecretStr | None = None
    name: str = Field(default="", max_length=60)
    scopes: str = "openid profile email"
    role_claim: str = Field(default="roles", min_length=1)
    operator: Texts = Field(default_factory=list)
    viewer: Texts = Field(default_factory=list)
    name_claim: str = Field(default="preferred_username", min_length=1)
    ca_file: Path | None = None
    session_minutes: float = Field(default=480.0, gt=0, le=A_WEEK)

    @property
    def shown_name(self) -> str:
        """What the page calls the provider."""
        return self.name or urlsplit(self.issuer).hostname or self.issuer

    @field_validator("issuer")
    @classmethod
    def _not_in_the_clear(cls, value: str) -> str:
        if not is_trustworthy(value) or urlsplit(value).query:
            raise ValueError(
                "it is the https address of a provider, as the provider itself writes it, such as "
                "https://login.example.org/realms/staff (http is for this machine only)"
            )
        return value

    @field_validator("client_secret")
    @classmethod
    def _a_secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value():
            raise ValueError("it is empty: leave it out for a public client")
        return value

    @field_validator("scopes")
    @classmethod
    def _with_openid(cls, value: str) -> str:
        if "openid" not in value.split():
            raise ValueError("without the scope openid there is no identity: write openid first")
        return value

    @field_validator("operator")
    @classmethod
    def _not_everybody(cls, value: list[str]) -> list[str]:
        if EVERYBODY in value:
            raise ValueError(f"{EVERYBODY} would let everybody act who signs in: name the values of operators")
        return value

    @model_validator(mode="after")
    def _somebody(self) -> "OidcSettings":
        if not (self.operator or self.viewer):
            raise ValueError(
                f"nobody could sign in: name values of the claim {self.role_claim} in viewer or operator, or say "
                f'viewer = "{EVERYBODY}" for everybody'
            )
        return self


def is_trustworthy(address: str) -> bool:
    """Whether nobody on the way can read or change what is said to that address: https, or http to this machine."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018  it raises where it is no number
    except ValueError:
        return False
    if parts.username is not None or parts.fragment or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))
