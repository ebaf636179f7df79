"""What is joined where nobody declares anything: users and their accounts, by userId."""

from livejoin.model.column import Column, ColumnType
from livejoin.model.declaration import Declaration, Keep, Source


def _column(name: str, kind: str, null_becomes: str | None = None) -> Column:
    return Column(name, ColumnType.named(kind), null_becomes=null_becomes)


USERS = Source(
    "users",
    (
        _column("userId", "string"),
        _column("name", "string", ""),
        _column("email", "string", ""),
        _column("age", "long"),
    ),
    key=("userId",),
    keep=Keep.ALL,
)
ACCOUNTS = Source(
    "accounts",
    (_column("userId", "string"), _column("accountType", "string"), _column("balance", "double")),
    key=("userId",),
    keep=Keep.LATEST,
)
DEFAULT = Declaration.of(USERS, ACCOUNTS)
