"""``tensorscope check``: findings as lines, JSON and SARIF, and the exit code that CI asks for."""

import json
from pathlib import Path
from typing import Any

import pytest

from tensorscope.cli.findings_text import fails, lines_of
from tensorscope.cli.main import main
from tensorscope.export.findings_sarif import sarif
from tests.truth.harness import SAMPLES, Ended, tensorscope

FOUND: dict[str, Any] = {
    "rule": "leak",
    "severity": "warning",
    "message": "It grows.",
    "source": "/elsewhere/train.py:7",
    "related": [{"source": "/elsewhere/model.py:3", "role": "made here"}],
    "iteration": 2,
    "certainty": 0.8,
    "evidence": {"bytes": 12},
}


def check(folder: Path, *words: object) -> Ended:
    return tensorscope("check", *words, folder=folder)


def test_a_finding_is_a_line_as_compilers_write_them() -> None:
    nowhere = {**FOUND, "source": None, "related": []}
    assert lines_of([FOUND, nowhere]) == [
        "/elsewhere/train.py:7: warning: It grows. [leak]",
        "    /elsewhere/model.py:3: made here",
        "warning: It grows. [leak]",
    ]


def test_a_check_fails_from_the_severity_that_is_asked_for() -> None:
    assert [fails([FOUND], floor) for floor in ("error", "warning", "info")] == [False, True, True]
    assert not fails([], "info")


def test_sarif_has_levels_and_places() -> None:
    (run,) = sarif([FOUND, {**FOUND, "severity": "info", "source": None}])["runs"]
    first, second = run["results"]
    assert run["tool"]["driver"]["rules"] == [{"id": "leak"}]
    assert (first["level"], second["level"]) == ("warning", "note")
    assert first["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "file:///elsewhere/train.py"}, "region": {"startLine": 7}}
    assert first["relatedLocations"][0]["message"] == {"text": "made here"}
    assert second["locations"] == []


def test_a_script_with_an_error_fails_and_only_the_json_is_on_stdout(tmp_path: Path) -> None:
    ended = check(tmp_path, "--json", "-", "--sarif", "found.sarif", SAMPLES / "missing_zero_grad.py")
    assert ended.code == 1
    found = json.loads(ended.stdout)["findings"]
    assert [one["rule"] for one in found] == ["uncleared-gradients"]
    assert b"loss" in ended.stderr  # what the script printed
    assert json.loads((tmp_path / "found.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "uncleared-gradients"


def test_the_scripts_own_exit_code_passes_where_nothing_is_found(tmp_path: Path) -> None:
    script = tmp_path / "leaves.py"
    script.write_text("import sys\nprint('seen')\nsys.exit(5)\n")
    ended = check(tmp_path, script)
    assert (ended.code, ended.stdout.splitlines()) == (5, [b"seen", b"No problem was found."])


@pytest.mark.parametrize(("words", "sentence"), [(["--fail-on", "bad", "x.py"], "--fail-on needs error"), (["--json"], "--json needs a value")])
def test_a_wrong_option_is_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    assert sentence in capsys.readouterr().err
