"""What the script finds under the name ``tensorscope``, and what the agent finds where TensorScope is not installed."""

import os
import subprocess
import sys
from pathlib import Path

import tensorscope
from tensorscope.recording.reader import RecordingReader, read_trace

NOT_INSTALLED = "import sys\nsys.meta_path[:] = [finder for finder in sys.meta_path if 'editable' not in repr(finder)]\n"


def test_a_module_of_the_scripts_own_called_tensorscope_is_found(tmp_path: Path) -> None:
    (tmp_path / "tensorscope.py").write_text("errors = 'its own'\n")
    (tmp_path / "train.py").write_text(
        "import tensorscope, torch\nprint(tensorscope.errors, tensorscope.__file__)\n(torch.ones(2, requires_grad=True) * 2).sum().backward()\n"
    )
    start = "import sys; from tensorscope.cli.main import main; sys.exit(main())"
    words = ["record", "-o", str(tmp_path / "run.tscope"), str(tmp_path / "train.py")]
    done = subprocess.run([sys.executable, "-c", start, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"its own {tmp_path / 'tensorscope.py'}\n", "")
    with RecordingReader(tmp_path / "run.tscope") as reader:
        assert len(read_trace(reader).snapshot().backwards) == 1


def test_the_probe_in_python_needs_nothing_of_tensorscope_in_the_scripts_environment(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOT_INSTALLED)
    (tmp_path / "train.py").write_text("import torch\ntry:\n    import tensorscope\nexcept ImportError as why:\n    print(why)\n(torch.ones(2) * 2).sum()\n")
    root = str(Path(tensorscope.__file__).parents[1])
    start = f"import sys; sys.path.insert(0, {root!r}); from tensorscope.cli.main import main; sys.exit(main())"
    words = ["record", "--probe", "python", "-o", str(tmp_path / "run.tscope"), str(tmp_path / "train.py")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", start, *words], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout) == (0, "No module named 'tensorscope'\n")
    with RecordingReader(tmp_path / "run.tscope") as reader:
        snapshot = read_trace(reader).snapshot()
    assert snapshot.facts["probe"] == "python"
    assert "aten::mul" in snapshot.strings.values()
