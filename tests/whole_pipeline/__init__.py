"""The pipeline as a process of its own, with a real Spark, on a broker that may be killed."""
