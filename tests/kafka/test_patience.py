"""How long Kafka's clients wait for an answer, and that a wire of these tests tells its ends what a network would."""

import socket

import pytest

from await_that import await_that
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.fenced_writer import FencedWriter, require_right
from livejoin.settings.settings import Settings
from relay import Relay

SOON = 5.0


def test_whoever_lets_clients_wait_for_longer_can_write_all_the_same(broker: Settings) -> None:
    """Kafka's client would refuse a transaction that may be over before an answer is given up."""
    client = KafkaClient({**broker.kafka_client.librdkafka(), "socket.timeout.ms": "30000"})
    cluster = Cluster(client)
    cluster.ensure("patient")
    require_right(cluster, "patient")
    writer = FencedWriter(cluster, "patient")
    writer.take_over()
    writer.write("patient", "key", b"value")

    # What is committed is seen a moment later.
    await_that(lambda: cluster.end_offsets("patient")[0] > 0)


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_wire_tells_of_the_end_of_a_server_unless_it_is_silent(*, is_silent: bool) -> None:
    """Its other end may wait for what is said; to close a socket does not wake who waits there."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        Relay(server.getsockname()[1]) as wire,
        socket.create_connection(("127.0.0.1", wire.port), SOON) as client,
    ):
        far, _ = server.accept()
        client.sendall(b"?")
        assert far.recv(1) == b"?"
        far.sendall(b"!")
        assert client.recv(1) == b"!"
        if is_silent:
            wire.silence()
        far.close()
        if is_silent:
            client.settimeout(1.0)
            with pytest.raises(TimeoutError):
                client.recv(1)
        else:
            assert client.recv(1) == b""
