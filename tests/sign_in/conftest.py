"""A server where people sign in, and its provider."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from oidc_provider import OidcProvider, provider_at
from sign_in_stand import Stand, nothing_is_told, stand_at


@pytest.fixture
def provider() -> Iterator[OidcProvider]:
    """A provider."""
    with provider_at() as found:
        yield found


@pytest.fixture
def stand(
    provider: OidcProvider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Iterator[Stand]:
    """A server where people sign in, and where no secret may be told."""
    with stand_at(provider, tmp_path, monkeypatch) as found, nothing_is_told(found, capfd, caplog):
        yield found
