"""Several table servers at the same topics."""

import psutil

from table_server import Pipeline, Reader, ServeProcess, reader


def test_several_servers_flip_each_for_itself_and_converge(
    pipeline: Pipeline, viewer: Reader, replica: ServeProcess
) -> None:
    """A server that stands still holds up nobody, and shows the same generation when it goes on."""
    first = pipeline.go_live(pipeline.open())
    process = psutil.Process(replica.process.pid)
    replica.await_tables()
    with reader(replica.settings) as other:
        other.await_generation(first.number)
        process.suspend()
        newest = pipeline.open()
        pipeline.upsert(newest, "users_ui", "u", 1, userId="u")
        pipeline.go_live(newest, lingering=first.number)
        viewer.await_generation(newest.number)
        process.resume()
        other.await_generation(newest.number)
        assert other.rows("users_ui") == viewer.rows("users_ui")
