"""Building the probe: what keeps it from being built is one sentence, and builds at once do no harm. A script stands in for the compiler."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from tensorscope.agent import build
from tests.probe.running import BUILD

COUNTING_COMPILER = """#!/bin/sh
echo called >> "{folder}/calls"
sleep 0.3
while [ "$1" != "-o" ]; do shift; done
echo library > "$2"
"""


def run_build(cache: Path, *options: str, flags: tuple[str, ...] = (), **variables: str) -> dict[str, Any]:
    command = [sys.executable, *flags, str(BUILD), "--cache", str(cache), *options]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, check=False)
    result: dict[str, Any] = json.loads(done.stdout)
    assert done.stderr == ""
    assert done.returncode == (1 if result["state"] == "error" else 0)
    return result


def compiler(folder: Path, text: str) -> str:
    path = folder / "compiler"
    path.write_text(text.format(folder=folder), encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_without_a_compiler_it_says_what_to_install_before_any_launch(tmp_path: Path) -> None:
    for options in ((), ("--check",)):
        result = run_build(tmp_path, *options, PATH=str(tmp_path), CXX="")
        assert (result["error"], result["message"]) == ("no_compiler", "No C++ compiler was found; install the package g++.")


def test_without_torch_it_names_the_interpreter(tmp_path: Path) -> None:
    result = run_build(tmp_path, flags=("-S", "-E"))
    assert result["error"] == "no_torch"
    assert sys.executable in result["message"]


def test_without_python_headers_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = sysconfig.get_paths
    monkeypatch.setattr(sysconfig, "get_paths", lambda *arguments: {**real(*arguments), "include": str(tmp_path)})
    result = build.build(tmp_path / "cache", is_check=True)
    assert (result.error, result.message.endswith("install the package python3-dev.")) == ("no_python_headers", True)


def test_a_cache_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("")
    result = run_build(tmp_path / "in the way" / "cache")
    assert result["error"] == "cannot_write"
    assert "in the way" in result["message"]


def test_a_failing_compiler_leaves_its_output_in_a_log_and_nothing_else(tmp_path: Path) -> None:
    result = run_build(tmp_path / "cache", CXX=compiler(tmp_path, "#!/bin/sh\necho this is not C++ >&2\nexit 1\n"))
    assert result["error"] == "compile_failed"
    assert result["log"] in result["message"]
    assert "this is not C++" in Path(result["log"]).read_text()
    assert not list((tmp_path / "cache").rglob("*.so"))


def test_check_says_what_is_in_the_cache(tmp_path: Path) -> None:
    cache, fake = tmp_path / "cache", compiler(tmp_path, COUNTING_COMPILER)
    assert run_build(cache, "--check", CXX=fake)["state"] == "missing"
    built = run_build(cache, CXX=fake)
    assert built["state"] == "built"
    again = run_build(cache, "--check", CXX=fake)
    assert (again["state"], again["library"]) == ("cached", built["library"])
    assert (tmp_path / "calls").read_text() == "called\n"


def test_of_two_builds_at_once_one_compiles_and_both_have_the_library(tmp_path: Path) -> None:
    command = [sys.executable, str(BUILD), "--cache", str(tmp_path / "cache")]
    variables = {**os.environ, "CXX": compiler(tmp_path, COUNTING_COMPILER)}
    builds = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables) for _ in range(2)]
    results = [json.loads(process.communicate()[0]) for process in builds]
    assert results[0]["library"] == results[1]["library"]
    assert Path(results[0]["library"]).read_text() == "library\n"
    assert (tmp_path / "calls").read_text() == "called\n"


def fake_torch(folder: Path) -> build.Torch:
    return build.Torch(folder / "torch", "2.14.1+cu130", "abc", is_cuda=True)


def put(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")


def test_headers_of_pips_cuda_wheels_get_stand_ins_for_what_they_lack(tmp_path: Path) -> None:
    put(tmp_path / "nvidia/cu13/include/cuda_runtime_api.h")
    put(tmp_path / "nvidia/cu13/include/crt/host_config.h")
    source = tmp_path / "source"
    put(source / "crt_host_defines.h")
    options = build.cuda_options(fake_torch(tmp_path), source)
    assert options == ["-DTENSORSCOPE_HAS_CUDA", f"-I{source}", f"-I{tmp_path}/nvidia/cu13/include", "-lc10_cuda"]
    assert [path.name for path in (source / "crt").iterdir()] == ["host_defines.h"]


def test_a_toolkit_serves_where_the_wheels_have_no_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "nvidia/nccl/include/nccl.h")
    put(tmp_path / "toolkit/include/cuda_runtime_api.h")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "toolkit"))
    assert build.cuda_includes(fake_torch(tmp_path)) == [tmp_path / "toolkit/include"]
