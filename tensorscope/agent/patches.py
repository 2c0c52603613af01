"""Functions of torch that the probe's C callables replace, and that stand in their place again while Dynamo looks."""

from collections.abc import Callable, Iterator, MutableMapping
from types import ModuleType
from typing import Any, Final

from tensorscope.agent.watch import Watch
from tensorscope.agent.watcher import ImportWatcher

AFTER_COMPILING: Final = "torch.compile has compiled code, which would be compiled again at every call if these functions of torch were replaced any longer."


class Attribute:
    """A place that holds a function of torch: an attribute set on ``owner`` itself."""

    def __init__(self, owner: Any, name: str) -> None:
        self._owner = owner
        self._name = name

    def get(self) -> Any:
        return vars(self._owner).get(self._name)

    def put(self, value: Any) -> None:
        setattr(self._owner, self._name, value)


class Item:
    """A place in one of torch's dictionaries of hooks. Another value may stand there even while torch goes over the dictionary."""

    def __init__(self, items: MutableMapping[Any, Any], key: Any) -> None:
        self._items = items
        self._key = key

    def get(self) -> Any:
        return self._items.get(self._key)

    def put(self, value: Any) -> None:
        self._items[self._key] = value


class Patches:
    """One tracker's replacements. What the script has itself replaced since is left alone."""

    def __init__(self, compiling: "Compiling", shows: str = "", is_guarded: bool = False) -> None:
        """``shows``: what is not seen any more once Dynamo has compiled. ``is_guarded``: guards of compiled code look at these places."""
        self._compiling = compiling
        self.shows = shows
        self.is_guarded = is_guarded or bool(shows)
        self._made: list[tuple[Attribute | Item, Any, Any]] = []
        compiling.patches.append(self)

    def replace(self, owner: Any, name: str, wrap: Callable[[Any], Any]) -> None:
        """Put ``wrap(original)`` in the place of ``owner.name``, which must be set on ``owner`` itself."""
        self.replace_at(Attribute(owner, name), wrap)

    def replace_at(self, place: Attribute | Item, wrap: Callable[[Any], Any]) -> None:
        original = place.get()
        replacement = wrap(original)
        self._made.append((place, original, replacement))
        if not self._compiling.depth:
            place.put(replacement)

    def put_originals(self) -> None:
        for place, original, replacement in self._made:
            if place.get() is replacement:
                place.put(original)

    def put_replacements(self) -> None:
        for place, original, replacement in self._made:
            if place.get() is original:
                place.put(replacement)

    def undo(self) -> None:
        self.put_originals()
        self._made.clear()


class Kept(list[Any]):
    """Dynamo's list of callbacks with one of ours before them, which ``torch._dynamo.reset()`` does not clear."""

    def __init__(self, ours: Callable[..., None], others: list[Any]) -> None:
        super().__init__(others)
        self._ours = ours

    def __iter__(self) -> Iterator[Any]:
        yield self._ours
        yield from super().__iter__()

    def others(self) -> list[Any]:
        return self[:]


class Compiling:
    """Keeps every patch out of Dynamo's sight.

    Dynamo keeps ``nn.Module.__call__`` when it is imported and compares it with what a module has when it compiles; functions that it knows
    by name must be themselves. So the originals stand during the import of ``torch._dynamo`` and from the start to the end of each compilation.
    Compiled code guards the functions it has traced ("Not a function on … clip_grad_norm_.__code__"), and would be compiled again at every call:
    after the first compilation only patches that no guard looks at come back.
    """

    def __init__(self, watch: Watch) -> None:
        self.patches: list[Patches] = []
        self.depth = 0
        self._watch = watch
        self._callbacks: Any = None
        self._dynamo = ImportWatcher("torch._dynamo", self._on_dynamo, before=self._begin, failed=self._end)
        self.has_compiled = False
        self._start = lambda *_: self._begin_compiling()
        self._stop = lambda *_: self._end_compiling()

    def install(self) -> None:
        self._dynamo.install()
        if hasattr(self._watch.probe, "set_on_aside"):  # the Python probe, which has to leave torch now and then
            self._watch.probe.set_on_aside(lambda is_aside: self._begin() if is_aside else self._end())

    def remove(self) -> None:
        self._dynamo.remove()
        if self._callbacks is not None:
            self._callbacks.start_callbacks = self._callbacks.start_callbacks.others()
            self._callbacks.end_callbacks = self._callbacks.end_callbacks.others()
            self._callbacks = None

    def _on_dynamo(self, dynamo: ModuleType) -> None:
        try:
            callbacks: Any = dynamo.callback.callback_handler
            callbacks.start_callbacks = Kept(self._start, callbacks.start_callbacks)
            callbacks.end_callbacks = Kept(self._stop, callbacks.end_callbacks)
            self._callbacks = callbacks
        except Exception as error:  # compiled code would meet our replacements: the originals stay for good
            self.depth += 1
            self._begin()
            self._watch.switch_off("compiling", error)
        self._end()

    def _begin_compiling(self) -> None:
        if not self.has_compiled:
            self.has_compiled = True
            self._watch.tell("tracker_off", tracker=", ".join(patches.shows for patches in self.patches if patches.shows), reason=AFTER_COMPILING)
        self._begin()
        self._watch.probe.set_compiling(True)

    def _end_compiling(self) -> None:
        self._watch.probe.set_compiling(False)
        self._end()

    def _begin(self) -> None:
        self.depth += 1
        for patches in self.patches:
            patches.put_originals()

    def _end(self) -> None:
        self.depth = max(0, self.depth - 1)
        if not self.depth:
            for patches in self.patches:
                if not (patches.is_guarded and self.has_compiled):
                    patches.put_replacements()
