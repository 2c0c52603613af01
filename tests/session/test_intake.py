"""Pieces of the rings are joined without changing a byte or an order."""

from tensorscope.protocol import area
from tensorscope.session.area_map import Chunk
from tensorscope.session.intake import MOST_JOINED_BYTES, joined

RECORDS, DEFINITIONS = area.BLOCK_RECORDS, area.BLOCK_DEFINITIONS


def test_only_records_of_one_thread_in_a_row_become_one_piece() -> None:
    chunks = [
        Chunk(RECORDS, 1, b"a"),
        Chunk(RECORDS, 1, b"b"),
        Chunk(RECORDS, 2, b"c"),
        Chunk(DEFINITIONS, 0, b"d"),
        Chunk(DEFINITIONS, 0, b"e"),
        Chunk(RECORDS, 1, b"f"),
    ]
    assert list(joined(chunks)) == [Chunk(RECORDS, 1, b"ab"), *chunks[2:]]


def test_a_piece_does_not_grow_without_bound() -> None:
    half = bytes(MOST_JOINED_BYTES // 2)
    sizes = [len(chunk.content) for chunk in joined([Chunk(RECORDS, 1, half)] * 5)]
    assert sizes == [MOST_JOINED_BYTES, MOST_JOINED_BYTES, MOST_JOINED_BYTES // 2]
