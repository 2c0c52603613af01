"""The doctor's own words; what it finds is the machine's."""

import pytest

from tensorscope.cli import doctor
from tensorscope.cli.doctor import Check
from tensorscope.cli.main import main


def test_help_examines_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--help"]) == 0
    assert capsys.readouterr().out == "tensorscope doctor [--python INTERPRETER]\n"


def test_into_a_pipe_nothing_is_cut_or_wrapped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = "/home/somebody/.cache/tensorscope/" + "x" * 600 + "/_probe.so"
    monkeypatch.setattr(doctor, "_interpreter_checks", lambda interpreter: [])
    for name in ("_compiler", "_graphviz", "_qt"):
        monkeypatch.setattr(doctor, name, lambda: Check("Other", True, "fine"))
    monkeypatch.setattr(doctor, "_probe", lambda interpreter: Check("Probe", True, f"built: {path}"))
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert any(line.endswith(path) for line in lines)
    assert all(line == line.rstrip() for line in lines)
