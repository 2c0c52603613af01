"""What a wheel must hold: the probe's sources, which are compiled on the user's machine, and the resources, which lie outside the package here."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib", reason="reads pyproject.toml with the standard library of Python 3.11")
ROOT = Path(__file__).resolve().parent.parent


def settings() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]  # type: ignore[no-any-return]


def tracked(*patterns: str) -> set[str]:
    """Files of the working tree below the root, as they would be packed."""
    return {str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.glob(pattern) if path.is_file() and "__pycache__" not in path.parts}


def test_every_folder_with_code_is_packed() -> None:
    folders = {str(Path(file).parent).replace("/", ".") for file in tracked("tensorscope/**/*.py", "tensorscope/**/*.pyi")}
    assert folders | {"tensorscope.resources"} == set(settings()["packages"])  # type: ignore[call-overload]


def test_a_wheel_holds_code_probe_sources_and_resources(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE", "tensorscope", "resources"):
        (tmp_path / name).symlink_to(ROOT / name)
    build = f"import setuptools.build_meta as b; print(b.build_wheel({str(tmp_path)!r}))"
    result = subprocess.run([sys.executable, "-c", build], cwd=tmp_path, capture_output=True, text=True, check=False)
    if result.returncode:
        pytest.fail(result.stderr)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    code = tracked("tensorscope/**/*.py", "tensorscope/agent/probe/*")
    resources = {f"tensorscope/{name}" for name in tracked("resources/**/*")}
    assert code | resources | {"tensorscope/py.typed"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
