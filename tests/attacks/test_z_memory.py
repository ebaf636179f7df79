"""The last thing that is done to the control, because it ends it."""

import pytest
from pydeephaven import DHError

from tests.attacks.plain_deephaven import PlainDeephaven


def test_control_one_request_ends_the_server(control: PlainDeephaven) -> None:
    """A table of a thousand million rows that nobody has is begun to be made, and there is no memory for it."""
    session = control.session()
    with pytest.raises(DHError):
        session.empty_table(1_000_000_000).update(["x = ii", "y = `` + ii"])

    assert control.process.wait(30) != 0
