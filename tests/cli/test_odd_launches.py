"""``tensorscope record`` where something is odd: closed streams, scripts that are pipes, deleted folders. The script does as under plain Python."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorscope.cli.main import main
from tensorscope.errors import TensorScopeError
from tensorscope.export.files import write_atomically
from tensorscope.recording.reader import RecordingReader
from tensorscope.recording.writer import RecordingWriter
from tensorscope.session.replay import ReplaySession
from tensorscope.viewmodel.inspector_run import run_page

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
        ('exec "$@"', "-"),
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


@pytest.mark.parametrize("script", [b"print(1)\n", b"import torch\n"])
def test_a_script_from_standard_input_has_the_name_that_python_gives_it(tmp_path: Path, script: bytes) -> None:
    both_ways(tmp_path, 'exec "$@"', "-", input=script)
    session = ReplaySession(tmp_path / "run.tscope")
    session.close()
    assert (session.title, run_page(session.snapshot()).title) == ("<stdin>", "<stdin>")


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


def make_zip(folder: Path) -> str:
    with zipfile.ZipFile(folder / "app.pyz", "w") as archive:
        archive.writestr("__main__.py", "import sys, other\nprint(sys.argv, other.SAID, __name__, __spec__.name)\n")
        archive.writestr("other.py", "SAID = 'from the zip'\n")
    return "app.pyz"


def make_folder(folder: Path) -> str:
    (folder / "app").mkdir()
    (folder / "app" / "__main__.py").write_text("import sys\nprint(sys.argv, sys.path[0], __name__)\n")
    return "app"


def make_link(folder: Path) -> str:
    (folder / "deep").mkdir()
    (folder / "deep" / "real.py").write_text("import sys, beside\nprint(sys.argv, sys.path[0], __file__, beside.SAID)\n")
    (folder / "deep" / "beside.py").write_text("SAID = 'beside the real file'\n")
    (folder / "link.py").symlink_to("deep/real.py")
    return "link.py"


def make_odd_name(folder: Path) -> str:
    (folder / "träin ing\tü.py").write_text("import sys\nprint(sys.argv)\n1 / 0\n")
    return "träin ing\tü.py"


def make_latin(folder: Path) -> str:
    (folder / "latin.py").write_bytes("# coding: latin-1\nprint(ascii('é'))\nraise ValueError('é')\n".encode("latin-1"))
    return "latin.py"


@pytest.mark.parametrize("make", [make_zip, make_folder, make_link, make_odd_name, make_latin])
def test_a_script_may_be_an_archive_a_folder_a_link_or_have_any_name(tmp_path: Path, make: Callable[[Path], str]) -> None:
    plain, watched = both_ways(tmp_path, 'exec "$@"', make(tmp_path))
    assert watched == plain
    assert plain[1]


def test_an_interpreter_may_be_a_link_into_a_prefix_or_a_shim(tmp_path: Path) -> None:
    """As conda's prefixes have it (bin/python, no pyvenv.cfg), and as pyenv starts one."""
    (tmp_path / "train.py").write_text("print('ran')\n")
    (tmp_path / "prefix" / "bin").mkdir(parents=True)
    (tmp_path / "prefix" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    shim = tmp_path / "shim"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    shim.chmod(0o755)
    for interpreter in (tmp_path / "prefix" / "bin" / "python", shim):
        command = [*COMMAND, "record", "-o", str(tmp_path / "run.tscope"), "--python", str(interpreter), "train.py"]
        done = subprocess.run(command, capture_output=True, timeout=240, cwd=tmp_path, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"ran\n", b"")
