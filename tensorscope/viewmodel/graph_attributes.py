"""What a node keeps of its operator's call, in one line: ``dim=-1, keepdim=True``."""

from typing import Final

from tensorscope.analysis.results import GraphNode

LETTER: Final = 6.7  # px of one in the code font of captions
_OF_SHAPES: Final = ("_sym_sizes", "_sym_strides", "_sym_numel", "_sym_sizes_opt")  # they stand on the edges
_FIRST: Final = ("dim", "keepdim", "stride", "padding", "eps", "training", "p", "exponent", "value")  # what one asks for most
_PYTHON: Final = {"true": "True", "false": "False"}


def attribute_words(node: GraphNode) -> str:
    """ "" where there is nothing but shapes. What is asked for most stands first: the end may be cut."""
    kept = [(name, value) for name, value in node.attributes if not name.endswith(_OF_SHAPES)]
    kept.sort(key=lambda one: _FIRST.index(one[0]) if one[0] in _FIRST else len(_FIRST))
    return ", ".join(f"{name}={_PYTHON.get(value, value.replace(', ', ','))}" for name, value in kept)
