"""Counts iterations.

An iteration ends at an optimizer's step, and is told there, so that a killed script's last one is known. Steps with no backward between them end one: a
further step tells it again, with its own time. A step that GradScaler skips ends it too. Backwards inside a step (LBFGS's closure) lie inside one iteration.
Once Dynamo has compiled something, the same optimizer stepping again with no backward between means that the backward was not seen, being compiled too: then
each step ends one. A step that is compiled is seen at the next backward (see ``unseen_steps``).

While no optimizer exists an iteration ends with the loop turn of its outermost backward. Nothing of Python tells when a turn ends, so it is told when a
backward begins again at the source line at which this iteration's first one began. Its end time is then that of this next backward's begin, and
``is_estimated`` says so: the turn really ended earlier, at the first operator above that line (``source``).
"""

from collections.abc import Callable
from typing import Any, Final

from tensorscope.agent.patches import Compiling
from tensorscope.agent.watch import Watch

UNSEEN_BACKWARD: Final = "An optimizer stepped again with no backward between, after torch.compile has compiled code: the backward's nodes are not seen."


class Iterations:
    def __init__(self, watch: Watch, compiling: Compiling, limit: int = 0) -> None:
        """``limit``: the probe goes off once as many have ended; 0: never."""
        self._watch = watch
        self._compiling = compiling
        self._limit = limit
        self.index = 0  # of the one that runs, or whose step has ended while no backward has begun since
        self.on_index: list[Callable[[], None]] = []  # called when the index has counted up
        self._stepped: list[int] = []  # the optimizers whose steps have ended this iteration
        self._stepped_before = 0  # how many ended the one before
        self._learning_rate: float | None = None
        self.has_optimizer = False
        self._first_source: tuple[str, int] | None = None

    @property
    def has_stepped(self) -> bool:
        """Whether a step has ended this iteration, and no backward has begun since."""
        return bool(self._stepped)

    def step_ends(self, optimizer: int, learning_rate: float | None) -> None:
        """``optimizer`` has stepped, or its step was skipped by a GradScaler."""
        if self._compiling.has_compiled and optimizer in self._stepped:
            self._watch.warn("backwards", UNSEEN_BACKWARD)
            self.next_begins()
        if not self._stepped:
            self._learning_rate = learning_rate
        self.has_optimizer = True
        if optimizer not in self._stepped:
            self._stepped.append(optimizer)
        self._tell(self._watch.now_ns(), self._stepped, self._learning_rate)

    def unseen_step_ends(self, optimizers: list[int], time_ns: int) -> None:
        """Steps that nobody saw have ended this iteration at some time before a moment."""
        self._stepped = optimizers
        self._tell(time_ns, optimizers, None, is_estimated=True)

    def backward_begins(self, source: tuple[str, int] | None, begin_ns: int) -> bool:
        """An outermost backward of a script without optimizers begins; says whether an iteration ended just before."""
        if self._first_source is None:
            self._first_source = source
            return False
        if source == self._first_source:
            self._turn_ends(begin_ns)
            return True
        return False

    def next_begins(self) -> None:
        """No further step belongs to the one that has ended, if one has."""
        if self._stepped:
            self._stepped_before, self._stepped = len(self._stepped), []
            self._count_up()

    def script_ends(self) -> None:
        """The last iteration of a script without optimizers ends here, if it had a backward."""
        if not self.has_optimizer and self._first_source is not None:
            self._turn_ends(self._watch.now_ns())
            self._first_source = None

    def stop_at_limit(self, optimizers: int) -> None:
        """Switch the probe off if as many have ended as are wanted.

        The last of them may wait for further steps, as many as the one before had; the first one for one of each of the ``optimizers`` that there are.
        """
        is_whole = len(self._stepped) >= (self._stepped_before or max(optimizers, 1))
        if self._limit and self.index + is_whole >= self._limit:
            self._watch.probe.switch_off()

    def _turn_ends(self, time_ns: int) -> None:
        assert self._first_source is not None
        self._tell(time_ns, [], None, is_estimated=True, source=f"{self._first_source[0]}:{self._first_source[1]}")
        self._count_up()

    def _tell(self, time_ns: int, optimizers: list[int], learning_rate: float | None, **more: Any) -> None:
        self._watch.tell("iteration", index=self.index, time_ns=time_ns, learning_rate=learning_rate, optimizers=optimizers, **more)

    def _count_up(self) -> None:
        self.index += 1
        for count in self.on_index:
            count()
