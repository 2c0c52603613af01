"""The frame codec: what goes in comes out, and nothing else gets past it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorscope.errors import ProtocolError
from tensorscope.protocol.frames import HEAD, Frame, FrameColumn, bytes_frame, decode_frame, encode_frame

FRAME = Frame("rows", "marks", 2, 3, (FrameColumn("a", "u1", b"\1\2\3"), FrameColumn("b", "i8", bytes(range(24)))), 5, 9, 1, 4)


def plain(frame: Frame) -> Frame:
    """The frame with its columns as bytes."""
    columns = tuple(FrameColumn(column.name, column.type, bytes(column.data)) for column in frame.columns)
    return Frame(frame.kind, frame.table, frame.rank, frame.rows, columns, frame.first_ns, frame.last_ns, frame.iteration, frame.last_iteration)


def test_a_frame_comes_back_whole() -> None:
    assert plain(decode_frame(encode_frame(FRAME))) == FRAME


def test_columns_start_at_multiples_of_eight_bytes() -> None:
    payload = encode_frame(FRAME)
    assert payload[HEAD.size + HEAD.unpack_from(payload)[3] :].lstrip(b"\0")[:3] == b"\1\2\3"
    assert len(payload) % 8 == 0
    assert payload.index(bytes(range(24))) % 8 == 0


@given(st.binary(max_size=200))
def test_bytes_frames_come_back_whole(data: bytes) -> None:
    frame = decode_frame(encode_frame(bytes_frame("definitions", data, iteration=3)))
    assert bytes(frame.columns[0].data) == data
    assert frame.iteration == 3


@given(st.binary(max_size=300))
def test_any_bytes_are_a_frame_or_a_protocol_error(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_frame(data)


@given(st.integers(0, len(encode_frame(FRAME)) - 1), st.integers(0, 255))
def test_one_wrong_byte_is_a_frame_of_true_sizes_or_a_protocol_error(at: int, value: int) -> None:
    payload = bytearray(encode_frame(FRAME))
    payload[at] = value
    try:
        frame = decode_frame(bytes(payload))
    except ProtocolError:
        return
    sizes = {"u1": 1, "i1": 1, "u2": 2, "i2": 2, "u4": 4, "i4": 4, "u8": 8, "i8": 8, "f4": 4, "f8": 8}
    assert all(len(column.data) == frame.rows * sizes[column.type] for column in frame.columns)


@given(st.integers(0, len(encode_frame(FRAME)) - 1))
def test_a_cut_frame_is_a_protocol_error(length: int) -> None:
    with pytest.raises(ProtocolError):
        decode_frame(encode_frame(FRAME)[:length])


def with_header(**changes: object) -> bytes:
    """FRAME's bytes with other values in the header."""
    payload = encode_frame(FRAME)
    _, _, _, length, _, body = HEAD.unpack_from(payload)
    header = json.dumps({**json.loads(payload[HEAD.size : HEAD.size + length]), **changes}).encode()
    return HEAD.pack(b"TSFR", 1, 0, len(header), 0, body) + header + bytes(-len(header) % 8) + payload[-body:]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rows": 2**40}, "impossible rows"),
        ({"rows": -1}, "impossible rows"),
        ({"rows": True}, "impossible rows"),
        ({"rows": 4}, "cut in column"),
        ({"columns": [["a", "u1"]]}, "more than its columns"),
        ({"columns": [["a", "u1"], ["a", "i8"]]}, "one twice"),
        ({"columns": [["a", "O"], ["b", "i8"]]}, "no known type"),
        ({"columns": "ab"}, "no list of columns"),
        ({"kind": "pickle"}, "no known kind"),
        ({"kind": "message"}, "the one column bytes"),
        ({"first_ns": "soon"}, "impossible first_ns"),
    ],
)
def test_a_lying_header_is_named(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ProtocolError, match=sentence):
        decode_frame(with_header(**changes))


def test_a_newer_version_is_named() -> None:
    payload = bytearray(encode_frame(FRAME))
    payload[4] = 9
    with pytest.raises(ProtocolError, match="version 9"):
        decode_frame(bytes(payload))


def test_a_column_of_the_wrong_size_is_not_encoded() -> None:
    with pytest.raises(ProtocolError, match="column a of rows marks"):
        encode_frame(Frame("rows", "marks", 0, 2, (FrameColumn("a", "i8", b"123"),)))
