"""Every node's hold shows the gradients in, and after its step the gradients out, that hooks of the script's own see in a plain run."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.harness import Host, plain, watched

SCRIPT = Path(__file__).with_name("held_gradients.py")
CASES = ("mlp", "convolution", "lstm", "shared_leaf", "double_backward", "custom_function", "in_checkpoint", "in_reentrant_checkpoint", "second_thread")


def numbers(stats: dict[str, Any]) -> list[float]:
    return [stats[key] for key in ("norm", "min", "max", "mean")]


def as_told(held: list[dict[str, Any]]) -> dict[tuple[int, int], list[Any]]:
    """(backward, node) → [name, gradients in, gradients out] of the holds."""
    found = {(hold["backward"], hold["node"]): [hold["name"], [numbers(stats) for stats in hold["gradients_in"]], []] for hold in held}
    for hold in held:
        for node in hold["all_finished"]:
            found[node["backward"], node["index"]][2] = [numbers(stats) for stats in node["gradients_out"]]
    return found


@pytest.mark.parametrize("case", CASES)
def test_a_hold_shows_what_hooks_of_the_script_see(case: str, probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.read_text(encoding="utf-8"))
    held: list[dict[str, Any]] = []

    def step(message: dict[str, Any]) -> str:
        held.append(message)
        return "step"

    result = watched(script, case, probe=probe, host=Host(answer=step, armed=1))
    assert result.code == 0, result.stderr.decode()
    assert not result.collected.told("tracker_off")
    expected = {(backward, index): [name, given, made] for backward, index, name, given, made in json.loads(plain(script, case, "hooks").output())}
    found = as_told(held)
    last = held[-1]["backward"], held[-1]["node"]  # what it did is told by no later hold
    assert len(expected) > 3
    assert found.keys() == expected.keys()
    for key, (name, given, made) in expected.items():
        shown, in_, out = found[key]
        assert shown.partition(" (")[0] == name.removeprefix("torch::autograd::"), key
        assert in_ == [pytest.approx(numbers, rel=1e-6, abs=1e-12) for numbers in given], (key, name)
        assert key == last or out == [pytest.approx(numbers, rel=1e-6, abs=1e-12) for numbers in made], (key, name)
