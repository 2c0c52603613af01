"""What of a graph is shown and which way it reads: the user's switches, the same for the panel and the exports."""

from dataclasses import dataclass
from enum import Enum


class Flow(Enum):
    """Which way the rows follow one another; the value is what the user reads."""

    DOWN = "top to bottom"
    RIGHT = "left to right"


class Reading(Enum):
    """What the arrows follow: the gradients from the loss on, or the data from the inputs on."""

    GRADIENTS = "as gradients flow"
    DATA = "as data flows"


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """Immutable, so that it may be part of a cache's key."""

    flow: Flow = Flow.DOWN
    reading: Reading = Reading.GRADIENTS
    has_shapes: bool = True  # on the edges
    has_dtypes: bool = False  # behind the shapes
    has_times: bool = True
    has_saved: bool = True  # bytes on the node that keeps them
    has_parameters: bool = True  # badges
    has_attributes: bool = False  # ``dim=-1`` on a second line of the node
    has_full_names: bool = False  # ``AddmmBackward0`` and ``h.7.mlp`` instead of ``Addmm`` and ``mlp``

    @property
    def is_sideways(self) -> bool:
        return self.flow is Flow.RIGHT

    @property
    def is_mirrored(self) -> bool:
        """The rows stand in the opposite order, so that arrows along the data run downwards (or to the right) too."""
        return self.reading is Reading.DATA
