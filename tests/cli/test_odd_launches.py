"""``tensorscope record`` where something is odd: closed streams, scripts that are pipes, deleted folders. The script does as under plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tensorscope.cli.main import main
from tensorscope.errors import TensorScopeError
from tensorscope.export.files import write_atomically
from tensorscope.recording.reader import RecordingReader
from tensorscope.recording.writer import RecordingWriter

COMMAND = (sys.executable, "-c", "import sys; from tensorscope.cli.main import main; sys.exit(main())")
SPEAK = b"import os, sys\nprint(sys.argv, __file__, os.path.exists('/proc/self/fd/1'))\nsys.stderr and sys.stderr.write('said\\n')\n"


def both_ways(folder: Path, shell: str, script: str, *, input: bytes = b"") -> list[tuple[int, bytes, bytes]]:
    """How plain Python and ``tensorscope record`` end and what they say, each started by a line of shell with ``"$@"`` in it."""
    ways = ([sys.executable, script], [*COMMAND, "record", "-o", str(folder / "run.tscope"), script])
    done = [subprocess.run(["sh", "-c", shell, "sh", *way], input=input, capture_output=True, timeout=240, cwd=folder, check=False) for way in ways]
    return [(one.returncode, one.stdout, one.stderr) for one in done]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full"])
def test_closed_and_full_streams_are_as_they_are_without_us(tmp_path: Path, closed: str) -> None:
    (tmp_path / "train.py").write_bytes(SPEAK)
    plain, watched = both_ways(tmp_path, f'exec "$@" {closed}', "train.py")
    assert watched == plain
    with RecordingReader(tmp_path / "run.tscope") as reader:  # nothing the script printed went into it
        assert reader.facts()["is_ended"] is True


@pytest.mark.parametrize(
    ("shell", "script"),
    [
        ('exec "$@"', "/dev/stdin"),
        ('exec 5< train.py; exec "$@"', "/dev/fd/5"),
        ('mkfifo pipe 2>/dev/null; (cat train.py > pipe) & exec "$@"', "pipe"),
        ('mkdir gone; cd gone; rmdir ../gone; exec "$@"', "{folder}/train.py"),
    ],
)
def test_a_script_is_read_once_and_from_wherever_it_is(tmp_path: Path, shell: str, script: str) -> None:
    (tmp_path / "train.py").write_bytes(SPEAK)
    plain, watched = both_ways(tmp_path, shell, script.format(folder=tmp_path), input=SPEAK)
    assert watched == plain
    assert plain[0] == 0


def test_descriptors_that_the_shell_hands_on_reach_the_script(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import os\nos.write(7, b'here')\n")
    plain, watched = both_ways(tmp_path, 'exec 7> seven; "$@"; cat seven', "train.py")
    assert watched == plain == (0, b"here", b"")


@pytest.mark.parametrize("content", [bytes(range(256)), b"print('\xe9')\n", b"print(1)\0\n", b"\xef\xbb\xbfprint('bom')\n"])
def test_a_file_that_is_no_text_is_refused_in_pythons_own_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "train.py").write_bytes(content)
    plain, watched = both_ways(tmp_path, 'exec "$@"', "train.py")
    assert watched == plain


@pytest.mark.parametrize(("closed", "said"), [("2>&-", b""), ("2>/dev/full", b""), ("", b"tensorscope: There is no script gone .py.\n")])
def test_trouble_is_one_line_or_none_where_nobody_can_read_it(tmp_path: Path, closed: str, said: bytes) -> None:
    _, watched = both_ways(tmp_path, f'exec "$@" {closed}', "gone\n.py")
    assert watched == (2, b"", said)


def test_a_pipe_is_neither_read_as_a_recording_nor_replaced_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.tscope"
    os.mkfifo(pipe)
    with pytest.raises(TensorScopeError, match="is no recording; choose another name"):
        RecordingWriter(pipe)
    with pytest.raises(TensorScopeError, match="no ordinary file"):
        write_atomically(pipe, Path.touch)
    assert main(["query", str(pipe), "summary"]) == 2
    assert "is no file" in capsys.readouterr().err
    assert pipe.is_fifo()
