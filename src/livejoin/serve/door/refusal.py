"""What is refused at the door, by its kind. How often each was is counted, and told by a metric."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar


class Refusal(StrEnum):
    """The kinds. There are no others, whatever a stranger asks for."""

    KEYS = "keys"
    NO_KEY = "no key"
    RIGHTS = "rights"
    EXPORTS = "exports"
    NAMES = "names"
    ORIGINS = "origins"
    REQUESTS = "requests"
    NOT_A_MESSAGE = "not a message"
    TABLES = "tables"
    QUESTIONS = "questions"
    CONNECTIONS = "connections"
    VIEWS = "views"
    SEARCHES = "searches"
    ROWS = "rows"
    COPIES = "copies"
    MESSAGES = "messages"


MEANINGS: Mapping[Refusal, str] = {
    Refusal.KEYS: "a wrong key",
    Refusal.NO_KEY: "none where one is needed",
    Refusal.RIGHTS: "what a role may not do",
    Refusal.EXPORTS: "the same of a copy",
    Refusal.NAMES: "a name that this server does not answer to",
    Refusal.ORIGINS: "a page of another site",
    Refusal.REQUESTS: "a request with two lengths",
    Refusal.NOT_A_MESSAGE: "what nobody understands",
    Refusal.TABLES: "a table that is not there",
    Refusal.QUESTIONS: "a column that is not there, or a question that does not fit it",
    Refusal.CONNECTIONS: "too many connections",
    Refusal.VIEWS: "too many views",
    Refusal.SEARCHES: "too many searches",
    Refusal.ROWS: "too many rows that are looked at",
    Refusal.COPIES: "too many copies, or too many rows of them",
    Refusal.MESSAGES: "too many messages or requests",
}
"""Of each kind, what was refused."""

OF_STATUS: Mapping[int, Refusal] = {421: Refusal.NAMES, 403: Refusal.ORIGINS, 400: Refusal.REQUESTS}
"""Of each answer of the guard that stands before every route."""


class Refused(Exception):
    """Something is not done; the text says why, for the person who asked. Whoever answers it counts it."""

    kind: ClassVar[Refusal]
