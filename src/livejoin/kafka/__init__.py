"""Kafka as livejoin uses it: thin adapters over confluent-kafka, and the properties of its clients."""
