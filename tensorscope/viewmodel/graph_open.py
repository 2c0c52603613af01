"""Which groups stand open. Immutable, so that a worker can read it while the user goes on clicking; the same for all backwards of equal shape."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from tensorscope.viewmodel.graph_tree import Group, GroupKey

MIN_RUN = 3  # fewer equal siblings are not rolled up


@dataclass(frozen=True, slots=True)
class OpenState:
    opened: frozenset[GroupKey] = frozenset()  # by the user
    closed: frozenset[GroupKey] = frozenset()  # by the user, of those that would stand open
    unrolled: frozenset[GroupKey] = frozenset()  # members of a run that the user opened
    revealed: frozenset[GroupKey] = frozenset()  # around what is held or selected, until that moves on
    pinned: frozenset[GroupKey] = frozenset()  # stay open whatever closes the others
    around_pinned: frozenset[GroupKey] = frozenset()

    def is_open(self, group: Group) -> bool:
        if group.key in self.pinned or group.key in self.around_pinned:
            return True
        if group.key in self.closed:
            return False
        return group.key in self.opened or group.key in self.revealed or group.is_alone

    def toggled(self, group: Group) -> "OpenState":
        if group.key in self.around_pinned:
            return self
        if self.is_open(group):
            inside = frozenset(child.key for child in group.children if isinstance(child, Group))
            return replace(
                self,
                opened=self.opened - {group.key},
                closed=self.closed | {group.key} if group.is_alone else self.closed,
                unrolled=self.unrolled - inside,
                revealed=self.revealed - {group.key},
                pinned=self.pinned - {group.key},
            )
        return replace(self, opened=self.opened | {group.key}, closed=self.closed - {group.key})

    def pinning(self, group: Group, pinned_groups: Iterable[Group] = ()) -> "OpenState":
        """Keep a group open, or let it go again where it is pinned. ``pinned_groups``: all that are pinned so far."""
        is_pinned = group.key in self.pinned
        kept = [each for each in pinned_groups if each.key != group.key]
        pinned = [*kept, *(() if is_pinned else (group,))]
        around = frozenset(above.key for each in pinned for above in _above(each))
        opened = self.opened | {group.key} if is_pinned else self.opened
        return replace(self, pinned=frozenset(each.key for each in pinned), around_pinned=around, opened=opened, closed=self.closed - {group.key})

    def collapsed(self) -> "OpenState":
        """Everything closed but what is pinned, and rolled up again."""
        return OpenState(pinned=self.pinned, around_pinned=self.around_pinned)

    def unrolling(self, run: tuple[Group, ...]) -> "OpenState":
        """Show the members of a run one by one, until the group around them closes."""
        return replace(self, unrolled=self.unrolled | frozenset(group.key for group in run))

    def revealing(self, path: tuple[Group, ...]) -> "OpenState":
        """Open the way to a node; what was opened for the last one closes again."""
        keys = frozenset(group.key for group in path)
        return replace(self, revealed=keys, closed=self.closed - keys)


def expanded(groups: Iterable[Group], depth: int | None) -> OpenState:
    """Everything down to a depth stands open (0: nothing does, None: all), equal groups of that depth one by one."""
    known = list(groups)
    opened = frozenset(group.key for group in known if depth is None or group.depth <= depth)
    return OpenState(opened, frozenset(group.key for group in known) - opened, opened)


def _above(group: Group) -> Iterator[Group]:
    """The groups around a group, the top left out."""
    parent = group.parent
    while parent is not None and parent.parent is not None:
        yield parent
        parent = parent.parent


class Unit(NamedTuple):
    """What is drawn as one thing on a level: a node, a group, or a run of equal groups rolled up."""

    children: tuple[int, ...]  # indices into the group's children
    is_open: bool = False


def units_of(group: Group, state: OpenState) -> tuple[Unit, ...]:
    """Split a group's children into what is drawn, runs of equal closed siblings rolled up."""
    runs = {run[0]: run for run in _runs(group, state)}
    rolled = {child for run in runs.values() for child in run}
    units = []
    for index, child in enumerate(group.children):
        if index in runs:
            units.append(Unit(runs[index]))
        elif index not in rolled:
            units.append(Unit((index,), isinstance(child, Group) and state.is_open(child)))
    return tuple(units)


def _runs(group: Group, state: OpenState) -> list[tuple[int, ...]]:
    """Chains of at least MIN_RUN equal closed groups of which each sends all it has to the next: nothing can lie between them."""
    can_roll = [isinstance(child, Group) and not state.is_open(child) and child.key not in state.unrolled for child in group.children]
    if sum(can_roll) < MIN_RUN:
        return []
    targets: dict[int, set[int | None]] = {}
    for wire in group.wires:
        if wire.source is not None:
            targets.setdefault(wire.source, set()).add(wire.target)
    following: dict[int, int] = {}
    for index, child in enumerate(group.children):
        onward = targets.get(index, set())
        if not can_roll[index] or len(onward) != 1:
            continue
        (after,) = onward
        if after is None or not can_roll[after]:
            continue
        other = group.children[after]
        if isinstance(child, Group) and isinstance(other, Group) and child.signature == other.signature:
            following[index] = after
    runs = []
    for start in sorted(following.keys() - set(following.values())):
        run = [start]
        while run[-1] in following and following[run[-1]] not in run:
            run.append(following[run[-1]])
        if len(run) >= MIN_RUN:
            runs.append(tuple(run))
    return runs
