"""Messages of the file broker are never read before they are whole."""

import threading

import pytest
from kombu import Connection

from taskstatus.config.file_broker import Transport
from tests.support.waiting import PATIENCE_SECONDS


@pytest.fixture
def connect(tmp_path):
    """Connections that share one folder; Kombu remembers bindings by the queue's name, so each test has its own."""
    for name in ("queue", "control"):
        (tmp_path / name).mkdir()
    options = {
        "data_folder_in": str(tmp_path / "queue"),
        "data_folder_out": str(tmp_path / "queue"),
        "control_folder": str(tmp_path / "control"),
    }
    return lambda: Connection("filesystem://localhost", transport=Transport, transport_options=options)


def test_what_is_sent_is_received_in_order_and_leaves_no_file(connect, tmp_path):
    with connect() as connection, connection.SimpleQueue("work") as queue:
        for number in range(3):
            queue.put({"number": number, "text": "概览"})
        bodies = []
        for _ in range(3):
            message = queue.get(timeout=PATIENCE_SECONDS)
            bodies.append(message.payload)
            message.ack()
    assert sorted(body["number"] for body in bodies) == [0, 1, 2]
    assert {body["text"] for body in bodies} == {"概览"}
    assert list((tmp_path / "queue").iterdir()) == []


def test_a_reader_beside_a_writer_never_sees_half_a_message(connect):
    count = 300

    def write():
        with connect() as connection, connection.SimpleQueue("other") as queue:
            for number in range(count):
                queue.put({"number": number})

    writer = threading.Thread(target=write)
    writer.start()
    seen = set()
    with connect() as connection:
        channel = connection.default_channel
        channel.queue_declare("other")
        # With Kombu's own writing this soon reads a message that can't be parsed.
        while writer.is_alive() or channel.queue_declare("other").message_count:
            if message := channel.basic_get("other", no_ack=True):
                seen.add(message.decode()["number"])
    writer.join()
    assert seen == set(range(count))
