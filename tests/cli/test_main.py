"""The command line: what it takes, and the one sentence for what it does not."""

import subprocess
import sys
from pathlib import Path

import pytest

from tensorscope.cli.main import main
from tensorscope.cli.recordings import KEPT, new_recording_path
from tensorscope.cli.run_arguments import parse_run
from tensorscope.errors import TensorScopeError


def test_everything_from_the_script_on_is_the_scripts() -> None:
    parsed = parse_run(["--no-stacks", "--iterations=3", "-o", "x.tscope", "train.py", "-o", "y", "--python", "z", "--"], has_output=True)
    assert parsed.options.script == "train.py"
    assert parsed.options.arguments == ("-o", "y", "--python", "z", "--")
    assert not parsed.options.has_stacks
    assert parsed.options.max_iterations == 3
    assert parsed.output == Path("x.tscope")


def test_a_module_runs_with_all_its_arguments() -> None:
    options = parse_run(["-m", "package.train", "-m", "--no-stacks"], has_output=False).options
    assert (options.script, options.is_module, options.arguments) == ("package.train", True, ("-m", "--no-stacks"))
    assert options.has_stacks


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Which script"),
        (["-m"], "Which script"),
        (["--python"], "--python needs an interpreter"),
        (["--python", "/no/such/python", "t.py"], "no interpreter /no/such/python"),
        (["--iterations", "0", "t.py"], "--iterations needs a number from 1 on, not 0"),
        (["--iterations", "x", "t.py"], "--iterations needs a number"),
        (["--frobnicate", "t.py"], "no option --frobnicate"),
        (["-o", "x", "t.py"], "no option -o"),
    ],
)
def test_a_wrong_line_is_said_in_a_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(TensorScopeError, match=sentence):
        parse_run(words, has_output=False)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gone.py"], "There is no script gone.py."),
        (["record", "gone.py"], "There is no script gone.py."),
        (["open", "gone.tscope"], "There is no file gone.tscope."),
        (["open"], "open takes one recording"),
        (["open", "a.tscope", "b.tscope"], "comparing two comes in a later version"),
        (["open", "--theme", "pink", "a.tscope"], "invalid choice: 'pink'"),
        (["--theme", "pink", "train.py"], "--theme needs dark or light, not pink"),
        (["record", "--theme", "dark", "train.py"], "There is no option --theme here"),
        (["record", "--", "no-such-command", "train.py"], "There is no command no-such-command."),
        (["query", "gone.tscope", "summary"], "There is no file gone.tscope."),
        (["query", "gone.tscope", "colours"], "invalid choice"),
    ],
)
def test_trouble_is_one_sentence_on_stderr_and_exit_code_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert sentence in output.err
    assert output.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "sentence"), [("snap.pickle", "no CUDA memory snapshot"), ("trace.json.gz", "profiler traces"), ("notes.txt", "recording.\n")]
)
def test_files_of_other_tools_are_named_and_never_unpickled(name: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    touched = tmp_path / "touched"
    (tmp_path / name).write_bytes(b"cos\nsystem\n(S'touch " + bytes(touched) + b"'\ntR.")
    assert main(["open", str(tmp_path / name)]) == 2
    assert sentence in capsys.readouterr().err
    assert not touched.exists()


def test_a_theme_is_the_windows_and_may_stand_before_the_script() -> None:
    parsed = parse_run(["--theme=light", "train.py", "--theme", "x"], has_output=False, has_window=True)
    assert (parsed.theme, parsed.options.arguments) == ("light", ("--theme", "x"))


def test_without_a_display_the_sentence_says_what_to_do(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    script = tmp_path / "train.py"
    script.write_text("")
    assert main([str(script)]) == 2
    assert "There is no display" in capsys.readouterr().err


def test_help_needs_neither_torch_nor_qt_nor_numpy() -> None:
    program = (
        "import sys; from tensorscope.cli.main import main; code = main(['--help'])\n"
        "print(sorted(sys.modules.keys() & {'torch', 'PySide6', 'numpy', 'rich', 'argparse'})); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=240, check=True)
    assert done.stdout.endswith("[]\n")
    assert "tensorscope record" in done.stdout


def test_only_the_last_ten_watched_runs_are_kept(private_cache: Path) -> None:
    folder = new_recording_path("train.py").parent
    for number in range(14):
        (folder / f"old-{number:02}.tscope").touch()
    path = new_recording_path("train.py")
    assert path.parent == private_cache / "tensorscope" / "recordings"
    assert len(list(folder.iterdir())) == KEPT - 1
    assert path.name.startswith("train-")
