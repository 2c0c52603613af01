"""Runs the script as the true ``__main__``: what it sees of itself, how it ends and what it prints are those of plain Python."""

import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import BuiltinImporter, SourceFileLoader
from os import execv, getcwd
from os.path import dirname, isdir, isfile, realpath
from types import CodeType, TracebackType
from typing import Any, Final

from tensorscope.agent.importer import as_machinery
from tensorscope.agent.options import Options
from tensorscope.agent.outermost import deepen, frame_word
from tensorscope.protocol.source_files import STANDARD_INPUT

OWN_DEPTH: Final = 2
"""Levels of the recursion limit that ours take below the script's: bootstrap's module and ``run``."""
EXEC_DEPTH: Final = 1 if sys.version_info < (3, 12) else 0
"""And the call of ``exec``."""


class Ending:
    """Told how the script ended: first the exception that nothing caught (if any), then the exit code (negative: a signal)."""

    def exception(self, error: BaseException) -> None: ...

    def end(self, code: int) -> None: ...


def prepare(options: Options, standard: dict[str, Any], ending: Ending) -> Callable[[], None]:
    """Make ``__main__`` and ``sys`` what plain Python makes of them; gives the function that runs the script.

    ``standard`` is the namespace that the interpreter gave bootstrap.py before its first statement.
    """
    namespace = sys.modules["__main__"].__dict__
    namespace.clear()
    namespace.update(standard)
    namespace["__doc__"] = None
    _set_arguments(options)
    if options.script == "-" and not options.is_module:
        namespace["__loader__"] = BuiltinImporter
        namespace["__file__"], namespace["__cached__"] = STANDARD_INPUT, None
        _set_first_path("")
        return _runner(lambda: partial(exec, _compile_stdin(), namespace), ending, OWN_DEPTH + EXEC_DEPTH)
    if not options.is_module and not isdir(options.script) and not _is_archive(options.script):
        path = options.script if options.script.startswith("/") else f"{working_directory()}/{options.script}"
        namespace["__file__"] = path
        namespace["__loader__"] = SourceFileLoader("__main__", path)
        _set_first_path(dirname(realpath(options.script)))
        return _runner(lambda: partial(exec, _compile_file(path), namespace), ending, OWN_DEPTH + EXEC_DEPTH)
    namespace["__loader__"] = BuiltinImporter
    namespace.pop("__file__", None)
    namespace.pop("__cached__", None)
    if options.is_module:
        _set_first_path(working_directory())
    elif sys.path[:1] != [options.script]:
        _set_first_path(f"{working_directory()}/{options.script}" if not options.script.startswith("/") else options.script, is_forced=True)
    return _runner(lambda: _module_runner(options.script if options.is_module else "__main__", options.is_module), ending, OWN_DEPTH)


def _set_arguments(options: Options) -> None:
    as_given = [*(["-m"] if options.is_module else []), options.script, *options.arguments]
    sys.argv[:] = ["-m", *options.arguments] if options.is_module else as_given
    sys.orig_argv[-options.own_argument_count :] = as_given


def _set_first_path(folder: str, is_forced: bool = False) -> None:
    """``sys.path[0]`` is bootstrap's folder, unless the interpreter runs isolated or with a safe path."""
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        sys.path[0] = folder
    elif is_forced:
        sys.path.insert(0, folder)


def working_directory() -> str:
    try:
        return getcwd()
    except FileNotFoundError:
        return ""


def _is_archive(path: str) -> bool:
    """A zip file that Python runs starts with a local file header; no script does. A pipe can be read but once."""
    if not isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


def _compile_file(path: str) -> CodeType:
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write(f"{sys.executable}: can't open file {path!r}: [Errno {error.errno}] {error.strerror}\n")
        raise SystemExit(2) from None
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        if isfile(path) and (b"\0" in source or "unicode error" in str(error)):
            unreadable.append(error)
        raise


def _compile_stdin() -> CodeType:
    """All of it, as Python does before it runs the first line."""
    with open(0, "rb", closefd=False) as file:
        return compile(file.read(), STANDARD_INPUT, "exec", dont_inherit=True)


def _module_runner(name: str, is_named: bool) -> Callable[[], object]:
    import runpy

    return partial(runpy._run_module_as_main, name, is_named)  # type: ignore[attr-defined]


def _runner(make: Callable[[], Callable[[], object]], ending: Ending, own_depth: int) -> Callable[[], None]:
    """``make`` gives a callable of C, which looks for the frame below its own in the interpreter's word."""

    def run() -> None:
        try:
            start = make()
            word = frame_word()
            below = word and word.value
            if word:
                word.value = None
            try:
                start()
            finally:
                if word:
                    word.value = below
        except BaseException as error:
            _end_with(error, ending)
            if error in unreadable:
                execv(sys.executable, sys.orig_argv)
            raise
        else:
            ending.end(0)

    if not deepen(own_depth):
        sys.setrecursionlimit(sys.getrecursionlimit() + own_depth)
    as_machinery(run)
    own_code.update((run.__code__, make.__code__, _compile_file.__code__, _module_runner.__code__))
    return run


own_code: set[CodeType] = set()
unreadable: list[BaseException] = []
"""A file that holds no Python text at all: nothing of it has run, and only Python itself finds its words for it."""


def without_own_frames(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback from the script's first frame on."""
    while traceback is not None and traceback.tb_frame.f_code in own_code:
        traceback = traceback.tb_next
    return traceback


def exit_code(error: BaseException) -> int:
    """The exit code with which an interpreter ends that ``error`` leaves; negative for a signal."""
    if isinstance(error, KeyboardInterrupt):
        return -2
    if not isinstance(error, SystemExit):
        return 1
    code = error.code
    if code is None:
        return 0
    return code & 0xFF if isinstance(code, int) else 1


def _end_with(error: BaseException, ending: Ending) -> None:
    error.__traceback__ = without_own_frames(error.__traceback__)
    if not isinstance(error, SystemExit):
        ending.exception(error)
        _hide_frames_once()
    ending.end(exit_code(error))


def _hide_frames_once() -> None:
    """The interpreter adds ``run`` and bootstrap to the traceback on the way out: take them off again where it prints, in its hook."""
    users_hook = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        sys.excepthook = users_hook
        trimmed = without_own_frames(traceback)
        error.__traceback__ = trimmed
        sys.last_traceback = trimmed
        users_hook(kind, error, trimmed)

    sys.excepthook = as_machinery(hook)
