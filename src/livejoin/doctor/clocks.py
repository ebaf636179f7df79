"""Whether clocks agree, as far as anybody tells: Kafka tells nobody its time.

The order of events is that of their timestamps, which are those of the clocks of who writes them.
"""

import email.utils
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException

from livejoin.doctor.case import Case
from livejoin.doctor.certificates import anchors
from livejoin.doctor.finding import Finding, ok, skipped, warning
from livejoin.kafka.login import TOKEN_URL

MOST_SECONDS = 60.0
"""By which clocks may differ: providers of tokens and tokens themselves allow about as much."""
ANSWER_SECONDS = 5.0


def check_clocks(case: Case) -> Iterator[Finding]:
    """By records from the future, and by the date that the provider of tokens answers with."""
    now = time.time()
    if case.settings.embedded_broker:
        yield ok("broker", "compare this machine with the broker's", "the broker is on this machine")
    else:
        found = "Kafka tells nobody its time: compare it yourself, for example by `timedatectl` on both machines"
        yield skipped("broker", "compare this machine with the broker's", found)
    for topic, newest in case.newest.items():
        tried, ahead = "compare this clock with the newest record's timestamp", newest - now
        if ahead > MOST_SECONDS:
            found = f"a record is of a moment {ahead:,.0f} s from now: it stays the newest of its key until then"
            do = "correct the clock of who writes it, or that of this machine; timestamps are in milliseconds"
            yield warning(topic, tried, found, do)
        else:
            yield ok(topic, tried, "none is from the future")
    properties = case.settings.kafka_client.librdkafka()
    if TOKEN_URL in properties:
        yield _provider(properties[TOKEN_URL], anchors(properties), now)


def _provider(url: str, trusted: str | None, now: float) -> Finding:
    about, tried = "token endpoint", "compare this clock with the date of an answer"
    told = _date(url, ssl.create_default_context(cadata=trusted))
    if told is None:
        return skipped(about, tried, "it told no date")
    apart = told - now
    if abs(apart) <= MOST_SECONDS:
        return ok(about, tried, "they agree, to within a minute")
    which = "ahead of" if apart > 0 else "behind"
    found = f"its clock is {abs(apart):,.0f} s {which} this one: tokens may be refused as expired or as not valid yet"
    return warning(about, tried, found, "let both machines ask a time server")


def _date(url: str, context: ssl.SSLContext) -> float | None:
    """What time somebody has who is asked without a login, and may refuse."""
    try:
        with urllib.request.urlopen(url, timeout=ANSWER_SECONDS, context=context) as answer:  # noqa: S310  http or https: it was checked
            date = answer.headers.get("date")
    except urllib.error.HTTPError as refused:
        date = refused.headers.get("date")
    except (OSError, HTTPException, ValueError):
        return None
    parsed = email.utils.parsedate_tz(date) if date else None
    return email.utils.mktime_tz(parsed) if parsed else None
