"""livejoin beside its peers: the same events, on the same machine, in the same run; `python -m contest` runs it."""
