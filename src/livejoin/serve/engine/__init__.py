"""Deephaven's engine and the tables in it: fed, flipped, looked at."""
