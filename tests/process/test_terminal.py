"""A terminal that closes is noticed; what is no terminal never closes."""

import os

from livejoin.process.terminal import Terminal


def test_a_terminal_that_is_closed_is_gone() -> None:
    """Closing the other side of a pseudo-terminal is what closing a window is."""
    window, inside = os.openpty()
    terminal = Terminal(inside)
    assert not terminal.is_gone()
    os.close(window)
    assert terminal.is_gone()
    os.close(inside)


def test_a_pipe_is_no_terminal() -> None:
    """A command in a script or a service goes on when its input ends."""
    reading, writing = os.pipe()
    terminal = Terminal(reading)
    os.close(writing)
    assert not terminal.is_gone()
    os.close(reading)
