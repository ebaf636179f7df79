"""The demo's people and their accounts, for the declaration that holds where nobody declares anything."""

import random
from datetime import datetime
from typing import Any

import orjson

from livejoin.local.demo.row import Row, record_value
from livejoin.local.demo.words import MAIL_HOSTS, person
from livejoin.model.declaration import Declaration, Side
from livejoin.model.default_declaration import ACCOUNTS, USERS

ACCOUNT_TYPES = {"checking": 50, "savings": 30, "credit": 15, "brokerage": 5}


class People:
    """People who have a name, an address and an age, and most of them an account."""

    def __init__(self, chance: random.Random) -> None:
        self._random = chance

    @staticmethod
    def knows(declaration: Declaration) -> bool:
        """Whether these are the sources that people appear in, whatever is kept of them."""
        known = ((USERS.columns, USERS.key), (ACCOUNTS.columns, ACCOUNTS.key))
        return tuple((source.columns, source.key) for source in declaration.sources) == known

    def first(self, side: Side, number: int, at: datetime) -> Row:  # noqa: ARG002  they have no times
        """A person, or a new account."""
        return _person(number) if side is Side.LEFT else self._account(number)

    def changed(self, side: Side, row: Row, at: datetime) -> Row:  # noqa: ARG002  they have no times
        """Somebody gets older or moves to another mail host; an account's balance goes up or down."""
        if side is Side.RIGHT:
            return {**row, "balance": round(row["balance"] + self._random.gauss(0, 120), 2)}
        if self._random.random() < 0.5:
            return {**row, "age": self._random.randint(18, 84)}
        return {**row, "email": f"{row['email'].partition('@')[0]}@{self._random.choice(MAIL_HOSTS)}"}

    def bad(self, number: int, at: datetime) -> tuple[Side, bytes, bytes]:  # noqa: ARG002  they have no times
        """Malformed, without a key, of a wrong type, or no object."""
        user = _person(number)
        user_id, good = user["userId"], record_value(USERS, user)
        side, value = self._random.choice(
            [
                (Side.LEFT, good[:-8]),
                (Side.LEFT, orjson.dumps({name: user[name] for name in user if name != "userId"})),
                (Side.LEFT, orjson.dumps({**user, "age": "forty"})),
                (Side.RIGHT, orjson.dumps(_row("userId accountType balance", user_id, "checking", "a lot"))),
                (Side.RIGHT, b"balance: 12.50"),
                (Side.RIGHT, orjson.dumps([user_id, "savings", 12.5])),
            ]
        )
        return side, user_id.encode(), value

    def _account(self, number: int) -> Row:
        kind = self._random.choices(list(ACCOUNT_TYPES), list(ACCOUNT_TYPES.values()))[0]
        balance = round(self._random.lognormvariate(7.5, 1.2), 2)
        return _row("userId accountType balance", _user_id(number), kind, balance)


def _person(number: int) -> Row:
    fate = random.Random(number)  # noqa: S311 - demo data, not secrets
    first, last = person(fate)
    email = f"{first}.{last}{number}@{fate.choice(MAIL_HOSTS)}".lower()
    return _row("userId name email age", _user_id(number), f"{first} {last}", email, fate.randint(18, 84))


def _user_id(number: int) -> str:
    return f"u-{number + 1:05d}"


def _row(names: str, *values: Any) -> Row:
    return dict(zip(names.split(), values, strict=True))
