"""Holding and letting go of the processes of a live session, rank by rank."""

from collections.abc import Callable, Sequence

from tensorscope.language import tr
from tensorscope.session.rank_table import RankTable
from tensorscope.session.session import StepKind
from tensorscope.session.watched import WatchedProcess


class Steering:
    """Any thread. ``runs`` says whether the script is there to be steered; breakpoints are kept from before that."""

    def __init__(self, ranks: RankTable, breakpoints: Sequence[str], runs: Callable[[], bool], warn: Callable[[str], None]) -> None:
        self._ranks = ranks
        self._runs = runs
        self._warn = warn
        self._are_all_paused = False  # nobody was let go on since
        self.breakpoints = tuple(breakpoints)

    def pause(self, rank: int | None) -> None:
        """Hold before the next node of any backward."""
        if not self._runs():
            return
        self._are_all_paused = rank is None or self._are_all_paused
        for process in self._ranks.chosen(rank):
            if process.trace.facts.get("probe") == "python":
                self._warn(tr("The Python probe cannot stop in a backward. Install the package g++ and start again."))
            else:
                process.pause()

    def step(self, kind: StepKind, rank: int | None) -> None:
        if self._runs():
            self._ranks.process(rank).step(kind)

    def resume(self, rank: int | None) -> None:
        if self._runs():
            self._are_all_paused = False
            for process in self._ranks.chosen(rank):
                process.resume()

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        self.breakpoints = tuple(specs)
        for process in self._ranks.processes:
            process.set_breakpoints(specs)

    def met(self, process: WatchedProcess) -> None:
        """A process was met that was not launched: it holds where the others do."""
        if self.breakpoints:
            process.set_breakpoints(self.breakpoints)
        if self._are_all_paused:
            process.pause(is_coming=True)
