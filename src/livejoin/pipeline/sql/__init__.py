"""The pipeline as SQL: judge, keep, join, write records."""
