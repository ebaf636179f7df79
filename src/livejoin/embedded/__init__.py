"""What one machine needs where no cluster is configured: jars and a Kafka broker."""
