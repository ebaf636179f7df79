"""Rows of views that are looked at. Those that several look at count once."""

from collections import Counter

Place = tuple[object, int, int]
"""A view, and the first and the last row of it that is looked at."""


class Places:
    """Where somebody looks: all who are here, or those with one key."""

    def __init__(self) -> None:
        self.rows = 0
        """How many different ones are looked at."""
        self._looks: Counter[Place] = Counter()

    def rows_with(self, place: Place, instead_of: Place | None) -> int:
        """How many there would be if one look moved there from another place, or came."""
        rows = self.rows if place in self._looks else self.rows + length(place)
        if instead_of is not None and instead_of != place and self._looks[instead_of] == 1:
            rows -= length(instead_of)
        return rows

    def add(self, place: Place) -> None:
        """One look more."""
        if place not in self._looks:
            self.rows += length(place)
        self._looks[place] += 1

    def remove(self, place: Place) -> None:
        """One look less."""
        self._looks[place] -= 1
        if not self._looks[place]:
            self.drop(place)

    def drop(self, place: Place) -> None:
        """Nobody looks there any more."""
        del self._looks[place]
        self.rows -= length(place)


def length(place: Place) -> int:
    """How many rows are there."""
    _, first, last = place
    return last - first + 1
