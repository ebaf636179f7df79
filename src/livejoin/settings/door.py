"""Settings of the door: who may enter, where it is, and how much may be asked there."""

from pathlib import Path

from pydantic import Field, SecretStr, field_validator, model_validator

from livejoin.secrecy.masked import SHORTEST_KEY
from livejoin.settings.section import Section, Texts, is_loopback
from livejoin.settings.sign_in import OidcSettings


class RoleSettings(Section):
    """A role: its keys by the names of those who have them, the columns that are kept from it, whether it may export.

    A hidden column is `column`, `source.column`, `table.column` or `table.*`. It does not exist for the role: it is not
    sent, also where the joined table has it under another name, and cannot be sorted, filtered or searched by.
    """

    keys: dict[str, SecretStr] = Field(default_factory=dict)
    hidden: Texts = Field(default_factory=list)
    export: bool = True

    @field_validator("keys")
    @classmethod
    def _long_enough(cls, value: dict[str, SecretStr]) -> dict[str, SecretStr]:
        short = [name for name, secret in value.items() if len(secret.get_secret_value()) < SHORTEST_KEY]
        if short:
            raise ValueError(f"keys of fewer than {SHORTEST_KEY} characters: {', '.join(short)}")
        return value


class AccessSettings(Section):
    """Who may enter. Without any key one is made, for looking and acting, and kept in the data folder.

    `file` has further keys, below [viewer] and [operator], and is read again when it changes. `key` is the one that
    commands such as `livejoin rows` present, where that is not one of these. With `oidc`, people may also sign in.
    """

    file: Path | None = None
    key: SecretStr | None = None
    viewer: RoleSettings = RoleSettings()
    operator: RoleSettings = RoleSettings()
    oidc: OidcSettings | None = None


class WebSettings(Section):
    """The one address of page, tables and control desk.

    `url` is the address that people use, where that is not `host` and `port`, as behind a proxy; `hosts` are further
    names for it, and `origins` other sites whose pages may show the tables. Beyond loopback there is TLS, by
    `tls_certificate` and `tls_key` (PEM), or `behind_proxy` says that somebody else takes care of it.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    url: str = ""
    hosts: Texts = Field(default_factory=list)
    origins: Texts = Field(default_factory=list)
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    behind_proxy: bool = False
    page: Path | None = None

    @property
    def tls(self) -> bool:
        """Whether it speaks TLS itself."""
        return self.tls_certificate is not None and self.tls_key is not None

    @model_validator(mode="after")
    def _not_in_the_clear(self) -> "WebSettings":
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key belong together")
        if not (is_loopback(self.host) or self.tls or self.behind_proxy):
            raise ValueError(
                f"at {self.host} keys and rows would cross the network in the clear: give tls_certificate and tls_key, "
                "or say behind_proxy = true where a proxy speaks TLS"
            )
        return self


class LimitSettings(Section):
    """How much may be asked of the table server: by all together, with one key, and over one connection.

    docs/protocol.md says of each what is counted, and what becomes of who asks for more.
    """

    sockets: int = Field(default=1_000, gt=0)
    connections: int = Field(default=500, gt=0)
    connections_per_key: int = Field(default=200, gt=0)
    different_views: int = Field(default=500, gt=0)
    different_views_per_key: int = Field(default=250, gt=0)
    copies: int = Field(default=8, gt=0)
    copies_per_key: int = Field(default=4, gt=0)
    copied_rows: int = Field(default=5_000_000, gt=0)
    copied_rows_per_key: int = Field(default=2_500_000, gt=0)
    rows_per_request: int = Field(default=100_000, gt=0)
    views: int = Field(default=64, gt=0)
    rows_looked_at: int = Field(default=50_000, gt=0)
    different_rows_looked_at: int = Field(default=100_000, gt=0)
    different_rows_looked_at_per_key: int = Field(default=50_000, gt=0)
    messages_per_second: float = Field(default=100.0, gt=0)
    messages_per_second_per_key: float = Field(default=500.0, gt=0)
