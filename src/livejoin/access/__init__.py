"""Who may enter and what they may do: roles, keys, sessions, sign-in."""
