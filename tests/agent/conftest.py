"""The real probe, built once, and a folder that scripts are written to."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agent.harness import Host, Result, watched

BUILD = Path(__file__).resolve().parents[2] / "tensorscope" / "agent" / "build.py"
Watcher = Callable[..., Result]


@pytest.fixture(scope="session")
def probe(probe_cache: Path) -> Path:
    """The library; skips where it cannot be built, saying why."""
    done = subprocess.run([sys.executable, str(BUILD), "--cache", str(probe_cache)], capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    if answer["error"] in ("no_compiler", "no_python_headers"):
        pytest.skip(answer["message"])
    assert done.returncode == 0, answer["message"]
    return Path(answer["library"])


@pytest.fixture
def watch(probe: Path, tmp_path: Path) -> Watcher:
    """Write a script and run it under the agent; what it says to be off or unseen must be ``off``."""

    def run(
        source: str,
        *arguments: str,
        host: Host | None = None,
        may_fail: bool = False,
        breaks: tuple[str, ...] = (),
        options: tuple[str, ...] = (),
        off: tuple[str, ...] = (),
    ) -> Result:
        script = tmp_path / "script.py"
        script.write_text(source)
        result = watched(script, *arguments, probe=probe, host=host, breaks=breaks, options=options)
        assert tuple(message["tracker"] for message in result.collected.told("tracker_off")) == off, result.collected.told("tracker_off")
        assert not [said for said in result.said if said["type"] == "reply"], result.said
        assert may_fail or result.code == 0, result.stderr.decode()
        return result

    return run
