"""A layout under way: how far it has come, and the wish to stop it. Made by the panel, checked by the worker."""

from typing import Final

from tensorscope.errors import TensorScopeError
from tensorscope.language import tr

CHECKS_A_NODE: Final = 2.2  # measured on a flat LSTM and a deep transformer: 2.0 and 2.2


class LayoutCancelled(TensorScopeError):
    """The user did not want to wait, or wants something else by now."""

    def __init__(self) -> None:
        super().__init__(tr("The layout was cancelled."))


class GraphWork:
    """``check`` is called on the worker; everything else on the thread that made it. Plain numbers and a flag: no lock is needed."""

    def __init__(self, nodes: int) -> None:
        self._nodes = max(nodes, 1)
        self._checks = 0
        self.is_cancelled = False

    @property
    def share(self) -> float:
        """0 to 1: of what opening every node would take."""
        return min(self._checks / (self._nodes * CHECKS_A_NODE), 1.0)

    def cancel(self) -> None:
        self.is_cancelled = True

    def check(self) -> None:
        """Raises LayoutCancelled."""
        self._checks += 1
        if self.is_cancelled:
            raise LayoutCancelled
