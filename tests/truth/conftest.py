"""Recordings that several truth tests ask: each script is recorded once a session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.truth.harness import SAMPLES, SCRIPTS, Recording, record


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory, probe_cache: Path) -> Callable[[str], Recording]:
    """``recorded("graphs.py")``: the recording of a truth script or a sample, made when first asked for."""
    known: dict[str, Recording] = {}

    def get(name: str) -> Recording:
        if name not in known:
            script = SAMPLES / name if (SAMPLES / name).exists() else SCRIPTS / name
            known[name] = record(script, tmp_path_factory.mktemp(script.stem))
        return known[name]

    return get
