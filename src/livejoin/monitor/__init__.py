"""What an operator's Prometheus reads. docs/metrics.md lists every metric, docs/operations.md says what to do."""
