"""Child processes that never outlive who started them.

`livejoin up` ── Supervisor ── Child ──(pipe)── guard ── the command and all that it starts

The guard is a small process of its own in a session of its own. It ends its whole session when the command ends, when
it is asked to, and when the pipe closes because `up` is gone, however that went.
"""
