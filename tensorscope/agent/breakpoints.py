"""The host's breakpoints: says to the probe which of them each name, line, module and parameter fits, and which iteration's may hold now.

The host sends a new list as a message and then counts up a word of the area. The next node's thread reads the message, or the held one does.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from tensorscope.agent.iterations import Iterations
from tensorscope.agent.modules import Modules
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch
from tensorscope.errors import ProtocolError
from tensorscope.protocol.breakpoints import MOST, Breakpoint, line_spec, parse_breakpoint

LEAF: Final = "AccumulateGrad"


class Breakpoints:
    def __init__(self, watch: Watch, modules: Modules, parameters: Parameters, iterations: Iterations) -> None:
        self._watch = watch
        self._modules = modules
        self._parameters = parameters
        self._iterations = iterations
        self._all: list[Breakpoint] = []  # by bit; plain lines are one, without a spec of its own
        self._spent: set[int] = set()  # bits that have held in this iteration and hold once
        self.number = 0  # of the host's list that is obeyed

    def install(self, specs: Sequence[str], tracker: str) -> None:
        """Obey those of the command line; ``tracker`` is who is switched off when this fails."""
        self._watch.probe.set_on_judge(self._watch.guard_from_c(tracker, self._judge))
        self._iterations.on_index.append(self._iteration_begins)
        if specs:
            self._obey(specs)

    def remove(self) -> None:
        self._all = []
        self._tell_probe(are_others=True)
        self._watch.probe.set_on_judge(None)

    def take(self, message: dict[str, Any]) -> None:
        """A ``breakpoints`` message of the host's."""
        self._obey([str(spec) for spec in message.get("specs", ())])
        self.number = int(message.get("number", 0))
        self._watch.probe.breakpoints_taken(self.number)

    def take_none(self) -> None:
        """There is no host any more."""
        self.take({"number": self._watch.probe.breakpoints_wanted()})

    def asks_gradient(self, bits: int) -> bool:
        """Whether all of these also ask what flows into the node: then the probe stands in the start of its function."""
        return bits != 0 and bits & self._by_gradient() == bits

    def meet(self, bits: int, file: str, line: int) -> list[str]:
        """They hold now, at a node with this forward line: what they say."""
        met = [(bit, one) for bit, one in enumerate(self._all) if bits >> bit & 1]
        once = {bit for bit, one in met if one.is_once}
        if once:
            self._spent |= once
            self._tell_probe(are_others=False)
        return [one.spec or line_spec(file, line) for _, one in met]

    def _obey(self, specs: Sequence[str]) -> None:
        found: list[Breakpoint] = []
        lines: list[tuple[str, int]] = []
        for spec in specs:
            try:
                one = parse_breakpoint(spec)
            except ProtocolError:
                continue  # of a host with more kinds
            if one == Breakpoint(spec, lines=one.lines):
                lines += one.lines
            else:
                found.append(one)
        if lines:
            found.insert(0, Breakpoint("", lines=tuple(lines)))
        self._all = found[: MOST + 1]
        self._spent.clear()
        self._tell_probe(are_others=True)

    def _iteration_begins(self) -> None:
        if any(one.iterations for one in self._all):
            self._spent.clear()
            self._tell_probe(are_others=False)

    def _tell_probe(self, *, are_others: bool) -> None:
        now = self._iterations.index
        active = _bits(not one.iterations or now in one.iterations for one in self._all) & ~sum(1 << bit for bit in self._spent)
        limits = [(one.is_nonfinite, one.above, one.below) for one in self._all]
        self._watch.probe.set_breakpoints(active, self._by_gradient(), limits, are_others)

    def _by_gradient(self) -> int:
        return _bits(one.asks_gradient for one in self._all)

    def _judge(self, kind: int, identity: int, text: str, line: int) -> int:
        """Bits of those that one property of a node fits. A leaf has no line, and any other node no parameter."""
        match kind:
            case 0:  # a node's name
                return _bits(one.fits_node(text) and not (one.parameters and text != LEAF) for one in self._all)
            case 1:  # a forward line
                return _bits(one.fits_line(text, line) for one in self._all)
            case 2:  # a module
                fqn = self._modules.fqn_of(identity)
                return _bits(one.fits_module(fqn) if fqn is not None else not one.modules for one in self._all)
            case _:
                return self._judge_parameter(identity)

    def _judge_parameter(self, identity: int) -> int:
        known = self._parameters.by_id(identity)
        fqn = self._modules.fqn_of(known.module) if known is not None and known.module else None
        return _bits(
            not one.lines
            and (not one.parameters or (known is not None and one.fits_parameter(known.fqn)))
            and (not one.modules or (fqn is not None and one.fits_module(fqn)))
            for one in self._all
        )


def _bits(facts: Iterable[bool]) -> int:
    return sum(1 << bit for bit, is_so in enumerate(facts) if is_so)
