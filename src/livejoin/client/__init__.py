"""livejoin from outside: its tables over HTTP, its control topic over Kafka."""
