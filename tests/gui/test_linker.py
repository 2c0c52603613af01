"""The workspace learns what belongs to its selection, of the newest selection and snapshot only."""

from collections.abc import Callable
from typing import Any

from tensorscope.gui.linker import Linker
from tensorscope.viewmodel.linked import NOTHING
from tensorscope.viewmodel.workspace import Aspect, SourceSelection, Workspace
from tests.support.demo_run import SCRIPT, line_of
from tests.support.demo_trace import demo_snapshot

GELU = SourceSelection(str(SCRIPT), line_of("x = self.gelu(x)"))
HEAD = SourceSelection(str(SCRIPT), line_of("return self.lm_head(self.ln_f(x))"))
Job = tuple[Callable[[], Any], Callable[[Any], None]]


def run(job: Job) -> None:
    compute, show = job
    show(compute())


def test_what_belongs_to_the_newest_selection_is_told_once_it_is_found() -> None:
    workspace, jobs, snapshot = Workspace(), list[Job](), demo_snapshot(is_held=False)
    told: list[Aspect] = []
    workspace.observe(told.append)
    linker = Linker(workspace, lambda: snapshot, lambda key, compute, show: jobs.append((compute, show)))
    workspace.select(GELU)
    workspace.select(HEAD)
    run(jobs[0])  # late: another thing is selected now
    assert workspace.linked == NOTHING
    run(jobs[1])
    assert workspace.linked.lines[0].line == HEAD.line
    assert told == [Aspect.SELECTION, Aspect.SELECTION, Aspect.LINKED]
    linker.look_again()
    assert len(jobs) == 2  # nothing is another one
    workspace.select(None)
    assert (workspace.linked, len(jobs)) == (NOTHING, 2)


def test_another_snapshot_is_looked_at_again() -> None:
    workspace, jobs = Workspace(), list[Job]()
    snapshots = [demo_snapshot(is_held=False)]
    linker = Linker(workspace, lambda: snapshots[-1], lambda key, compute, show: jobs.append((compute, show)))
    workspace.select(GELU)
    snapshots.append(demo_snapshot(is_held=True))
    linker.look_again()
    assert len(jobs) == 2
    run(jobs[1])
    assert workspace.linked.lines[0].line == GELU.line
