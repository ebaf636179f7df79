"""Bytes of livejoin's own topics become Arrow tables."""
