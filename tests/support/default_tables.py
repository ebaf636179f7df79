"""The tables of the default declaration, for tests that look at them."""

from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Tables

TABLES = Tables(DEFAULT)
USERS_UI, ACCOUNTS_UI, FINAL_UI = TABLES.views
