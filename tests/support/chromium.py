"""How Chromium is started, for tests and measurements."""

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name of a stranger's own that leads to this machine, as anybody's name can.
    "--host-resolver-rules=MAP elsewhere.example 127.0.0.1",
]
