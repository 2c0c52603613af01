"""The shared area as the host reads it: whole records only, in order, blocks given back."""

import mmap
import os
import struct
from collections.abc import Iterator

import pytest

from tensorscope.errors import ProtocolError
from tensorscope.protocol import area
from tensorscope.session.area_map import AreaMap

BLOCKS = 4


class Area:
    """An area that a test writes by hand."""

    def __init__(self, *, magic: bytes = area.MAGIC, blocks: int = BLOCKS) -> None:
        self.fd = os.memfd_create("area")
        size = area.HEADER_SIZE + BLOCKS * area.BLOCK_SIZE
        os.ftruncate(self.fd, size)
        self.bytes = mmap.mmap(self.fd, size)
        self.bytes[:16] = magic + struct.pack("<II", area.BLOCK_SIZE, blocks)

    def head(self, block: int, state: int, *, sequence: int = 1, committed: int = 0, kind: int = area.BLOCK_RECORDS, thread: int = 5) -> None:
        at = area.HEADER_SIZE + block * area.BLOCK_SIZE
        self.bytes[at : at + 20] = struct.pack("<5I", state, kind, thread, sequence, committed)

    def write(self, block: int, begin: int, content: bytes) -> None:
        at = area.HEADER_SIZE + block * area.BLOCK_SIZE + area.BLOCK_HEADER_SIZE + begin
        self.bytes[at : at + len(content)] = content

    def state(self, block: int) -> int:
        return int(struct.unpack_from("<I", self.bytes, area.HEADER_SIZE + block * area.BLOCK_SIZE)[0])


@pytest.fixture
def written() -> Iterator[Area]:
    made = Area()
    yield made
    made.bytes.close()
    os.close(made.fd)


def test_only_committed_bytes_are_read_and_each_once(written: Area) -> None:
    reader = AreaMap(written.fd)
    written.head(2, area.BLOCK_WRITING, committed=64)
    written.write(2, 0, b"a" * 64 + b"b" * 32)
    assert [(chunk.thread, chunk.content) for chunk in reader.collect()] == [(5, b"a" * 64)]
    assert list(reader.collect()) == []
    written.head(2, area.BLOCK_WRITING, committed=128)
    written.write(2, 64, b"b" * 64)
    assert [chunk.content for chunk in reader.collect()] == [b"b" * 64]
    assert written.state(2) == area.BLOCK_WRITING
    reader.close()


def test_a_full_block_is_given_back_and_read_afresh_when_lent_again(written: Area) -> None:
    reader = AreaMap(written.fd)
    written.write(0, 0, b"a" * 64)
    written.head(0, area.BLOCK_FULL, committed=64)
    assert [chunk.content for chunk in reader.collect()] == [b"a" * 64]
    assert written.state(0) == area.BLOCK_FREE
    written.write(0, 0, b"c" * 64)
    written.head(0, area.BLOCK_WRITING, sequence=9, committed=64)
    assert [chunk.content for chunk in reader.collect()] == [b"c" * 64]
    reader.close()


def test_blocks_are_read_in_the_order_in_which_they_were_lent(written: Area) -> None:
    reader = AreaMap(written.fd)
    for block, sequence in ((0, 30), (1, 10), (2, 20)):
        written.write(block, 0, bytes([block]) * 64)
        written.head(block, area.BLOCK_FULL, sequence=sequence, committed=64)
    assert [chunk.content[0] for chunk in reader.collect()] == [1, 2, 0]
    reader.close()


def test_an_impossible_committed_count_reads_no_more_than_the_block(written: Area) -> None:
    reader = AreaMap(written.fd)
    written.head(3, area.BLOCK_FULL, committed=2**31)
    (chunk,) = reader.collect()
    assert len(chunk.content) == area.BLOCK_SIZE - area.BLOCK_HEADER_SIZE
    reader.close()


def test_words_and_the_heart_are_written_where_the_probe_looks(written: Area) -> None:
    reader = AreaMap(written.fd)
    reader.set_word(area.ARMED, 1)
    reader.beat(2**40 + 7)
    written.bytes[area.DROPPED : area.DROPPED + 8] = struct.pack("<Q", 2**33)
    assert struct.unpack_from("<I", written.bytes, area.ARMED) == (1,)
    assert struct.unpack_from("<Q", written.bytes, area.HEARTBEAT) == (2**40 + 7,)
    assert reader.counter(area.DROPPED) == 2**33
    reader.close()


@pytest.mark.parametrize("wrong", [{"magic": b"NOTOURS!"}, {"blocks": BLOCKS + 1}])
def test_memory_that_is_none_of_ours_is_refused(wrong: dict[str, object]) -> None:
    made = Area(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ProtocolError, match="wrong beginning"):
        AreaMap(made.fd)
    made.bytes.close()
    os.close(made.fd)


def test_memory_too_small_is_refused() -> None:
    fd = os.memfd_create("small")
    os.ftruncate(fd, 100)
    with pytest.raises(ProtocolError, match="100 bytes"):
        AreaMap(fd)
    os.close(fd)
