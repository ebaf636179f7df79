"""Java: the one that is installed, and the jars that Spark and the embedded broker need."""
