"""Brokers that ask who one is."""
