"""Preparing the probe: one build at a time, of the source it is named after, and nothing left running or lying about."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.session.build import ANY, BUILD_SCRIPT, NATIVE, PYTHON, PYTHON_PROBE, find_probe
from tensorscope.session.probe_shelf import ProbeShelf
from tests.support.fake_run import PATIENCE_S, is_running, wait_until

COMPILER = """#!/bin/sh
echo $$ >> {folder}/started
{wait}
while [ "$1" != -o ]; do shift; done
echo built > "$2"
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a compiler that writes its pid into ``tmp_path/started``, does nothing for as long as ``slow`` says, and "builds"."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CXX", str(tmp_path / "compiler"))
    use_compiler(tmp_path, "true")
    return tmp_path / "cache" / "tensorscope" / "probe"


def use_compiler(folder: Path, wait: str) -> None:
    (folder / "compiler").write_text(COMPILER.format(folder=folder, wait=wait))
    (folder / "compiler").chmod(0o755)


def start_build() -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, str(BUILD_SCRIPT)], stdout=subprocess.PIPE, start_new_session=True)


def answer(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    output, _ = process.communicate(timeout=PATIENCE_S)
    return dict(json.loads(output))


def compilers(folder: Path) -> list[int]:
    path = folder / "started"
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def has_asked_for_the_lock(process: "subprocess.Popen[bytes]") -> bool:
    return any(os.path.basename(os.path.realpath(link)) == "lock" for link in Path(f"/proc/{process.pid}/fd").iterdir())


def test_of_two_builds_at_once_one_compiles_and_both_have_the_library(cache: Path, tmp_path: Path) -> None:
    use_compiler(tmp_path, f"while [ ! -e {tmp_path}/go ]; do sleep 0.02; done")
    first, second = start_build(), start_build()
    wait_until(lambda: has_asked_for_the_lock(first) and has_asked_for_the_lock(second) and compilers(tmp_path))
    (tmp_path / "go").touch()
    answers = [answer(first), answer(second)]
    assert len(compilers(tmp_path)) == 1
    assert [one["state"] for one in answers] == ["built", "built"]
    assert Path(answers[0]["library"]) == Path(answers[1]["library"])
    assert Path(answers[0]["library"]).read_text() == "built\n"


def test_nothing_but_library_log_and_lock_is_left(cache: Path, tmp_path: Path) -> None:
    library = Path(answer(start_build())["library"])
    assert sorted(path.name for path in library.parent.iterdir()) == sorted(["build.log", "lock", library.name, f"{library.name}.sha256"])


@pytest.mark.parametrize("left", [b"", b"bui", b"BUILT\n"])
def test_an_empty_or_damaged_library_is_built_again(cache: Path, tmp_path: Path, left: bytes) -> None:
    library = Path(answer(start_build())["library"])
    library.write_bytes(left)
    assert not find_probe(sys.executable).is_built
    assert answer(start_build())["state"] == "built"
    assert library.read_text() == "built\n"


def test_a_cancelled_build_ends_its_compiler_and_the_next_one_begins_anew(cache: Path, tmp_path: Path) -> None:
    use_compiler(tmp_path, "sleep 600")
    probe = find_probe(sys.executable)
    assert probe.build(lambda: bool(compilers(tmp_path))) is None
    wait_until(lambda: not is_running(compilers(tmp_path)[0]))
    use_compiler(tmp_path, "true")
    assert probe.build(lambda: False) == probe.path
    assert not list(cache.glob("*/build-*"))


def test_a_compiler_does_not_outlive_the_host_that_asked_for_it(cache: Path, tmp_path: Path) -> None:
    use_compiler(tmp_path, "sleep 600")
    host = subprocess.Popen([sys.executable, "-c", "import sys; from tensorscope.session.build import find_probe; find_probe(sys.executable).build(bool)"])
    with host:
        wait_until(lambda: compilers(tmp_path))
        host.kill()
    wait_until(lambda: not is_running(compilers(tmp_path)[0]))
    time.sleep(0.1)
    assert [pid for pid in compilers(tmp_path) if is_running(pid)] == []


@pytest.mark.parametrize(
    ("compiler", "sentence"),
    [
        ("echo probe.cpp:7: error: broken >&2; echo 1 error generated. >&2; exit 1", "(1 error generated.); the compiler's output is in "),
        ("echo No space left on device; exit 1", "set XDG_CACHE_HOME to a folder with room"),
    ],
)
def test_a_compiler_that_fails_is_a_sentence(cache: Path, tmp_path: Path, compiler: str, sentence: str) -> None:
    use_compiler(tmp_path, compiler)
    told = answer(start_build())
    assert told["state"] == "error"
    assert sentence in told["message"]


def test_where_the_cache_cannot_be_written_a_temporary_folder_of_ones_own_serves(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    told = answer(start_build())
    assert (told["state"], Path(told["library"]).parents[2]) == ("built", tmp_path / f"tensorscope-{os.getuid()}")
    assert find_probe(sys.executable).path == Path(told["library"])
    os.chmod(tmp_path / f"tensorscope-{os.getuid()}", 0o777)  # somebody else could have put a library there
    told = answer(start_build())
    assert told["error"] == "cannot_write"
    assert "not a directory" in told["message"]


def test_where_the_native_probe_cannot_be_built_the_one_in_python_serves(cache: Path, tmp_path: Path) -> None:
    use_compiler(tmp_path, "echo fatal error: no room >&2; exit 1")
    probe = find_probe(sys.executable)
    assert (probe.is_built, probe.note) == (False, "")
    assert probe.build(lambda: False) == PYTHON_PROBE
    assert "(fatal error: no room)" in probe.note
    with pytest.raises(TensorScopeError, match="no room"):
        find_probe(sys.executable, NATIVE).build(lambda: False)


def test_without_a_compiler_python_serves_unless_native_is_demanded(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", "")
    probe = find_probe(sys.executable)
    assert (probe.is_built, probe.path) == (True, PYTHON_PROBE)
    assert probe.note.startswith("No C++ compiler was found; install the package g++.")
    assert find_probe(sys.executable, PYTHON).note == ""  # asked for
    with pytest.raises(TensorScopeError, match=r"install the package g\+\+"):
        find_probe(sys.executable, NATIVE)


def test_what_is_demanded_counts_for_every_interpreter_of_a_job(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", "")

    def path(wanted: str) -> Path | None:
        return ProbeShelf("another", None, wanted).path(sys.executable, lambda: None, lambda: False)

    assert path(PYTHON) == path(ANY) == PYTHON_PROBE
    with pytest.raises(TensorScopeError, match=r"install the package g\+\+"):
        path(NATIVE)


def test_a_compiler_that_hangs_is_ended_and_python_serves(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_compiler(tmp_path, "sleep 600")
    probe = find_probe(sys.executable)
    monkeypatch.setattr("tensorscope.session.build.BUILD_TIMEOUT_S", 0)
    assert probe.build(lambda: False) == PYTHON_PROBE
    assert probe.note.startswith("The compiler did not end within ")
    wait_until(lambda: not any(is_running(pid) for pid in compilers(tmp_path)))
