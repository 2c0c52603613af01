"""What may stand in a breakpoint, and the sentence for what may not."""

from math import inf

import pytest

from tensorscope.cli.main import main
from tensorscope.cli.stops import stop_text
from tensorscope.errors import ProtocolError
from tensorscope.protocol.breakpoints import parse_breakpoint


def test_everything_that_is_given_is_asked_for() -> None:
    found = parse_breakpoint("node:Addmm*, module:h.?.mlp,line:src/model.py:77,iteration:3,grad>1e-3,grad-below=5,nonfinite,param:*.bias")
    assert (found.nodes, found.modules, found.parameters, found.lines) == (("Addmm*",), ("h.?.mlp",), ("*.bias",), (("src/model.py", 77),))
    assert (found.iterations, found.above, found.below, found.is_nonfinite) == ((3,), 1e-3, 5.0, True)
    assert parse_breakpoint("grad-above=2").above == 2
    assert parse_breakpoint("grad>2").below == inf


def test_a_module_pattern_takes_all_that_lies_in_it() -> None:
    found = parse_breakpoint("module:h.*.mlp")
    assert found.fits_module("h.3.mlp.c_fc")
    assert found.fits_module("h.3.mlp")
    assert not found.fits_module("h.3.attn")


def test_a_file_is_named_by_its_last_parts_or_as_a_whole() -> None:
    found = parse_breakpoint("line:models/net.py:5")
    assert found.fits_line("/home/me/models/net.py", 5)
    assert not found.fits_line("/home/me/othermodels/net.py", 5)
    assert not found.fits_line("/home/me/models/net.py", 6)
    assert not parse_breakpoint("line:/models/net.py:5").fits_line("/home/me/models/net.py", 5)


def test_only_iterations_alone_hold_once() -> None:
    assert parse_breakpoint("iteration:3").is_once
    assert not parse_breakpoint("iteration:3,node:*").is_once


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("", "a breakpoint needs one of"),
        ("AddmmBackward0", "AddmmBackward0 is no breakpoint"),
        ("colour:red", "colour:red is no breakpoint"),
        ("line:77", "needs a file and a line"),
        ("line:a.py:x", "needs a file and a line"),
        ("line:a.py:1,line:a.py:2", "a second line"),
        ("iteration:-1", "needs an iteration's number"),
        ("grad>big", "grad>big needs a number"),
        ("grad<nan", "grad<nan needs a number"),
        ("op:aten::mm", "op:aten::mm is not there yet"),
        ("allocated>1GiB", "is not there yet"),
        ("if:x > 1", "is not there yet"),
    ],
)
def test_what_is_no_breakpoint_is_said(spec: str, sentence: str) -> None:
    with pytest.raises(ProtocolError, match=sentence):
        parse_breakpoint(spec)


def test_the_command_line_says_it_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--break", "op:aten::mm", "train.py"]) == 2
    assert capsys.readouterr().err.startswith("tensorscope: --break: op:aten::mm is not there yet: use node:NAME")
    assert main(["record", "--no-stacks", "--break", "line:a.py:3", "train.py"]) == 2
    assert "leave --no-stacks away" in capsys.readouterr().err
    assert main(["record", "--break"]) == 2
    assert "--break needs what to hold at" in capsys.readouterr().err


def test_a_stop_starts_with_the_full_name_and_has_six_digits() -> None:
    held = {
        "name": "AddmmBackward0", "position": 4, "count": 12, "backward": 3, "source": "/user/model.py:77", "module": "h.2.mlp",
        "stops": ["line:/user/model.py:77"],
        "gradients_in": [{"name": "gradient 0", "shape": [2, 3], "norm": 1.23456789, "min": -2.5, "max": 1.0, "nonfinite": 1}],
    }  # fmt: skip
    assert stop_text(held) == (
        "AddmmBackward0 before node 5 of 12 of backward 2, model.py:77, module h.2.mlp, gradient 0 (2×3) norm 1.23457 max 2.5 1 not finite"
        " [line:/user/model.py:77]"
    )
