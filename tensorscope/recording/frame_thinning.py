"""What is left of the frames of old iterations when a recording outgrows its budget without any detail in it: each pass lets go of about half.

Of gradients and histograms every second backward stays, of two the more telling one; of marks every second backward's; of allocations what outlives its frame
or is large; of definitions all but looks at storages, then all but every second backward and iteration. Strings, shapes, stacks and graphs stay.
"""

import json
import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.errors import ProtocolError
from tensorscope.protocol.definitions import ENTRY_HEADER, Definition, split_definitions
from tensorscope.protocol.frames import bytes_frame, decode_frame, encode_frame
from tensorscope.protocol.records import DefinitionKind, MarkKind
from tensorscope.recording.batches import batch_of_frame, frame_of_batches
from tensorscope.trace.clock import FOREVER
from tensorscope.trace.ingest import Batch, batch_of_whole, whole_records
from tensorscope.trace.retention import is_short_and_small
from tensorscope.trace.schema import ALLOCATIONS, GRADIENTS, HISTOGRAMS, MARKS
from tensorscope.trace.thinning import equal_scores, gradient_scores, kept_rows
from tensorscope.trace.told import PART_HEAD

THINNED: Final = (GRADIENTS.name, HISTOGRAMS.name, MARKS.name, ALLOCATIONS.name, "definitions")
KEPT_MARKS: Final = (MarkKind.HOLD, MarkKind.EXCEPTION)


def thinned(payload: bytes, dropped_messages: set[int]) -> bytes:
    """The frame with less in it; ``dropped_messages`` are the numbers of those whose first part went in an earlier frame of the same process."""
    try:
        frame = decode_frame(payload)
        if frame.kind == "definitions":
            content = thinned_definitions(bytes(frame.columns[0].data), dropped_messages)
            about: dict[str, Any] = {"rank": frame.rank, "iteration": frame.iteration}
            return encode_frame(bytes_frame("definitions", content, **about))
        batch = batch_of_frame(frame)
    except ProtocolError:  # damaged: it is told when it is read
        return payload
    stays = _kept(batch)
    left = batch_of_whole(batch.table, whole_records(batch)[stays], batch.columns["thread"][stays], frame.rank)
    return encode_frame(frame_of_batches([left], frame.iteration, frame.last_iteration))


def thinned_definitions(content: bytes, dropped_messages: set[int]) -> bytes:
    """A block of definitions without looks at storages and details of graphs; where it has none any more, with every second backward and iteration."""
    entries = list(split_definitions(content))
    heads = [_message_head(entry, dropped_messages) for entry in entries]
    has_looks = any(head in ("storages", "graph_details", "dropped") for head in heads)
    left = []
    kinds = ["backward" if entry.kind is DefinitionKind.BACKWARD else head for entry, head in zip(entries, heads, strict=True)]
    turns = {kind: kinds.count(kind) for kind in ("backward", "iteration")}
    for entry, head, kind in zip(entries, heads, kinds, strict=True):
        goes = head in ("storages", "graph_details", "dropped")
        if not has_looks and kind in turns:
            turns[kind] -= 1
            goes = turns[kind] % 2 == 1  # the last one stays
        if goes and head == "storages":
            dropped_messages.add(entry.id)
        if not goes:
            left.append(_entry(entry))
    return b"".join(left)


def _kept(batch: Batch) -> NDArray[np.bool_]:
    columns = batch.columns
    if batch.table is ALLOCATIONS:
        return ~is_short_and_small(columns["action"], columns["address"], columns["size"])
    if batch.table is MARKS:
        turn = np.cumsum(columns["mark"] == MarkKind.BACKWARD)
        stays: NDArray[np.bool_] = ((turn.max(initial=0) - turn) % 2 == 0) | np.isin(columns["mark"], KEPT_MARKS)
        return stays
    score = gradient_scores if batch.table is GRADIENTS else equal_scores
    return kept_rows(columns["backward"].astype(np.int64), score(columns), batch.rows // 2, 0, FOREVER)


def _message_head(entry: Definition, dropped: set[int]) -> str:
    """The type of a message of one part, or of which this is the first; "dropped" for a further part of one that is gone; "" for anything else."""
    if entry.kind is not DefinitionKind.MESSAGE or len(entry.payload) < PART_HEAD.size:
        return ""
    part, parts, length = PART_HEAD.unpack_from(entry.payload)
    body = entry.payload[PART_HEAD.size : PART_HEAD.size + length]
    if part:
        return "dropped" if entry.id in dropped else ""
    if parts == 1:
        try:
            told = json.loads(body)
        except ValueError:
            return ""
        is_kept_look = told.get("type") == "storages" and told.get("reason") != "iteration"
        return "" if is_kept_look else str(told.get("type"))
    return "storages" if b'"storages"' in body[:200] and re.search(rb'"reason": ?"iteration"', body[:400]) else ""


def _entry(entry: Definition) -> bytes:
    return ENTRY_HEADER.pack(ENTRY_HEADER.size + len(entry.payload), entry.kind, entry.id, 0) + entry.payload
