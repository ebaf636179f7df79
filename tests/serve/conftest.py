"""What several tests of this folder use."""

import pytest

from clock import Clock


@pytest.fixture
def clock() -> Clock:
    """A clock that a test moves."""
    return Clock()
