"""The one broker of this folder."""

from collections.abc import Iterator

import pytest

from secured_broker import SecuredBroker, secured_broker


@pytest.fixture(scope="session")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredBroker]:
    """A broker with a listener for every way of logging in."""
    with secured_broker(tmp_path_factory.mktemp("secured")) as broker:
        yield broker
