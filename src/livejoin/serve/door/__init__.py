"""The door: the only way to the tables. docs/protocol.md says what may be said there."""
