"""Whether the terminal that a command was started from is still there."""

import os
import select


class Terminal:
    """The terminal behind a file descriptor, if it is one.

    When a terminal closes, the kernel tells the leader of its session only. A shell hands SIGHUP on; `make` as the
    leader does not, and waits for its command for ever. So the command has to look by itself.
    """

    def __init__(self, descriptor: int) -> None:
        self._poll = select.poll()
        if os.isatty(descriptor):
            self._poll.register(descriptor, 0)

    def is_gone(self) -> bool:
        """Whether there was one and it has been closed."""
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in self._poll.poll(0))
