"""Every setting, typed, and where it comes from."""
