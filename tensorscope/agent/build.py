"""Builds the native probe with the debuggee's own interpreter, before the launch, into a cache; imports neither torch nor anything of ours.

Run as ``<interpreter> …/tensorscope/agent/build.py [--cache DIR] [--check]``. Prints one JSON line and exits with 0, or 1 at an error::

    {"state": "cached" | "built" | "missing" | "error", "library": path or "", "seconds": s, "error": kind or "", "message": sentence or "", "log": path or ""}

``--check`` only says what is in the cache (``cached`` or ``missing``). Kinds of error: ``no_torch``, ``no_compiler``, ``no_python_headers``,
``compile_failed``, ``cannot_write``. The library is keyed by torch's build, the Python version and the source; two builds at once do no harm (atomic rename).
"""

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
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
    flags = ["-shared", "-fPIC", "-O2", "-DNDEBUG", "-std=c++20", "-fvisibility=hidden", "-w"]
    is_new_abi = b"torchCheckFailEPKcS2_jRKNSt7__cxx11" in (torch.lib / "libc10.so").read_bytes()
    flags.append(f"-D_GLIBCXX_USE_CXX11_ABI={int(is_new_abi)}")
    header = (torch.include / "torch/csrc/autograd/python_variable.h").read_text(encoding="utf-8")
    if re.search(r"MaybeOwned<at::Tensor>\s+cdata", header):
        flags.append("-DTENSORSCOPE_CDATA_IS_MAYBE_OWNED")
    return flags


def library_path(torch: Torch, cache: Path) -> Path:
    """Where the library for this torch, Python and source lies, built or not."""
    key = hashlib.sha256()
    for part in (torch.version, torch.commit, str(torch.folder), sysconfig.get_config_var("SOABI") or sys.version, Path(__file__).read_text(encoding="utf-8")):
        key.update(part.encode() + b"\0")
    for source in sorted(PROBE_FOLDER.glob("*.[ch]*")):
        key.update(source.name.encode() + b"\0" + source.read_bytes())
    suffix = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    return cache / key.hexdigest()[:24] / f"{MODULE_NAME}{suffix}"


def compile_probe(torch: Torch, target: Path) -> None:
    """One call of the compiler; raises BuildError with the path of its log."""
    command = [find_compiler(), *flags_of(torch)]
    command += ["-I", str(torch.include), "-I", str(torch.include / "torch/csrc/api/include"), "-I", str(python_include())]
    command.append(str(PROBE_FOLDER / "probe.cpp"))
    command += ["-L", str(torch.lib), *(f"-l{name}" for name in LIBRARIES)]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            made = Path(folder) / target.name
            log = target.parent / "build.log"
            with tempfile.TemporaryFile() as output:
                code = subprocess.run([*command, "-o", str(made)], stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False).returncode
                output.seek(0)
                log.write_bytes(" ".join(command).encode() + b"\n" + output.read())
            if code != 0:
                raise BuildError("compile_failed", f"The probe does not compile with torch {torch.version}; the compiler's output is in {log}.", str(log))
            os.replace(made, target)
    except OSError as error:
        raise BuildError("cannot_write", f"The probe cannot be written below {target.parent}: {error.strerror}.") from None


def default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "tensorscope" / "probe"


def build(cache: Path, *, is_check: bool) -> BuildResult:
    begin = time.monotonic()
    try:
        torch = find_torch()
        target = library_path(torch, cache)
        if target.is_file():
            return BuildResult("cached", str(target), time.monotonic() - begin)
        if is_check:
            find_compiler(), python_include()  # so that the host can say before the launch what is not there
            return BuildResult("missing", str(target))
        compile_probe(torch, target)
    except BuildError as error:
        return BuildResult("error", seconds=time.monotonic() - begin, error=error.kind, message=str(error), log=error.log)
    return BuildResult("built", str(target), time.monotonic() - begin)


def main() -> int:
    parser = argparse.ArgumentParser(prog="build.py")
    parser.add_argument("--cache", type=Path, default=None)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    result = build(options.cache or default_cache(), is_check=options.check)
    print(json.dumps(asdict(result)))
    return 1 if result.state == "error" else 0


if __name__ == "__main__":
    if sys.path and Path(sys.path[0] or ".").resolve() == PROBE_FOLDER.parent:
        del sys.path[0]  # the agent's own files must not be met in place of anybody's modules
    sys.exit(main())
