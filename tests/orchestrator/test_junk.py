"""Somebody else writes into livejoin's own topics: what livejoin wrote counts, and the pipeline starts and goes on."""

from structlog.testing import capture_logs

from livejoin.wire.records import (
    CURRENT_KEY,
    EPOCH_KEY,
    LEDGER_KEY,
    PULSE_KEY,
    generation_key,
    standby_key,
)
from play import Play

JUNK = (b"[]", b"[7]", b"7", b"null", b'"x"', b"{", b"\xff")
KEYS = (CURRENT_KEY, LEDGER_KEY, PULSE_KEY, EPOCH_KEY, standby_key("x"), generation_key(1), generation_key(7))


def write_junk(play: Play, topic: str, *keys: bytes) -> int:
    """Everything that is none of livejoin's, under each of these keys; how many records."""
    producer = play.cluster.producer()
    for key in keys:
        for value in JUNK:
            producer.produce(topic, value, key)
    assert producer.flush(30) == 0
    return len(keys) * len(JUNK)


def test_junk_in_its_own_topics_is_skipped_counted_and_told(play: Play) -> None:
    """Under every kind of key, and also under those that are no texts; a message is obeyed afterwards as before."""
    own, other = play.settings.own_topics, play.topic("other")
    first = play.swap(play.settings.left.topic_name)
    assert play.verdict(first)[0] == "unchanged"
    play.stop()
    in_state = write_junk(play, own.state, *(key.encode() for key in KEYS), b"generation/x", b"\xff")
    in_log = write_junk(play, own.control_log, first.encode(), b"x/0/0", b"\xff")
    with capture_logs() as logged:
        play.start()
        # Who waits here reads the state topic as well, so that it may be told more than once.
        assert play.verdict(play.swap(other)) == ("applied", "generation 2 is live")
        told = [line for line in logged if line["event"] == "records skipped that cannot be read"]

    assert {(line["topic"], line["records"]) for line in told} == {(own.state, in_state), (own.control_log, in_log)}
