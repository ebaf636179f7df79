"""The pipeline in Spark: the session, and the queries of a generation."""
