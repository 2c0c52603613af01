"""The shared-memory area between probe and host: one header page, then blocks that the probe lends to its threads.

Header page (``HEADER_SIZE`` bytes), little-endian, every word naturally aligned and accessed atomically::

      0  8s   magic "TSAREA01"
      8  u32  block size (BLOCK_SIZE)
     12  u32  block count    grows where the file is larger: agent → both
     16  u32  enabled        host → probe: 1 record, 0 off (detached)
     20  u32  armed          host → probe: 0 run, 1 hold before the next node (any thread), 2 hold at the first node of the next backward,
                                         3 ask Python before each node whether to hold
     24  u64  heartbeat_ns   host → probe: CLOCK_MONOTONIC, at least every 20 ms while the host reads
     32  u64  dropped_events probe → host
     40  u64  cost_ns        probe → host: time spent in trackers and holds' bookkeeping
     48  u64  events         probe → host: records written
     56  u32  next_sequence  probe: number of the next block to lend
     60  u32  reader_present host → probe: 1 while somebody reads; 0: the oldest full blocks are reused (flight recorder)
     64  u32  breakpoints    host → probe: number of the newest list of breakpoints sent over the socket; the next node's thread reads it there

Block (``BLOCK_SIZE`` bytes), at HEADER_SIZE + n * BLOCK_SIZE::

      0  u32  state      0 free, 1 being written, 2 full (probe stores 1 and 2, reader stores 0 when it has read all of a full block),
                         3 being prepared: the header is neither the old lending's nor the new one's, and the reader leaves the block alone
      4  u32  kind       1 records, 2 definitions
      8  u32  thread     RecordFunction thread id
     12  u32  sequence   number of this lending (order in which blocks were taken)
     16  u32  committed  bytes of content that are whole; release store after each record
     20  u32  running_name      what the thread of a block that is being written runs now: its outermost operator, or the node around it; a string id
     24  u32  running_stack     its stack; of a node that of its forward operator
     28  u32  running_flags     1: it is a node
     32  i64  running_begin_ns  0: nothing runs; stored last
     40  u64  running_id        operator or node id
     64  …    content    records of 64 bytes, or definitions

The probe keeps at least ``DEFINITION_RESERVE`` blocks that only definitions may take; what does not fit then waits in its own memory, up to
16 MiB of it; what comes after that is dropped and counted.
"""

from typing import Final

MAGIC: Final = b"TSAREA01"
HEADER_SIZE: Final = 4096
BLOCK_SIZE: Final = 256 * 1024
BLOCK_HEADER_SIZE: Final = 64
DEFAULT_BLOCK_COUNT: Final = 255
DEFINITION_RESERVE: Final = 8

BLOCK_COUNT: Final = 12
ENABLED: Final = 16
ARMED: Final = 20
HEARTBEAT: Final = 24
DROPPED: Final = 32
COST: Final = 40
EVENTS: Final = 48
NEXT_SEQUENCE: Final = 56
READER_PRESENT: Final = 60
BREAKPOINTS: Final = 64

RUNNING_NAME: Final = 20
RUNNING_STACK: Final = 24
RUNNING_FLAGS: Final = 28
RUNNING_BEGIN: Final = 32
RUNNING_ID: Final = 40

BLOCK_FREE: Final = 0
BLOCK_WRITING: Final = 1
BLOCK_FULL: Final = 2
BLOCK_PREPARED: Final = 3

BLOCK_RECORDS: Final = 1
BLOCK_DEFINITIONS: Final = 2
