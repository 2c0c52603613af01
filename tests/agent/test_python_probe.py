"""The probe in Python by itself: its interface, its bytes, and the frames that nobody sees. (What scripts notice of it: tests/wild/test_python_probe.py.)"""

import ast
import inspect
import os
import socket
import struct
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

import pytest

from tensorscope.agent.control import make_area
from tensorscope.agent.python_probe.area import AreaWriter
from tensorscope.agent.python_probe.definitions import Definitions
from tensorscope.agent.python_probe.hidden import hide
from tensorscope.agent.python_probe.locals import frame_locals
from tensorscope.agent.python_probe.probe import PythonProbe
from tensorscope.protocol.definitions import split_definitions
from tensorscope.protocol.records import LAYOUT, RECORD_SIZE, DefinitionKind, RecordKind
from tensorscope.session.area_map import AreaMap
from tensorscope.session.launch import BOOTSTRAP
from tensorscope.trace.told import MessageParts

STUB = Path(__file__).resolve().parents[2] / "tensorscope/agent/probe/_probe.pyi"
NOT_COMPARED = {"record_layout", "now_ns"}


def parameters(function: ast.FunctionDef) -> list[str]:
    return [one.arg for one in (*function.args.args, *function.args.kwonlyargs) if one.arg != "self"]


def test_it_offers_what_the_native_probe_offers() -> None:
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef):
            assert hasattr(PythonProbe, node.name)
        elif isinstance(node, ast.FunctionDef) and node.name not in NOT_COMPARED:
            offered = [name for name in inspect.signature(getattr(PythonProbe, node.name)).parameters if name != "self"]
            assert len(offered) == len(parameters(node)), node.name


def area(blocks: int = 16) -> tuple[AreaWriter, AreaMap]:
    made = make_area(blocks)
    assert made is not None
    writer, reader = AreaWriter(made.descriptor, made.size), AreaMap(made.descriptor)
    made.close()
    return writer, reader


def test_what_is_written_is_read_in_order_and_blocks_come_back() -> None:
    writer, reader = area()
    records = [bytes([RecordKind.MARK]) + struct.pack("<q", number) + bytes(RECORD_SIZE - 9) for number in range(20_000)]  # 1.2 MB: five blocks
    found = b""
    for at in range(0, len(records), 5_000):
        writer.records(1, b"".join(records[at : at + 5_000]))
        found += b"".join(chunk.content for chunk in reader.collect())
    assert found == b"".join(records)
    reader.close()


def test_without_a_reader_the_oldest_records_go_and_are_counted() -> None:
    writer, reader = area()
    for _ in range(40):
        writer.records(1, bytes(256 * 1024 // RECORD_SIZE // 2 * RECORD_SIZE))
    kept = sum(len(chunk.content) for chunk in reader.collect()) // RECORD_SIZE
    assert reader.counter(32) == 40 * 2048 - kept > 0  # DROPPED
    reader.close()


def test_a_long_message_and_a_long_definition_come_in_parts() -> None:
    writer, reader = area()
    definitions = Definitions(writer)
    body = bytes(range(256)) * 4_000
    definitions.message(body)
    definitions.string("x" * 300_000)
    parts, whole, kinds = MessageParts(), None, []
    for chunk in reader.collect():
        for definition in split_definitions(chunk.content):
            kinds.append(definition.kind)
            if definition.kind is DefinitionKind.MESSAGE:
                whole = parts.add(definition.id, definition.payload) or whole
    assert whole == body
    assert kinds.count(DefinitionKind.PART) == 2
    reader.close()


@pytest.mark.parametrize("kind", [RecordKind.OPERATOR, RecordKind.TENSOR, RecordKind.NODE, RecordKind.MODULE_CALL, RecordKind.MARK, RecordKind.GRADIENT])
def test_its_records_have_the_layout_of_the_protocol(kind: RecordKind) -> None:
    from tensorscope.agent.python_probe import backwards, modules, operators, probe, tensors

    made = {
        RecordKind.OPERATOR: operators.OPERATOR,
        RecordKind.TENSOR: tensors.TENSOR,
        RecordKind.NODE: backwards.NODE,
        RecordKind.MODULE_CALL: modules.MODULE_CALL,
        RecordKind.MARK: probe.MARK,
        RecordKind.GRADIENT: probe.GRADIENT,
    }[kind]
    count = len(made.unpack(bytes(made.size)))
    numbered = made.pack(kind, *range(1, count))
    read = [struct.unpack_from("<" + letter(field.type), numbered, field.offset)[0] for field in LAYOUT[kind]]
    assert read == list(range(1, count))
    assert len(numbered) == RECORD_SIZE


def letter(kind: str) -> str:
    return {"u1": "B", "i1": "b", "u2": "H", "u4": "I", "u8": "Q", "i8": "q", "f8": "d"}[kind]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 cannot hide frames")
def test_a_hidden_frame_is_in_no_traceback_no_stack_and_no_warning() -> None:
    def show() -> list[str]:
        warnings.warn("here", stacklevel=2)
        return [frame.function for frame in inspect.stack()]

    def between() -> list[str]:
        return show()

    def fails() -> None:
        raise ValueError("fails")

    def passes() -> None:
        fails()

    with pytest.warns(UserWarning, match="here") as told:
        assert hide(between)()[:2] == ["show", inspect.currentframe().f_code.co_name]  # type: ignore[union-attr]
    assert told[0].lineno == inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="fails") as caught:
        hide(passes)()
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][-1] == "fails"
    assert "passes" not in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 gives no names of locals without leaving a trace")
def test_locals_are_read_without_a_snapshot_that_keeps_them_alive() -> None:
    def function(argument: object) -> dict[str, object]:
        local, of_a_cell = "local", "cell"
        frame = inspect.currentframe()
        assert frame is not None

        def inner() -> str:
            return of_a_cell

        found = frame_locals(frame)
        del frame, local
        return {name: value for name, value in found.items() if isinstance(value, (str, int))} | {"inner": inner()}

    assert function(1) == {"argument": 1, "local": "local", "of_a_cell": "cell", "inner": "cell"}


def test_the_area_takes_no_descriptor_of_the_script() -> None:
    made = make_area(16)
    assert made is not None
    before = os.listdir("/proc/self/fd")
    writer = AreaWriter(made.descriptor, made.size)
    assert os.listdir("/proc/self/fd") == before
    assert writer.is_on()
    made.close()


def test_it_is_there_in_an_environment_without_tensorscope(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('ran')\n")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        words = [sys.executable, "-S", str(BOOTSTRAP), "--control-fd", str(theirs.fileno()), "--probe", "python", "--", "train.py"]
        done = subprocess.run(words, cwd=tmp_path, pass_fds=[theirs.fileno()], capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"ran\n", b"")
        ours.setblocking(False)
        assert b'"probe":"python"' in ours.recv(1 << 16)
