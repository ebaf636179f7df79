"""Demo events for the declared sources: people by default, plausible ones for whatever else."""
