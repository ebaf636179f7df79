"""The pipelines in a simulated world."""
