"""Builds the native probe with the debuggee's own interpreter, before the launch, into a cache; imports neither torch nor anything of ours.

Run as ``<interpreter> …/tensorscope/agent/build.py [--cache DIR] [--check]``. Prints one JSON line and exits with 0, or 1 at an error::

    {"state": "cached" | "built" | "missing" | "error", "library": path or "", "seconds": s, "error": kind or "", "message": sentence or "", "log": path or ""}

``--check`` only says what is in the cache (``cached`` or ``missing``). Kinds of error: ``no_torch``, ``no_compiler``, ``no_python_headers``,
``compile_failed``, ``cannot_write``. Where the cache cannot be written, a folder among the temporary files serves. The library is keyed by torch's build,
the Python version and the source; of two builds at once the second waits and takes what the first has built. What is compiled is the source that the key
was made of, also where a file changes meanwhile.

Where torch is a CUDA build, the probe sees CUDA's allocator too; without CUDA's headers it is built without that, and ``message`` says so.
"""

import argparse
import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

PROBE_FOLDER = Path(__file__).resolve().parent / "probe"
MODULE_NAME = "_tensorscope_probe"
LIBRARIES = ("c10", "torch_cpu", "torch_python")


@dataclass(frozen=True)
class BuildResult:
    """What the JSON line says."""

    state: str
    library: str = ""
    seconds: float = 0.0
    error: str = ""
    message: str = ""
    log: str = ""


class BuildError(Exception):
    """Something that keeps the probe from being built: its kind, a sentence for the user, and the compiler's log where there is one."""

    def __init__(self, kind: str, sentence: str, log: str = "") -> None:
        super().__init__(sentence)
        self.kind = kind
        self.log = log


@dataclass(frozen=True)
class Torch:
    """The torch that the interpreter would import."""

    folder: Path
    version: str
    commit: str
    is_cuda: bool

    @property
    def include(self) -> Path:
        return self.folder / "include"

    @property
    def lib(self) -> Path:
        return self.folder / "lib"


def find_torch() -> Torch:
    """Read ``torch/version.py`` as text; importing torch would take seconds."""
    spec = importlib.util.find_spec("torch")
    if spec is None or not spec.submodule_search_locations:
        raise BuildError("no_torch", f"torch is not installed for {sys.executable}; install it there or choose another interpreter with --python.")
    folder = Path(next(iter(spec.submodule_search_locations)))
    text = (folder / "version.py").read_text(encoding="utf-8")

    def fact(name: str) -> str:
        found = re.search(rf"^{name}\b.*?= *['\"]([^'\"]*)['\"]", text, re.MULTILINE)
        return found.group(1) if found else ""

    return Torch(folder, fact("__version__"), fact("git_version"), bool(fact("cuda")))


def python_include() -> Path:
    folder = Path(sysconfig.get_paths()["include"])
    if not (folder / "Python.h").is_file():
        raise BuildError("no_python_headers", f"Python.h is missing for {sys.executable}; install the package python3-dev.")
    return folder


def find_compiler() -> str:
    for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++"):
        if name and (found := shutil.which(name)):
            return found
    raise BuildError("no_compiler", "No C++ compiler was found; install the package g++.")


def flags_of(torch: Torch) -> list[str]:
    """Flags that depend on how this torch was built. ``-DNDEBUG`` is no choice: without it ``at::RecordFunction`` has another layout."""
    flags = ["-shared", "-fPIC", "-O2", "-DNDEBUG", "-std=c++20", "-fvisibility=hidden", "-w", "-DAT_PER_OPERATOR_HEADERS"]
    is_new_abi = b"torchCheckFailEPKcS2_jRKNSt7__cxx11" in (torch.lib / "libc10.so").read_bytes()
    flags.append(f"-D_GLIBCXX_USE_CXX11_ABI={int(is_new_abi)}")
    header = (torch.include / "torch/csrc/autograd/python_variable.h").read_text(encoding="utf-8")
    if re.search(r"MaybeOwned<at::Tensor>\s+cdata", header):
        flags.append("-DTENSORSCOPE_CDATA_IS_MAYBE_OWNED")
    if is_plain_accumulate_grad(torch):
        flags.append("-DTENSORSCOPE_PLAIN_ACCUMULATE_GRAD")
    return flags


def is_plain_accumulate_grad(torch: Torch) -> bool:
    """Whether AccumulateGrad is a Node with nothing but its variable, as the probe may then assume without reading the long header."""
    header = (torch.include / "torch/csrc/autograd/functions/accumulate_grad.h").read_text(encoding="utf-8")
    body = header.partition("struct TORCH_API AccumulateGrad : public Node {")[2]
    return re.findall(r"^  [A-Za-z][^()\n]*;$", body, re.MULTILINE) == ["  Variable variable;"]


def read_sources() -> dict[str, bytes]:
    """The probe's source by file name."""
    return {source.name: source.read_bytes() for source in sorted(PROBE_FOLDER.glob("*.[ch]*"))}


def library_path(torch: Torch, cache: Path, sources: dict[str, bytes]) -> Path:
    """Where the library for this torch, Python and source lies, built or not."""
    key = hashlib.sha256()
    for part in (torch.version, torch.commit, str(torch.folder), sysconfig.get_config_var("SOABI") or sys.version, Path(__file__).read_text(encoding="utf-8")):
        key.update(part.encode() + b"\0")
    for name, source in sources.items():
        key.update(name.encode() + b"\0" + source)
    suffix = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    return cache / key.hexdigest()[:24] / f"{MODULE_NAME}{suffix}"


def cuda_includes(torch: Torch) -> list[Path]:
    """Folders with CUDA's runtime headers, those of pip's wheels beside torch before a toolkit's; empty where there are none."""
    wheels = sorted((torch.folder.parent / "nvidia").glob("*/include"))
    toolkits = [Path(folder) / "include" for folder in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda") if folder]
    for folders in (wheels, *([toolkit] for toolkit in toolkits)):
        if any((folder / "cuda_runtime_api.h").is_file() for folder in folders):
            return folders
    return []


def cuda_options(torch: Torch, folder: Path) -> list[str]:
    """The compiler's options for CUDA's half, with our stand-in for headers that pip's wheels lack in ``folder``; empty where there are no headers."""
    includes = cuda_includes(torch)
    if not includes:
        return []
    (folder / "crt").mkdir()
    for header in ("crt/host_defines.h", "crt/host_config.h"):
        if not any((include / header).is_file() for include in includes):
            shutil.copy(folder / "crt_host_defines.h", folder / header)
    return ["-DTENSORSCOPE_HAS_CUDA", *(f"-I{include}" for include in (folder, *includes)), "-lc10_cuda"]


def compile_probe(torch: Torch, target: Path, sources: dict[str, bytes]) -> str:
    """One call of the compiler, unless somebody else builds the same just now; raises BuildError with the path of its log. Says what was left out."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with only_builder(target.parent):
            return "" if is_whole(target) else _compile(torch, target, sources)
    except OSError as error:
        raise cannot_write(target.parent, error.strerror or str(error)) from None


def cannot_write(folder: Path, reason: str) -> BuildError:
    return BuildError("cannot_write", f"The probe cannot be written below {folder} ({reason.lower()}); set XDG_CACHE_HOME to a folder with room.")


@contextlib.contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    """Wait until no other process builds in ``folder``. The lock ends with its process; where the file system has none, two builds do no harm."""
    with (folder / "lock").open("wb") as lock:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def is_whole(library: Path) -> bool:
    """Whether a library is there as it was built; a machine that goes down, a full disk or a copied cache may leave an empty, cut or mixed-up file."""
    try:
        return sum_of(library).read_text() == _sum(library)
    except OSError:
        return False


def sum_of(library: Path) -> Path:
    """The file beside a library that says what is in it."""
    return library.with_name(library.name + ".sha256")


def _sum(library: Path) -> str:
    return hashlib.sha256(library.read_bytes()).hexdigest()


def _compile(torch: Torch, target: Path, sources: dict[str, bytes]) -> str:
    for left_behind in target.parent.glob("build-*"):  # by a build that was killed
        shutil.rmtree(left_behind, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="build-") as name:
        folder = Path(name)
        for source, content in sources.items():
            (folder / source).write_bytes(content)
        command = [find_compiler(), *flags_of(torch)]
        command += ["-I", str(torch.include), "-I", str(torch.include / "torch/csrc/api/include"), "-I", str(python_include())]
        command += [str(folder / "probe.cpp"), "-L", str(torch.lib), *(f"-l{library}" for library in LIBRARIES)]
        made = folder / target.name
        command += ["-o", str(made)]
        for_cuda = cuda_options(torch, folder) if torch.is_cuda else []
        code, output = _run_compiler([*command, *for_cuda], folder)
        has_cuda = code == 0 and bool(for_cuda)
        if code != 0 and for_cuda:
            code, output = _run_compiler(command, folder)
        if code != 0 and b"No space left on device" in output:
            raise cannot_write(target.parent, "no space left on device")
        log = target.parent / "build.log"
        log.write_bytes(" ".join(command).encode() + b"\n" + output)
        if code != 0:
            sentence = f"The probe does not compile with torch {torch.version}{last_error(output)}; the compiler's output is in {log}."
            raise BuildError("compile_failed", sentence, str(log))
        sum_of(made).write_text(_sum(made))
        os.replace(made, target)
        os.replace(sum_of(made), sum_of(target))
    return "" if has_cuda or not torch.is_cuda else "CUDA's allocations are not watched: its headers were not found, or the probe does not compile with them."


def last_error(output: bytes) -> str:
    """The compiler's last line about an error, else its last line, in brackets; "" where it said nothing."""
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    line = next((line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "")
    return f" ({line[:300]})" if line else ""


def _run_compiler(command: list[str], folder: Path) -> tuple[int, bytes]:
    """Exit code and output. When the host that asked for the build is gone, nobody waits for it: the compiler ends as well."""
    host = os.getppid()
    with tempfile.TemporaryFile(dir=folder) as output:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**os.environ, "TMPDIR": str(folder)})
        except OSError as error:
            raise BuildError("compile_failed", f"The compiler {command[0]} could not be started: {(error.strerror or str(error)).lower()}.") from None
        while process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
            if os.getppid() != host and os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
        output.seek(0)
        return process.returncode, output.read()


def default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        base = os.path.join(home if os.path.isabs(home) else "/tmp", ".cache")
    return Path(base) / "tensorscope" / "probe"


def temporary_cache() -> Path | None:
    """A folder of this user's own for where the cache cannot be written; None where somebody else has it."""
    folder = Path(tempfile.gettempdir()) / f"tensorscope-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        made = folder.lstat()
    except OSError:
        return None
    return folder / "probe" if stat.S_ISDIR(made.st_mode) and made.st_uid == os.getuid() and not made.st_mode & 0o077 else None


def build(cache: Path, *, is_check: bool, second: Path | None = None) -> BuildResult:
    """Look for the library in ``cache``, then in ``second``; build it in the first of them that can be written."""
    begin = time.monotonic()
    try:
        torch = find_torch()
        sources = read_sources()
        targets = [library_path(torch, folder, sources) for folder in (cache, second) if folder is not None]
        target = next((target for target in targets if is_whole(target)), None)
        if target is not None:
            return BuildResult("cached", str(target), time.monotonic() - begin)
        if is_check:
            find_compiler(), python_include()  # so that the host can say before the launch what is not there
            return BuildResult("missing", str(targets[0]))
        target, message = _build_somewhere(torch, targets, sources)
    except BuildError as error:
        return BuildResult("error", seconds=time.monotonic() - begin, error=error.kind, message=str(error), log=error.log)
    return BuildResult("built", str(target), time.monotonic() - begin, message=message)


def _build_somewhere(torch: Torch, targets: list[Path], sources: dict[str, bytes]) -> tuple[Path, str]:
    refused: BuildError | None = None
    for target in targets:
        try:
            return target, compile_probe(torch, target, sources)
        except BuildError as error:
            if error.kind != "cannot_write":
                raise
            refused = refused or error
    assert refused is not None
    raise refused


def main() -> int:
    parser = argparse.ArgumentParser(prog="build.py")
    parser.add_argument("--cache", type=Path, default=None)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    result = build(options.cache or default_cache(), is_check=options.check, second=None if options.cache else temporary_cache())
    print(json.dumps(asdict(result)))
    return 1 if result.state == "error" else 0


if __name__ == "__main__":
    if sys.path and Path(sys.path[0] or ".").resolve() == PROBE_FOLDER.parent:
        del sys.path[0]  # the agent's own files must not be met in place of anybody's modules
    sys.exit(main())
