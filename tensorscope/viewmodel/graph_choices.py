"""What the user has chosen to see of the graph: which groups stand open, which backward, which way it reads, what the colours and a path show."""

from collections.abc import Callable
from dataclasses import replace

from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_backwards import Backwards
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_open import OpenState, expanded
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_path import Ends
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind


class GraphChoices:
    """``shown`` gives the view that the user sees; ``changed`` is called after each choice. GUI thread."""

    def __init__(self, shown: Callable[[], GraphView | None], changed: Callable[[], None]) -> None:
        self._shown = shown
        self._changed = changed
        self.state = OpenState()
        self.anchor: BoxKey | None = None  # stays where it is on the screen when the layout changes
        self.backwards = Backwards()
        self.measure = Measure.PROGRESS
        self.options = GraphOptions()
        self.ends: Ends | None = None  # of a path
        self.path_from: BoxKey | None = None  # the next click says where the path leads
        self.has_closed_list = False  # of what changed

    # groups

    def toggle(self, key: BoxKey) -> None:
        """Open or close a group, unroll equal ones."""
        view = self._shown()
        if view is None or key not in view.scene.index:
            return
        box = view.scene.boxes[view.scene.index[key]]
        self.set_state(self.state.unrolling(box.groups) if box.kind is BoxKind.RUN else self.state.toggled(box.groups[0]), key)

    def pin(self, key: BoxKey) -> None:
        """Keep a module open, or let it go again."""
        view = self._shown()
        if view is not None and key.group in view.tree.groups:
            pinned = [view.tree.groups[each] for each in sorted(self.state.pinned, key=str) if each in view.tree.groups]
            self.set_state(self.state.pinning(view.tree.groups[key.group], pinned), key)

    def expand_all(self) -> None:
        view = self._shown()
        if view is not None:
            self.set_state(replace(expanded(view.tree.groups.values(), None), pinned=self.state.pinned, around_pinned=self.state.around_pinned))

    def collapse_all(self) -> None:
        self.set_state(self.state.collapsed())

    def set_state(self, state: OpenState, anchor: BoxKey | None = None) -> None:
        self.state, self.anchor = state, anchor
        self._changed()

    # paths

    def begin_path(self, key: BoxKey) -> None:
        self.path_from = key
        self._changed()

    def end_path(self, ends: Ends | None) -> None:
        """Show the path between two boxes; None: none any more."""
        self.ends, self.path_from = ends, None
        self._changed()

    def leave_path(self) -> None:
        """The other end will not be chosen."""
        self.path_from = None
        self._changed()

    # backwards and what is shown of them

    def step_backward(self, step: int) -> None:
        number = self.backwards.beside(self._shown(), step)
        if number is not None:
            self.show_backward(number)

    def show_backward(self, number: int | None) -> None:
        """None: follow the cursor and the run again."""
        self.backwards.pinned = number
        self._changed()

    def show_measure(self, measure: Measure) -> None:
        if measure is self.measure and not self.has_closed_list:
            return
        self.measure, self.has_closed_list = measure, False
        self._changed()

    def compare_with(self, backward: int | None) -> None:
        """Show what changed since another backward; None: since the nearest of equal shape."""
        self.backwards.other = backward
        self.measure, self.has_closed_list = Measure.CHANGE, False
        self._changed()

    def show_options(self, options: GraphOptions) -> None:
        self.options = options
        self._changed()

    def close_list(self) -> None:
        """Of a path, which goes, or of what changed, whose colours stay."""
        if self.ends is not None:
            self.end_path(None)
        else:
            self.has_closed_list = True
            self._changed()
