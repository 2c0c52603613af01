"""The desk that the tests of the graph panel work at."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tests.graph.desk import Desk
from tests.support.demo_trace import demo_snapshot


@pytest.fixture
def desk(qapp: QApplication) -> Iterator[Desk]:
    made = Desk(demo_snapshot())
    yield made
    made.close()
