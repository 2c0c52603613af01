"""What the probe holds is bounded: full tables take in nothing more, and say so once."""

import json
import struct

from tensorscope.protocol.records import DefinitionKind, RecordKind
from tests.probe.running import record


def body_of(payload: bytes) -> bytes:
    """The JSON of a message in one part."""
    (length,) = struct.unpack_from("<I", payload, 8)
    return bytes(payload[12 : 12 + length])


def test_full_tables_take_in_no_more_names_shapes_and_functions_and_say_so_once() -> None:
    code = """
    start(most_entries=40)
    for number in range(100):
        with torch.profiler.record_function(f"step {number}"):
            torch.ones(number + 1).neg()
    for number in range(30):
        exec(f"def made_{number}(): torch.ones(1).abs()\\nmade_{number}()")
    probe.stop()
    """
    _, recorded = record(code)
    defined = {kind: len(recorded.definitions[kind]) for kind in (DefinitionKind.STRING, DefinitionKind.SHAPE, DefinitionKind.CODE)}
    assert defined == {DefinitionKind.STRING: 40, DefinitionKind.SHAPE: 40, DefinitionKind.CODE: 5}  # of functions an eighth
    assert any(row["shape"] == 0 for row in recorded.records[RecordKind.TENSOR])
    told = [json.loads(body_of(message)) for message in recorded.messages]
    assert sorted(message["tracker"] for message in told) == ["functions in stacks", "names", "shapes"]
    assert "more than 40 (or 5 KiB) of them" in told[0]["reason"]


def test_a_full_table_of_graphs_gives_a_shape_that_comes_again_a_new_number() -> None:
    code = """
    start(most_entries=16)  # of graphs an eighth: two
    def backward(nodes):
        y = torch.ones(1, requires_grad=True)
        for _ in range(nodes):
            y = y.neg()
        y.backward()
    for nodes in (1, 2, 1, 2, 3, 1):
        backward(nodes)
    probe.stop()
    """
    _, recorded = record(code)
    assert [recorded.backward(number)[0] for number in range(1, 7)] == [1, 2, 1, 2, 3, 4]
    assert [len(recorded.graph(number)[0]) for number in range(1, 5)] == [2, 3, 4, 2]
