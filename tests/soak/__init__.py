"""Hours of a running stack, sampled, to see whether anything grows."""
