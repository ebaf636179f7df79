"""The HTTP side of the table server besides the door."""
