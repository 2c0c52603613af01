"""The words of the field that the tables keep as keys, as people read them."""

from typing import Final

from tensorscope.language import tr, tr_later

_WORDS: Final = {
    "parameter": tr_later("parameter"),
    "buffer": tr_later("buffer"),
    "optimizer_state": tr_later("optimizer state"),
    "input": tr_later("input"),
    "gradient": tr_later("gradient"),
    "activation": tr_later("activation"),
    "temporary": tr_later("temporary"),
    "unknown": tr_later("unknown"),
    "forward": tr_later("forward"),
    "backward": tr_later("backward"),
    "optimizer": tr_later("optimizer"),
    "other": tr_later("other"),
    "raw": tr_later("raw"),
    "unscaled": tr_later("unscaled"),
    "clipped": tr_later("clipped"),
    "Before the first iteration": tr_later("Before the first iteration"),
    "Outside of iterations": tr_later("Outside of iterations"),
}


def word_of(key: str) -> str:
    """A category, phase or stage in the user's language; others as they are."""
    return tr(_WORDS.get(key, key))
