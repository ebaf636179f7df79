"""What the orchestrator decides."""
