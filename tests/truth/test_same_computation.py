"""The script always wins: with everything recorded it says and computes, byte for byte, what it does without TensorScope."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.truth.harness import SAMPLES, SCRIPTS, Ended, run, tensorscope

STEP_THROUGH = Path(__file__).resolve().parent / "step_through.py"
OBSERVER = Path(__file__).resolve().parent / "observer"
TRAPS = (
    "view_of_a_base_that_was_written",
    "checkpoint_with_batch_norm",
    "reentrant_checkpoint",
    "gradients_that_must_not_share",
    "modules_that_write_in_place",
    "gradient_of_a_tensor_that_is_no_leaf",
    "random_numbers",
    "version_conflict",
    "gradient_hooks",
    "lifetimes",
    "forward_patches_of_the_user",
    "compiled_without_graph_breaks",
)


@dataclass(frozen=True)
class Way:
    """How a script is watched: with everything recorded, or held before each node of its first backward."""

    name: str

    def run(self, words: list[object], folder: Path, variables: Mapping[str, str]) -> Ended:
        recording = folder.parent / "run.tscope"
        if self is STEPPED:
            return run([sys.executable, STEP_THROUGH, recording, folder.parent / "holds.json", *words], folder, variables)
        return tensorscope("record", "-o", recording, *words, folder=folder, variables=variables)


RECORDED, STEPPED = Way("recorded"), Way("stepped")
both = pytest.mark.parametrize("way", [RECORDED, STEPPED], ids=lambda way: way.name)


def both_ways(way: Way, words: list[object], folder: Path, clock: Path | None, search: tuple[Path, ...]) -> tuple[Ended, str, Ended, str]:
    """Plain and watched: how each ended, and its digest of all parameters and buffers alive at exit."""

    def variables(digest: Path) -> dict[str, str]:
        return {
            "PYTHONPATH": os.pathsep.join(map(str, (OBSERVER, *search))),
            "TENSORSCOPE_TRUTH_DIGEST": str(digest),
            "TENSORSCOPE_TRUTH_CLOCK": str(clock or ""),
        }

    folders = [folder / name for name in ("plain", "watched")]
    for place in folders:
        place.mkdir()
    digests = [folder / "plain.digest", folder / "watched.digest"]
    plain = run([sys.executable, *words], folders[0], variables(digests[0]))
    watched = way.run(words, folders[1], variables(digests[1]))
    return plain, digests[0].read_text(), watched, digests[1].read_text()


def assert_same(way: Way, words: list[object], folder: Path, clock: Path | None = None, search: tuple[Path, ...] = ()) -> None:
    plain, plain_digest, watched, watched_digest = both_ways(way, words, folder, clock, search)
    assert plain.code == 0, plain.stderr.decode()
    assert watched == plain
    assert watched_digest == plain_digest
    if way is STEPPED:
        assert_stepped_through(json.loads((folder / "holds.json").read_text(encoding="utf-8")), words)


def assert_stepped_through(holds: list[dict[str, Any]], words: list[object]) -> None:
    """Every node of the first backward was held once, in order; where the backward fails, every node up to there."""
    if "forward_patches_of_the_user" in words:
        assert holds == [], "it runs no backward"
        return
    positions = [hold["position"] for hold in holds if hold["backward"] == holds[0]["backward"]]
    assert positions == list(range(len(positions)))
    assert len(positions) == holds[0]["count"] - ("version_conflict" in words)


@both
@pytest.mark.parametrize("name", ["digits_cnn.py", "linear_regression.py", "views_and_copies.py"])
def test_a_sample_is_the_same_when_watched(way: Way, name: str, tmp_path: Path) -> None:
    assert_same(way, [SAMPLES / name], tmp_path)


@both
@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_is_the_same_when_watched(way: Way, trap: str, tmp_path: Path) -> None:
    assert_same(way, [SCRIPTS / "traps.py", trap], tmp_path)


@pytest.fixture
def public_scripts() -> Path:
    """A folder with clones of github.com/pytorch/examples (``examples``) and github.com/karpathy/minGPT (``minGPT``)."""
    folder = os.environ.get("TENSORSCOPE_PUBLIC_SCRIPTS")
    if not folder:
        pytest.skip("TENSORSCOPE_PUBLIC_SCRIPTS names no folder with clones of pytorch/examples and karpathy/minGPT")
    return Path(folder)


@both
def test_the_word_language_model_of_pytorch_examples_is_the_same_when_watched(way: Way, public_scripts: Path, tmp_path: Path) -> None:
    lines = (public_scripts / "examples/word_language_model/data/wikitext-2/test.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "data").mkdir()
    for part, count in (("train", 240), ("valid", 60), ("test", 60)):
        (tmp_path / "data" / f"{part}.txt").write_text("".join(lines[:count]), encoding="utf-8")
    options = ["--data", tmp_path / "data", "--epochs", 1, "--log-interval", 5, "--emsize", 64, "--nhid", 64, "--tied"]
    assert_same(way, [public_scripts / "examples/word_language_model/main.py", *options], tmp_path, clock=public_scripts)


@both
def test_the_adder_of_mingpt_is_the_same_when_watched(way: Way, public_scripts: Path, tmp_path: Path) -> None:
    options = ["--trainer.max_iters=12", "--trainer.num_workers=2", "--trainer.batch_size=16", "--data.ndigit=1"]
    script = public_scripts / "minGPT/projects/adder/adder.py"
    assert_same(way, [script, *options], tmp_path, clock=public_scripts, search=(public_scripts / "minGPT",))
