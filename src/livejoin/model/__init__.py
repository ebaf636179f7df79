"""What livejoin is about: sources, generations, control messages, the registry. No framework, no wire format."""
