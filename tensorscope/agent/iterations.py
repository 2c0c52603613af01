"""Counts iterations.

An iteration ends at an optimizer's step; steps with no backward between them end one, so the end is told when the next backward, a hold or the
script's end shows that no further step belongs to it. A step that GradScaler skips ends it too. Backwards inside a step (LBFGS's closure) lie
inside one iteration.

While no optimizer exists an iteration ends with the loop turn of its outermost backward. Nothing of Python tells when a turn ends, so it is told when a
backward begins again at the source line at which this iteration's first one began. Its end time is then that of this next backward's begin, and
``is_estimated`` says so: the turn really ended earlier, at the first operator above that line (``source``).
"""

from collections.abc import Callable
from typing import Any

from tensorscope.agent.watch import Watch


class Iterations:
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.index = 0
        self.on_index: list[Callable[[], None]] = []  # called when the index has counted up
        self._ended_at_ns = 0  # of the newest step, while its iteration is not told yet
        self._optimizers: list[int] = []
        self._learning_rate: float | None = None
        self.has_optimizer = False
        self._first_source: tuple[str, int] | None = None

    def step_ends(self, optimizer: int, learning_rate: float | None) -> None:
        """``optimizer`` has stepped, or its step was skipped by a GradScaler."""
        if self._ended_at_ns == 0:
            self._optimizers, self._learning_rate = [], learning_rate
        self.has_optimizer = True
        self._ended_at_ns = self._watch.now_ns()
        self._optimizers.append(optimizer)

    def backward_begins(self, source: tuple[str, int] | None, begin_ns: int) -> bool:
        """An outermost backward of a script without optimizers begins; says whether an iteration ended just before."""
        if self._first_source is None:
            self._first_source = source
            return False
        if source == self._first_source:
            self._tell(begin_ns, [], None, is_estimated=True, source=f"{source[0]}:{source[1]}" if source else "")
            return True
        return False

    def tell_ended(self) -> None:
        """Tell the iteration whose last step is known to be over."""
        if self._ended_at_ns:
            ended_at_ns, self._ended_at_ns = self._ended_at_ns, 0
            self._tell(ended_at_ns, self._optimizers, self._learning_rate)

    def script_ends(self) -> None:
        """The last iteration of a script without optimizers ends here, if it had a backward."""
        if not self.has_optimizer and self._first_source is not None:
            self._tell(self._watch.now_ns(), [], None, is_estimated=True, source=f"{self._first_source[0]}:{self._first_source[1]}")
            self._first_source = None
        self.tell_ended()

    def _tell(self, ended_at_ns: int, optimizers: list[int], learning_rate: float | None, **more: Any) -> None:
        self._watch.tell("iteration", index=self.index, time_ns=ended_at_ns, learning_rate=learning_rate, optimizers=optimizers, **more)
        self.index += 1
        for count in self.on_index:
            count()
