"""The door without an engine behind it."""
