"""A record as it is read from a topic, for whoever takes records and needs no client of Kafka for it."""

from confluent_kafka import Message

__all__ = ["Message"]
