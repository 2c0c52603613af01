"""The comparison of public scripts, on a script of our own."""

from pathlib import Path

import pytest

from tests.wild.public.compare import compare, edited
from tests.wild.public.document import page
from tests.wild.public.scripts import Repository, Script

OURS = Repository("us", "repository", "0000000")
TEXT = '''"""A script."""
from __future__ import annotations
import weakref
import torch
import torchvision

torch.manual_seed(int("1"))
model = torch.nn.Linear(784, 2)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for image, label in list(torchvision.datasets.MNIST("."))[:1000]:
    optimizer.zero_grad()
    model(image.flatten()).sum().backward()
    optimizer.step()
print(weakref.getweakrefcount(model) > 0)
'''


def test_a_script_gets_its_edits_and_one_line_that_seeds() -> None:
    text = edited(Script("kind", OURS, "train.py", edits=((r"\[:1000\]", "[:2]"),)), TEXT)
    assert text.splitlines()[:3] == [
        '"""A script."""',
        "from __future__ import annotations",
        "import preamble  # seeds, a repeating clock, a digest of the parameters",
    ]
    assert "[:2]" in text
    with pytest.raises(ValueError, match=r"train\.py: nothing matches"):
        edited(Script("kind", OURS, "train.py", edits=((r"\[:3000\]", ""),)), TEXT)


def test_a_script_that_notices_us_differs_and_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / "train.py").write_text(TEXT, encoding="utf-8")
    script = Script("kind", OURS, "train.py", edits=((r"\[:1000\]", "[:2]"),))
    (tmp_path / "work").mkdir()
    outcome = compare(script, tmp_path, tmp_path / "work")
    assert outcome.differences == ("stdout",)
    assert (outcome.plain.stdout, outcome.watched.stdout) == (["False"], ["True"])
    assert outcome.plain.digest == outcome.watched.digest
    assert outcome.plain.digest.startswith("2 steps, 2 parameters alive, ")
    assert (outcome.told["iterations"], outcome.told["backwards"]) == (2, 2)


def test_the_page_counts_what_is_the_same() -> None:
    ran = {"seconds": [1.0, 2.0], "torch_version": "2", "python_version": "3", "digest": "4 steps, …", "iterations": 4, "backwards": 5, "operators": 6000}
    same, differs = Script("GAN", OURS, "a.py"), Script("vision", OURS, "b.py", "--few", edits=((r"a", "b"),))
    text = page({same: {**ran, "differences": []}, differs: {**ran, "differences": ["stdout"]}})
    assert "1 of 2 scripts are the same" in text
    assert "| GAN | [us/repository](https://github.com/us/repository) `a.py` | 0000000 | 4 | 5 | 6,000 | 4 | same |" in text
    assert "| 4 | stdout |" in text
    assert "- repository: `b.py --few`\n  - `a` → `b`" in text
