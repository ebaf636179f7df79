#!/usr/bin/python3.11 -ISE
"""Whether the livejoin in this container is alive: what answers here must say so, and something must answer.

livejoin-alive           /livez of whatever runs: a table server, a pipeline, or both
livejoin-alive --ready   /readyz; a pipeline that stands by is ready too, and says so: it can be left alone by a rollout

It needs nothing but Python, and starts in a moment: it is asked every few seconds.
"""

import http.client
import json
import os
import ssl
import sys

PORTS = {"LIVEJOIN_WEB__PORT": 8080, "LIVEJOIN_PIPELINE__PORT": 8081}
"""Where they answer, and the variables that decide otherwise. A livejoin.toml is not read."""
TLS = "LIVEJOIN_WEB__TLS_CERTIFICATE"
"""The variable that lets a table server speak TLS."""
TIMEOUT = 4.0
STANDBY = "standing by: "
"""How a pipeline begins that waits beside the one that writes, and could take over at once."""


def main() -> int:
    """0 where all is well; otherwise 1, and why."""
    ready = sys.argv[1:] == ["--ready"]
    if sys.argv[1:] and not ready:
        sys.stderr.write("usage: livejoin-alive [--ready]\n")
        return 2
    told = {}
    for variable, usual in PORTS.items():
        port = int(os.environ.get(variable) or usual)
        secure = variable == "LIVEJOIN_WEB__PORT" and TLS in os.environ
        answer = ask(port, "/readyz" if ready else "/livez", secure=secure)
        if answer is not None:
            told[port] = answer
    sys.stdout.writelines(f"{port}: {reason}\n" for port, reason in told.items() if reason)
    if not told:
        sys.stdout.write("nobody answers\n")
        return 1
    return int(any(reason and not (ready and reason.startswith(STANDBY)) for reason in told.values()))


def ask(port: int, path: str, *, secure: bool) -> str | None:
    """Why the answer is no; empty where it is yes, and None where nobody listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    if secure:
        # Its certificate is for the name that people use, and not for this address.
        anybody = ssl._create_unverified_context()  # noqa: S323, SLF001
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=TIMEOUT, context=anybody)
    try:
        return _asked(connection, path)
    except ConnectionRefusedError:
        return None
    except (OSError, http.client.HTTPException) as error:
        return f"no answer: {error}"


def _asked(connection: http.client.HTTPConnection, path: str) -> str:
    connection.request("GET", path)
    answer = connection.getresponse()
    told = answer.read(65_536)
    if answer.status == 200:
        return ""
    try:
        return str(json.loads(told)["reason"])
    except (ValueError, KeyError, TypeError):
        return f"status {answer.status}"


if __name__ == "__main__":
    sys.exit(main())
