"""Programs that a watched script starts, in every way that Python has: each finds the host's door, and neither they nor the script see it."""

import subprocess
import sys
from pathlib import Path

COMMAND = (sys.executable, "-c", "import sys; from tensorscope.cli.main import main; sys.exit(main())")
PROGRAM = """
import os, sys
unseen = {"time", "handing_on", "subprocess", "_posixsubprocess", "sitecustomize"}
door = [entry for entry in open("/proc/self/environ", "rb").read().split(b"\\0") if entry.startswith(b"TENSORSCOPE_DOOR=")]
print(os.environ["WAY"], sorted(os.environ.items()), os.execve in os.supports_fd, sorted(unseen & set(sys.modules)), sys.path)
with open("doors", "a") as file:
    print(os.environ["WAY"], len(door), file=file)
"""
SCRIPT = """
import os, sys
print(sorted(os.environ.items()), "subprocess" in sys.modules, "_posixsubprocess" in sys.modules, os.execve in os.supports_fd)
import multiprocessing, subprocess

words = [sys.executable, "program.py"]

def way(name, **changes):
    return {**os.environ, "WAY": name, **changes}

def main():
    sys.stdout.flush()
    subprocess.run(words, env=way("a copy"))
    subprocess.run(words, env=way("a copy with a path", PYTHONPATH="/elsewhere"))
    subprocess.run(words, env={"WAY": "an environment of its own"})
    os.spawnve(os.P_WAIT, words[0], words, way("spawnve"))
    os.waitpid(os.posix_spawn(words[0], words, way("posix_spawn")), 0)
    os.environ["WAY"] = "inherited"
    subprocess.run(words)
    subprocess.run(words, close_fds=False)
    os.system(" ".join(words))
    os.environ["PYTHONPATH"] = "/changed"
    subprocess.run(words)
    nested = "import os, subprocess, sys; subprocess.run([sys.executable, 'program.py'], env={**os.environ, 'WAY': 'below another'})"
    subprocess.run([sys.executable, "-c", nested])
    os.execve("no such program", words, way("none"))

if __name__ == "__main__":
    main()
"""


def test_what_a_script_starts_finds_the_door_and_no_environment_shows_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "train.py").write_text(SCRIPT)
    ways = ([sys.executable, "train.py"], [*COMMAND, "record", "-o", "run.tscope", "train.py"])
    plain, watched = (subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False) for words in ways)
    assert (watched.returncode, watched.stdout.splitlines(), watched.stderr) == (plain.returncode, plain.stdout.splitlines(), plain.stderr)
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'no such program'" in plain.stderr
    doors = [line.rsplit(" ", 1) for line in (tmp_path / "doors").read_text().splitlines()]
    programs = len(doors) // 2
    assert programs == 10
    assert {count for _, count in doors[:programs]} == {"0"}
    assert [name for name, count in doors[programs:] if count == "1"] == [name for name, _ in doors[:programs]]
