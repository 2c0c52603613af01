"""The doctor's own words; what it finds is the machine's."""

import pytest

from tensorscope.cli.main import main


def test_help_examines_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--help"]) == 0
    assert capsys.readouterr().out == "tensorscope doctor [--python INTERPRETER]\n"
