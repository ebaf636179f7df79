"""Everything that `livejoin up` brings on one machine: a Kafka broker, supervision, demo data."""
