"""The bytes of an event are what the EventSource specification reads."""

from realtime.stream import frames


def test_a_message_has_its_cursor_its_kind_and_its_json_on_one_line():
    assert frames.message("1.2.3", '{"kind":"x"}') == b'id: 1.2.3\nevent: message\ndata: {"kind":"x"}\n\n'


def test_a_reset_says_the_epoch():
    assert frames.reset("2.2.3", 2) == b'id: 2.2.3\nevent: reset\ndata: {"kind":"reset","epoch":"2"}\n\n'


def test_a_heartbeat_moves_the_cursor_alone():
    assert frames.heartbeat("1.2.3") == b"id: 1.2.3\nevent: heartbeat\ndata: {}\n\n"


def test_no_payload_can_end_its_event_or_begin_another_field():
    assert frames.message("1.2.3", '{\n"a":\r"b"\r\n}').splitlines() == [
        b"id: 1.2.3",
        b"event: message",
        b"data: {",
        b'data: "a":',
        b'data: "b"',
        b"data: }",
        b"",
    ]


def test_comments_are_lines_that_no_client_reads():
    assert frames.COMMENT.startswith(b":")
    assert frames.FAREWELL.startswith(b":")
