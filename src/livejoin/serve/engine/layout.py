"""Which tables there are, under what each is in the engine, where nothing has a name that somebody has declared."""

from dataclasses import dataclass

from livejoin.model.declaration import Declaration
from livejoin.model.table import Table, Tables
from livejoin.serve.decode.view_batch import ROWS


@dataclass(frozen=True, slots=True)
class Layout:
    """Tables and their columns. Declarations that lead to the same layout are served by the same exports."""

    tables: tuple[tuple[str, Table], ...]
    """Each with its id in the engine: the views by what they are, and livejoin's own by their name."""

    @classmethod
    def of(cls, declaration: Declaration) -> "Layout":
        """The tables of a declaration."""
        tables = Tables(declaration)
        others = [(table.name, table) for table in tables.all[len(ROWS) :]]
        return cls((*zip(ROWS, tables.views, strict=True), *others))

    def table(self, table_id: str) -> Table:
        """The table of that id."""
        return dict(self.tables)[table_id]

    @property
    def ids(self) -> list[str]:
        """All of them."""
        return [table_id for table_id, _ in self.tables]
