"""What a script prints is taken down, and the script prints what it prints without us: into pipes, files and terminals, fast, slow and in the end."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import textwrap
from pathlib import Path

import pytest

from tensorscope.session.output import Piece
from tensorscope.session.output_log import FIRST_BYTES, LAST_BYTES, OutputLog
from tests.support.fake_run import wait_until

ROOT = Path(__file__).resolve().parents[2]
HOST = """
import json, subprocess, sys
sys.path.insert(0, {root!r})
from tensorscope.session.output import OutputCapture
told = []
capture = OutputCapture(told.extend)
script = subprocess.Popen([sys.executable, "script.py"], stdout=capture.stdout, stderr=capture.stderr)
capture.started()
open("pid", "w").write(str(script.pid))
code = script.wait()
capture.drain()
capture.close()
json.dump([[piece.stream, piece.data.decode("latin-1"), piece.untold, piece.time_ns] for piece in told], open("told", "w"))
sys.exit(code if code >= 0 else 128 - code)
"""
TALK = """
import os, sys
print("one", sys.stdout.isatty(), sys.stderr.isatty())
print("two", file=sys.stderr)
sys.stdout.flush()
os.write(2, b"\\xff raw\\n")
try:
    print(*os.get_terminal_size())
except OSError as error:
    print(error)
sys.stdout.flush()
os.write(1, b"unflushed is lost, written is not\\n")
print("lost", end="")
os._exit(3)
"""


def prepare(folder: Path, script: str) -> list[str]:
    (folder / "script.py").write_text(textwrap.dedent(script))
    (folder / "host.py").write_text(HOST.format(root=str(ROOT)))
    return [sys.executable, "host.py"]


def told(folder: Path) -> dict[str, bytes]:
    """All that was told of each stream."""
    found: dict[str, bytes] = {}
    for stream, text, untold, _ in json.loads((folder / "told").read_text()):
        assert untold == 0
        found[stream] = found.get(stream, b"") + text.encode("latin-1")
    return found


def plain(folder: Path, **how: object) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, "script.py"], cwd=folder, check=False, timeout=240, **how)  # type: ignore[call-overload,no-any-return]


def test_pipes_get_the_same_bytes_each(tmp_path: Path) -> None:
    command = prepare(tmp_path, TALK)
    wanted = plain(tmp_path, capture_output=True)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=240, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, wanted.stdout, wanted.stderr)
    assert told(tmp_path) == {"stdout": wanted.stdout, "stderr": wanted.stderr}


def test_where_both_are_one_their_order_stays(tmp_path: Path) -> None:
    command = prepare(tmp_path, TALK)
    wanted = plain(tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240, check=False)
    assert done.stdout == wanted.stdout
    assert told(tmp_path) == {"both": wanted.stdout}


def test_a_file_is_the_scripts_own(tmp_path: Path) -> None:
    command = prepare(tmp_path, TALK)
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        out.write(b"before\n")
        out.flush()
        assert subprocess.run(command, cwd=tmp_path, stdout=out, stderr=err, timeout=240, check=False).returncode == 3
    wanted = plain(tmp_path, capture_output=True)
    assert (tmp_path / "out").read_bytes() == b"before\n" + wanted.stdout
    assert (tmp_path / "err").read_bytes() == wanted.stderr
    assert told(tmp_path) == {"stdout": wanted.stdout, "stderr": wanted.stderr}


def test_a_terminal_stays_one_of_the_same_size(tmp_path: Path) -> None:
    def on_terminal(command: list[str]) -> bytes:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 22, 91, 0, 0))
        process = subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        shown = b""
        while select.select([ours], [], [], 240)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:
                break
        process.wait()
        os.close(ours)
        return shown

    command = prepare(tmp_path, TALK)
    wanted = on_terminal([sys.executable, "script.py"])
    assert b"91 22" in wanted
    assert b"one True True\r\n" in wanted
    assert on_terminal(command) == wanted
    assert told(tmp_path) == {"both": wanted.replace(b"\r\n", b"\n")}


def test_a_flood_arrives_whole(tmp_path: Path) -> None:
    command = prepare(tmp_path, "import os\nline = bytes(range(32, 127)) * 100\nfor _ in range(4000): os.write(1, line)\n")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=240, check=False)
    assert done.stdout == bytes(range(32, 127)) * 400_000


def test_whoever_reads_no_further_is_a_broken_pipe_to_the_script(tmp_path: Path) -> None:
    command = prepare(tmp_path, "import signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\nwhile True: print('y' * 100, flush=True)\n")
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(240) == 128 + signal.SIGPIPE


def test_a_script_that_closes_its_output_runs_on(tmp_path: Path) -> None:
    command = prepare(tmp_path, "import os\nos.write(1, b'bye\\n')\nos.close(1)\nos.close(2)\nopen('ran', 'w').write('on')\n")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=240, check=False)
    assert (done.returncode, done.stdout) == (0, b"bye\n")
    assert (tmp_path / "ran").read_text() == "on"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_host_that_is_killed_or_stopped_takes_no_output_along(tmp_path: Path, number: signal.Signals) -> None:
    script = """
        import os, time
        print('ready', flush=True)
        while not os.path.exists('go'):
            time.sleep(0.01)
        for n in range(2000):
            print(n, 'x' * 1000, flush=True)
    """
    command = prepare(tmp_path, script)
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    process.send_signal(number)
    (tmp_path / "go").touch()
    lines = [process.stdout.readline() for _ in range(2000)]
    assert lines[-1] == b"1999 " + b"x" * 1000 + b"\n"
    if number == signal.SIGSTOP:
        process.send_signal(signal.SIGCONT)
    assert process.stdout.read() == b""
    process.stdout.close()
    process.wait(240)
    pid = int((tmp_path / "pid").read_text())
    wait_until(lambda: not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2])


def test_what_is_left_running_below_the_script_may_print_on(tmp_path: Path) -> None:
    child = "import time, os\nwhile not os.path.exists('go'): time.sleep(0.01)\nprint('late')"
    command = prepare(tmp_path, f"import subprocess, sys\nprint('early', flush=True)\nsubprocess.Popen([sys.executable, '-c', {child!r}])\n")
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.wait(240) == 0, "the host waits for the script, not for what it left"
    (tmp_path / "go").touch()
    assert process.stdout.read() == b"early\nlate\n"
    process.stdout.close()
    assert told(tmp_path) == {"stdout": b"early\n"}


def piece(data: bytes, time_ns: int = 5, stream: str = "stdout") -> Piece:
    return Piece(stream, time_ns, data, 0)


def test_a_character_cut_in_two_is_whole_again() -> None:
    log = OutputLog()
    (message,) = log.messages([piece("ü".encode()[:1]), piece("ü".encode()[1:] + b"x\xff", 9)])
    assert message == {"type": "output", "time_ns": 5, "pieces": [[0, "stdout", "", 0], [4, "stdout", "üx�", 0]]}


def test_of_a_flood_the_beginning_and_the_end_are_kept_and_the_rest_counted() -> None:
    log = OutputLog()
    block = b"a" * (FIRST_BYTES // 16)
    for _ in range(16):
        assert log.messages([piece(block)])
    for number in range(100):
        assert not log.messages([piece(bytes([65 + number % 26]) * (LAST_BYTES // 4), number)])
    (last,) = log.last()
    assert [entry[3] for entry in last["pieces"]] == [96 * LAST_BYTES // 4, 0, 0, 0]
    assert [entry[2][:1] for entry in last["pieces"]] == [chr(65 + number % 26) for number in range(96, 100)]
    assert log.last() == []
