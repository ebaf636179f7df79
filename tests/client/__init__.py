"""livejoin from outside."""
