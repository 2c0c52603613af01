"""What a killed process was running, as open rows: its operators and nodes are written when they end, so the rings alone tell of finished ones."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from tensorscope.protocol import area
from tensorscope.protocol.records import RecordKind, Scope
from tensorscope.session.area_map import Chunk, Running
from tensorscope.trace.ingest import RECORD_TYPES

NODE_ID_BIT: Final = 1 << 39
"""Added to a node's id: the row stands beside the node's own, which may have been told at a hold."""


def open_rows(running: Iterable[Running]) -> Iterator[Chunk]:
    """An OPERATOR record each, with end 0, as if the probe had told it: a node as the backward function of its name, with its forward stack."""
    for one in running:
        record = np.zeros(1, RECORD_TYPES[RecordKind.OPERATOR])
        record["scope"] = Scope.BACKWARD_FUNCTION if one.is_node else Scope.FUNCTION
        record["name"] = one.name
        record["id"] = one.id | (NODE_ID_BIT if one.is_node else 0)
        record["begin_ns"] = one.begin_ns
        record["sequence_nr"] = -1
        record["stack"] = one.stack
        record.view(np.uint8)[0] = RecordKind.OPERATOR
        yield Chunk(area.BLOCK_RECORDS, one.thread, record.tobytes())
