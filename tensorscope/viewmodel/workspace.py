"""The one place where the shown rank, selection, what belongs to it, cursor and view range live.

GUI thread only; observers are called at once, in order of registration.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from tensorscope.viewmodel.linked import NOTHING, Linked


@dataclass(frozen=True, slots=True)
class NodeSelection:
    backward: int
    node: int


@dataclass(frozen=True, slots=True)
class ModuleSelection:
    module: str
    backward: int | None = None


@dataclass(frozen=True, slots=True)
class ParameterSelection:
    parameter: str
    iteration: int | None = None
    backward: int | None = None


@dataclass(frozen=True, slots=True)
class StorageSelection:
    data: int
    seen_ns: int


@dataclass(frozen=True, slots=True)
class BlockSelection:
    address: int
    begin_ns: int
    device: str


@dataclass(frozen=True, slots=True)
class OperatorSelection:
    operator: int


@dataclass(frozen=True, slots=True)
class SourceSelection:
    file: str
    line: int


Selection = NodeSelection | ModuleSelection | ParameterSelection | StorageSelection | BlockSelection | OperatorSelection | SourceSelection


class Aspect(Enum):
    SELECTION = auto()
    LINKED = auto()
    CURSOR = auto()
    RANGE = auto()
    FOLLOW = auto()
    RANK = auto()


_OF_ONE_RANK = (StorageSelection, BlockSelection, OperatorSelection)  # what they name means something else, or nothing, in another process


class Workspace:
    """Selection, cursor and range shared by all panels, and the rank that they show."""

    def __init__(self) -> None:
        self._rank = 0
        self._selection: Selection | None = None
        self._linked = NOTHING
        self._cursor_ns: int | None = None  # None: now (live) or the end
        self._rest_ns: int | None = None
        self._range_ns: tuple[int, int] | None = None  # None: everything
        self._is_following = True
        self._observers: list[Callable[[Aspect], None]] = []

    @property
    def rank(self) -> int:
        return self._rank

    @property
    def selection(self) -> Selection | None:
        return self._selection

    @property
    def linked(self) -> Linked:
        """All that the selection means, once it has been looked up."""
        return self._linked

    @property
    def cursor_ns(self) -> int | None:
        return self._cursor_ns

    @property
    def is_looking_back(self) -> bool:
        """The user moved the cursor away from where the window set it by itself (or from now)."""
        return self._cursor_ns not in (None, self._rest_ns)

    @property
    def range_ns(self) -> tuple[int, int] | None:
        return self._range_ns

    @property
    def is_following(self) -> bool:
        return self._is_following

    def show_rank(self, rank: int) -> None:
        """Look at another rank. What is selected by a name stays selected."""
        if rank != self._rank:
            self._rank = rank
            if isinstance(self._selection, _OF_ONE_RANK):
                self._selection = None
            self._linked = NOTHING
            self._tell(Aspect.RANK)

    def select(self, selection: Selection | None) -> None:
        if selection != self._selection:
            self._selection = selection
            self._linked = NOTHING
            self._tell(Aspect.SELECTION)

    def show_linked(self, links: Linked) -> None:
        if links != self._linked:
            self._linked = links
            self._tell(Aspect.LINKED)

    def move_cursor(self, time_ns: int | None) -> None:
        if time_ns != self._cursor_ns:
            self._cursor_ns = time_ns
            self._tell(Aspect.CURSOR)

    def rest_at(self, time_ns: int | None) -> None:
        """The run is over: look at the moment worth seeing, which is not looking back."""
        self._rest_ns = time_ns
        self.move_cursor(time_ns)

    def return_to_rest(self) -> None:
        """Stop looking back: to now while the script runs, to the moment worth seeing when it is over."""
        self.move_cursor(self._rest_ns)

    def show_range(self, range_ns: tuple[int, int] | None) -> None:
        if range_ns != self._range_ns:
            self._range_ns = range_ns
            self._tell(Aspect.RANGE)

    def follow(self, is_following: bool) -> None:
        if is_following != self._is_following:
            self._is_following = is_following
            self._tell(Aspect.FOLLOW)

    def observe(self, observer: Callable[[Aspect], None]) -> Callable[[], None]:
        """Register; returns a function that unregisters."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    def _tell(self, aspect: Aspect) -> None:
        for observer in tuple(self._observers):
            observer(aspect)
