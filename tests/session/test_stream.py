"""The stream between a served host and an attached window: what was sent comes out, in pieces of any size, and nothing else does."""

import json
import random
import struct

import pytest

from tensorscope.errors import ProtocolError
from tensorscope.protocol.stream import HEAD, MAX_BODY_BYTES, StoredFrame, StreamDecoder, frame_item_head, message_item, preface
from tensorscope.session.session import Changed, RankInfo, RunState, Status
from tensorscope.session.wire import changed_item, changed_of

HELLO = message_item(b'{"type":"hello"}')
FRAME = StoredFrame(7, b"TSFR and the rest")


def whole() -> bytes:
    return preface("1.2") + HELLO + frame_item_head(FRAME) + FRAME.payload + message_item(b'{"type":"bye"}')


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_items_come_out_whole_whatever_the_pieces(size: int) -> None:
    decoder = StreamDecoder("1.2")
    items = [item for at in range(0, len(whole()), size) for item in decoder.feed(whole()[at : at + size])]
    assert items == [{"type": "hello"}, FRAME, {"type": "bye"}]


def test_a_banner_before_the_marker_is_skipped_where_one_may_stand() -> None:
    decoder = StreamDecoder("1.2", max_banner_bytes=100)
    assert decoder.feed(b"Welcome!\nLast login: today\n" + whole())[0] == {"type": "hello"}
    assert decoder.banner == "Welcome!\nLast login: today\n"
    with pytest.raises(ProtocolError, match="no TensorScope speaks there"):
        StreamDecoder("1.2").feed(b"Welcome!\n" + whole())
    with pytest.raises(ProtocolError, match="no TensorScope speaks there"):
        StreamDecoder("1.2", max_banner_bytes=100).feed(b"x" * 300)


def test_another_version_of_the_protocol_is_named_with_both_releases() -> None:
    with pytest.raises(ProtocolError, match=r"TensorScope 9\.1 there and 1\.2 here .* same release"):
        StreamDecoder("1.2").feed(b"TENSORSCOPE-STREAM 2 9.1\n")


@pytest.mark.parametrize(
    "bad",
    [HEAD.pack(MAX_BODY_BYTES + 1, 0), HEAD.pack(2, 5) + b"{}", HEAD.pack(2, 0) + b"[]", HEAD.pack(4, 1) + b"1234", struct.pack("<IBBH", 2, 0, 0, 1) + b"{}"],
)
def test_an_item_that_does_not_fit_is_refused(bad: bytes) -> None:
    with pytest.raises(ProtocolError):
        StreamDecoder("1.2").feed(preface("1.2") + bad)


def test_a_thousand_damaged_streams_end_in_a_sentence_or_in_items() -> None:
    chance = random.Random(1)
    refused = 0
    for _ in range(1000):
        damaged = bytearray(whole())
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            StreamDecoder("1.2", max_banner_bytes=chance.choice([0, 50])).feed(bytes(damaged[: chance.randint(1, len(damaged))]))
        except ProtocolError:
            refused += 1
    assert 100 < refused < 1000


HELD = {
    "backward": 1,
    "node_index": 3,
    "node": 3,
    "name": "MmBackward0",
    "position": 3,
    "count": 9,
    "time_ns": 5,
    "gradients_in": [{"norm": "nan"}],
    "saved": [],
}
STATUS = Status(RunState.HELD, "Held before node 4 of 9", {**HELD, "all_finished": [], "finished": None})
CHANGED = Changed(STATUS, False, 12, 3, 1.25, 4096, "The disk is full.", 512)
RANKS = (RankInfo(0, "rank 0", 41, STATUS, "cpu", 9), RankInfo(1, "rank 1", 42, Status(RunState.ENDED, "Ended, exit code 0", exit_code=0), "cuda:1", 8))


def test_a_state_arrives_as_it_was_sent() -> None:
    (message,) = StreamDecoder("1.2").feed(preface("1.2") + changed_item(CHANGED, RANKS))
    assert isinstance(message, dict)
    assert changed_of(message) == (CHANGED, RANKS)


def test_a_state_with_anything_exchanged_is_refused_or_makes_sense() -> None:
    (message,) = StreamDecoder("1.2").feed(preface("1.2") + changed_item(CHANGED, RANKS))
    assert isinstance(message, dict)
    wrong: list[object] = [None, -1, 1.5, "x", [], {}, [[]], 1 << 70, True]
    refused = 0
    for key in message:
        for value in wrong:
            try:
                changed, ranks = changed_of({**message, key: value})
            except ProtocolError:
                refused += 1
            else:
                json.dumps([changed.status.held, changed.status.exit_code])
                assert ranks
    for key in HELD:
        with pytest.raises(ProtocolError):
            changed_of({**message, "held": {**HELD, key: None}})
    assert refused > 60
