"""Runs public training scripts plainly and recorded, compares them, and writes what came of it into docs/compatibility.md.

Usage: python -m tests.wild.public REPOSITORIES [--results FOLDER] [--only TEXT] [--write]

REPOSITORIES holds a clone of each repository of scripts.py at its commit, named as there. Each outcome is a file in
FOLDER; --write makes the page of them. Further packages of the environment: transformers, lightning, gymnasium, torch_geometric, gpytorch, opacus, deepxde, …
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.wild.public.compare import Outcome, compare
from tests.wild.public.document import page
from tests.wild.public.scripts import SCRIPTS, Script

PAGE = Path(__file__).resolve().parents[3] / "docs" / "compatibility.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.wild.public")
    parser.add_argument("repositories", type=Path)
    parser.add_argument("--results", type=Path, default=Path(tempfile.gettempdir()) / "tensorscope-public")
    parser.add_argument("--only", default="", help="only scripts whose repository or path contains this")
    parser.add_argument("--write", action="store_true", help="write docs/compatibility.md from the results")
    options = parser.parse_args()
    if options.write:
        PAGE.write_text(page({script: read(options.results, script) for script in SCRIPTS}), encoding="utf-8")
        return 0
    options.results.mkdir(parents=True, exist_ok=True)
    chosen = [script for script in SCRIPTS if options.only in title(script)]
    results = [run(script, options.repositories, options.results) for script in chosen]
    return int(any(result["differences"] for result in results))


def run(script: Script, repositories: Path, results: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as work:
        try:
            result = told(compare(script, repositories, Path(work)))
        except Exception as error:  # the next script is tried all the same
            result = {"differences": [f"{type(error).__name__}: {error}"]}
    file_of(results, script).write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(title(script), result, flush=True)
    return result


def read(results: Path, script: Script) -> dict[str, Any]:
    file = file_of(results, script)
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {"differences": ["not run"]}


def file_of(results: Path, script: Script) -> Path:
    return results / f"{re.sub('[^A-Za-z0-9.]+', '_', title(script))}.json"


def title(script: Script) -> str:
    return f"{script.repository.owner}/{script.repository.name} {script.name or script.path}"


def told(outcome: Outcome) -> dict[str, Any]:
    failed = [f"it fails plainly: {outcome.plain.stderr[-3:]}"] if outcome.plain.code else []
    return {
        "differences": [*failed, *outcome.differences],
        "digest": outcome.plain.digest,
        "lines": len(outcome.plain.stdout) + len(outcome.plain.stderr),
        "seconds": [outcome.plain.seconds, outcome.watched.seconds],
        **{name: outcome.told[name] for name in ("iterations", "backwards", "operators", "allocations", "torch_version", "python_version")},
    }


if __name__ == "__main__":
    sys.exit(main())
