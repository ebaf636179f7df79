"""A first declaration for two topics, drafted from their newest events."""
