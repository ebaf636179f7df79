"""Attacks: each is tried where nothing protects, to see it work, and then at the door."""
