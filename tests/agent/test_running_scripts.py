"""A script run by bootstrap sees, prints and ends with what plain Python gives it, torch or no torch."""

import os
import re
import zipfile
from pathlib import Path

import pytest

from tests.agent.harness import Result, plain, watched

FAILING = {
    "exception": "def f(x):\n    return 1 / x\n\nf(0)\n",
    "chained": "def f():\n    try:\n        {}['a']\n    except KeyError as error:\n        raise ValueError('b') from error\nf()\n",
    "in_context": "try:\n    int('x')\nexcept ValueError:\n    raise OSError('while handling')\n",
    "syntax_error": "import sys\nx = (1,\ny = 2 3\n",
    "indentation": "if True:\nprint(1)\n",
    "import_error": "from os import nothing_like_this\n",
    "no_such_module": "import no_such_module_anywhere\n",
    "error_inside_import": "import helper\n",
    "exit_code": "import sys\nsys.exit(7)\n",
    "exit_message": "import sys\nsys.exit('a sentence')\n",
    "exit_none": "raise SystemExit\n",
    "exit_odd": "raise SystemExit(('a', 1))\n",
    "keyboard_interrupt": "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)\n",
    "terminated": "import os, signal, time\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(5)\n",
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)\n",
    "recursion_depth": "depth = 0\ndef f():\n    global depth\n    depth += 1\n    f()\ntry:\n    f()\nexcept RecursionError:\n    print(depth)\n",
    "exception_group": "raise ExceptionGroup('many', [ValueError(1), TypeError('x')])\n",
    "own_hook": "import sys\nsys.excepthook = lambda *a: print('hooked', a[0].__name__, a[2].tb_frame.f_code.co_name, sys.last_traceback.tb_lineno)\n1 / 0\n",
    "notes": "error = ValueError('x')\nerror.add_note('look here')\nraise error\n",
    "thread": "import threading\nt = threading.Thread(target=lambda: 1 / 0, name='worker')\nt.start()\nt.join()\nprint('after')\n",
    "at_exit": "import atexit\natexit.register(print, 'first registered, last run')\natexit.register(lambda: print('last registered'))\n1 / 0\n",
}

FINE = {
    "main": "import sys\nprint(sys.argv, sys.path, sys.orig_argv)\nprint(sorted((k, repr(v)) for k, v in globals().items()))\nprint(list(globals()))\n",
    "warnings": (
        "import warnings\nfor level in (1, 2, 3, 9):\n    warnings.warn(f'level {level}', stacklevel=level)\n"
        "def f():\n    warnings.warn('in f', stacklevel=2)\n    warnings.warn('old', DeprecationWarning)\nf()\n"
    ),
    "modules": "import sys\nprint(sorted(name for name in sys.modules if not name.startswith('tensorscope')))\nprint(sys.meta_path, sys.path_hooks)\n",
    "shadowed": "import json, queue, socket, enum\nprint(json.__file__, queue.__file__, socket.__file__, enum.Flag)\n",
    "pickle": (
        "import pickle\nclass A:\n    def __init__(self, x):\n        self.x = x\n"
        "data = pickle.dumps(A(3))\nprint(data, pickle.loads(data).x, A.__module__, A.__qualname__)\n"
    ),
    "inspect": "import inspect\ndef f():\n    pass\nprint(inspect.getsource(f), inspect.getfile(f), inspect.getmodule(f))\n",
    "annotations": "x: int = 3\nprint(__annotations__, __spec__, __package__, __doc__, __name__)\n",
    "docstring": "'''The doc.'''\nprint(__doc__)\n",
    "future": "from __future__ import annotations\ndef f(x: nothing) -> nobody: ...\nprint(f.__annotations__)\n",
    "encoding": "# -*- coding: latin-1 -*-\nprint('caf\\xe9')\n",
    "standard_input": "print(input(), input())\n",
    "descriptors": "f = open(__file__)\nprint(f.fileno())\n",
    "environment": "import os\nprint(sorted(os.environ.items()))\n",
    "multiprocessing": (
        "import multiprocessing as mp, sys\nclass A:\n    x = 5\n"
        "def work(queue, a):\n    queue.put((a.x, __name__, sys.argv[1:], sys.path, sys.modules['__main__'].__file__))\n"
        "if __name__ == '__main__':\n    for method in ('spawn', 'fork', 'forkserver'):\n        context = mp.get_context(method)\n"
        "        queue = context.Queue()\n        process = context.Process(target=work, args=(queue, A()))\n        process.start()\n"
        "        print(method, queue.get())\n        process.join()\n        print(process.exitcode)\n"
    ),
}


def assert_same(ours: Result, theirs: Result) -> None:
    assert without_addresses(ours.stdout) == without_addresses(theirs.stdout)
    assert without_addresses(ours.stderr) == without_addresses(theirs.stderr)
    assert ours.code == theirs.code


def without_addresses(text: bytes) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x…", text.decode(errors="replace"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text("def f():\n    raise RuntimeError('inside helper')\nf()\n")
    return tmp_path


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_script_ends_as_under_plain_python(name: str, folder: Path) -> None:
    script = folder / "script.py"
    script.write_text(FAILING[name])
    assert_same(watched(script, probe=None), plain(script))


@pytest.mark.parametrize("name", FINE)
def test_a_script_sees_what_plain_python_shows(name: str, folder: Path) -> None:
    script = folder / "script.py"
    script.write_bytes(FINE[name].encode("latin-1"))
    if name == "shadowed":
        (folder / "queue.py").write_text("print('my own queue module')\n")
    said = b"one\ntwo\n"
    theirs = plain(script, "a", "--b=1", stdin=said)
    assert_same(watched(script, "a", "--b=1", probe=None, stdin=said), theirs)
    assert theirs.code == 0, theirs.stderr.decode()


def test_a_relative_path_and_a_link_are_kept_as_given(folder: Path) -> None:
    (folder / "below").mkdir()
    (folder / "below" / "real.py").write_text("import sys\nprint(__file__, sys.argv, sys.path[0])\n")
    (folder / "link.py").symlink_to(folder / "below" / "real.py")
    here = Path.cwd()
    os.chdir(folder)
    try:
        for given in (Path("./below/../link.py"), Path("below/real.py"), folder / "link.py"):
            assert_same(watched(given, probe=None), plain(given))
    finally:
        os.chdir(here)


@pytest.mark.parametrize("flags", [("-I",), ("-P",), ("-O",), ("-W", "error"), ("-B", "-u")])
def test_interpreter_flags_mean_the_same(flags: tuple[str, ...], folder: Path) -> None:
    script = folder / "script.py"
    script.write_text("import sys\nprint(sys.path, sys.flags, sys.warnoptions, __debug__)\nimport warnings\nwarnings.warn('x')\n")
    assert_same(watched(script, probe=None, flags=flags), plain(script, flags=flags))


@pytest.mark.parametrize("module", ["package", "package.part", "alone", "package.absent", "absent", "package.failing"])
def test_a_module_runs_as_with_dash_m(module: str, folder: Path) -> None:
    package = folder / "package"
    package.mkdir()
    shown = "import sys\nprint(sys.argv, sys.path[0], __name__, __package__, __spec__, __file__, sorted(globals()))\n"
    for path in (package / "__init__.py", package / "__main__.py", package / "part.py", folder / "alone.py"):
        path.write_text(shown if path.name != "__init__.py" else "")
    (package / "failing.py").write_text("1 / 0\n")
    script = folder / "unused.py"
    assert_same(watched(script, "x", probe=None, module=module), plain(script, "x", module=module))


def test_a_folder_and_a_zip_file_with_a_main_run(folder: Path) -> None:
    shown = "import sys\nprint(sys.argv[1:], sys.path[0], __name__, __package__, __spec__, __file__)\n1 / 0\n"
    (folder / "application").mkdir()
    (folder / "application" / "__main__.py").write_text(shown)
    with zipfile.ZipFile(folder / "application.zip", "w") as archive:
        archive.writestr("__main__.py", shown)
    for name in ("application", "application.zip"):
        assert_same(watched(folder / name, "x", probe=None), plain(folder / name, "x"))
    assert_same(watched(folder / "nothing_there.py", probe=None), plain(folder / "nothing_there.py"))


def test_with_a_host_but_without_torch_the_script_still_sees_no_difference(folder: Path) -> None:
    for name, source in {**FINE, **FAILING}.items():
        if name in ("multiprocessing", "thread", "terminated"):
            continue
        script = folder / "script.py"
        script.write_bytes(source.encode("latin-1"))
        theirs = plain(script, stdin=b"1\n2\n")
        ours = watched(script, probe=folder / "no_probe.so", stdin=b"1\n2\n")
        if name == "modules":  # the watcher for torch stands in sys.meta_path
            assert ours.stdout.decode().splitlines()[0] == theirs.stdout.decode().splitlines()[0]
            continue
        assert_same(ours, theirs)


def test_the_host_learns_how_a_script_without_torch_ended(folder: Path) -> None:
    script = folder / "script.py"
    script.write_text("print('hello')\nraise ValueError('no torch here')\n")
    result = watched(script, probe=folder / "no_probe.so")
    assert [message["type"] for message in result.collected.messages] == ["facts", "exception", "exit"]
    assert result.collected.told("exit")[0]["code"] == 1
    exception = result.collected.told("exception")[0]
    assert (exception["exception"], exception["message"], exception["source"]) == ("ValueError", "no torch here", f"{script}:2")
    assert result.said[0]["type"] == "hello"
    assert result.said[0]["pid"] == result.collected.told("facts")[0]["pid"]
