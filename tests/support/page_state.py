"""What a state of the page is, and the list of all."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from playwright.sync_api import Page

from page_stage import Stage

Open = Callable[[Stage], AbstractContextManager[list[Page]]]


@dataclass(frozen=True)
class PageState:
    """A state: what it is called, how it is opened, and the part of the page that is other than in every other one."""

    title: str
    open: Open
    part: str


STATES: dict[str, PageState] = {}


def state(title: str, part: str = "html") -> Callable[[Callable[[Stage], Iterator[list[Page]]]], Open]:
    """Enter a function into the list, by its name: it opens the state, yields the pages that show it, and leaves it."""

    def enter(opened: Callable[[Stage], Iterator[list[Page]]]) -> Open:
        name = opened.__name__.rstrip("_").replace("_", "-")
        made: Open = contextmanager(opened)
        STATES[name] = PageState(title, made, part)
        return made

    return enter
