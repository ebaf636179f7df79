"""Spark: parse, validate, join, and keep one generation live."""
