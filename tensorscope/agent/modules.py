"""The module trees: roots, ids, names, and the parameters in them. A root is a module that no other module holds."""

from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final
from weakref import ref

from tensorscope.agent.frames import instance_dict
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch

MAX_PASSING_LOOKUPS: Final = 200
"""Modules without anything in them whose variable is looked for; a script may make one a call, and looking costs time."""

ORIGINAL: Final = "_orig_mod"


class Module:
    __slots__ = ("class_name", "id", "module", "path", "root")

    def __init__(self, identity: int, module: Any, path: str, class_name: str) -> None:
        self.id = identity
        self.module = module  # weak
        self.path = path  # inside its root
        self.class_name = class_name
        self.root = identity


class Root:
    __slots__ = ("has_tensors", "id", "module", "variable")

    def __init__(self, identity: int, module: Any, variable: str, has_tensors: bool) -> None:
        self.id = identity
        self.module = module  # weak
        self.variable = variable
        self.has_tensors = has_tensors


class Modules:
    def __init__(self, watch: Watch, parameters: Parameters) -> None:
        self._watch = watch
        self._parameters = parameters
        self._known: dict[int, Module] = {}
        self._roots: dict[int, Root] = {}
        self._passing_ids: dict[str, int] = {}
        self._told: dict[int, tuple[int, str, int]] = {}
        self._lookups_left = MAX_PASSING_LOOKUPS
        self._next_id = 1
        self.made: dict[int, tuple[str, str]] = {}  # by address: class, "file:line" that put it into its parent (see ``trackers.module_making``)
        self._has_prefix = False

    def id_of(self, module: Any) -> int:
        """The id of a module met at its call; first of all its whole tree is told."""
        known = self._find(module)
        if known is None:
            self.add_tree(self.topmost(module) if _has_children_or_tensors(module) else module)
            known = self._find(module)
        return 0 if known is None else known.id

    def known_id(self, module: Any) -> int:
        """The id of a module that has been told, 0 for any other."""
        known = self._find(module)
        return 0 if known is None else known.id

    def fqn_of(self, identity: int) -> str | None:
        """The name under which a module's id was told; None for no such id."""
        told = self._told.get(identity)
        return None if told is None else told[1]

    def around(self, identity: int) -> list[int]:
        """The ids of a module and of those that hold it, innermost first; none for no such id."""
        found: list[int] = []
        while identity in self._told and identity not in found:
            found.append(identity)
            identity = self._told[identity][2]
        return found

    def block_of(self, identity: int) -> int:
        """The module that a user steps out of: the one around it for a module without others in it (a layer), else itself."""
        has_children = any(parent == identity for _, _, parent in self._told.values())
        around = self.around(identity)
        return around[1] if not has_children and len(around) > 1 else identity

    def topmost(self, module: Any) -> Any:
        """The module above all modules that hold this one. One pass over the heap."""
        holders: dict[int, Any] = {}
        for holder in self._watch.probe.live_instances(self._watch.torch.nn.Module):
            for child in _children(holder).values():
                if child is not None and child is not holder:
                    holders.setdefault(id(child), holder)
        seen = {id(module)}
        while id(module) in holders and id(holders[id(module)]) not in seen:
            module = holders[id(module)]
            seen.add(id(module))
        return module

    def holder_of(self, tensor: Any) -> Any | None:
        """A live module that has ``tensor`` as its own parameter; None for a bare leaf. One pass over the heap."""
        for module in self._watch.probe.live_instances(self._watch.torch.nn.Module):
            if any(held is tensor for held in _tensors(module, "_parameters").values()):
                return module
        return None

    def add_living(self) -> None:
        """Tell every root with something in it that lives. One pass over the heap."""
        modules = self._watch.probe.live_instances(self._watch.torch.nn.Module)
        held = {id(child) for module in modules for child in _children(module).values() if child is not module}
        for module in modules:
            if id(module) not in held and _has_children_or_tensors(module):
                self.add_tree(module)

    def add_tree(self, root_module: Any) -> None:
        """Tell a root's modules, parameters and buffers, as far as they are new."""
        known = self._find(root_module)
        if known is None or known.root != known.id or known.id not in self._roots:
            self._add_root(root_module)
        root = self._roots[self._known[id(root_module)].id]
        root.has_tensors = root.has_tensors or _tree_has_tensors(root_module)
        should_prefix = self._count_with_tensors() > 1
        if should_prefix != self._has_prefix:
            self._has_prefix = should_prefix
            self.rescan()
        else:
            self._tell_tree(root, root_module)

    def rescan(self) -> None:
        """Go over all living roots again: modules and parameters that came later, or moved, are told."""
        for root in list(self._roots.values()):
            module = root.module()
            if module is None:
                del self._roots[root.id]
            else:
                self._tell_tree(root, module)

    def _count_with_tensors(self) -> int:
        return sum(root.has_tensors and root.module() is not None for root in self._roots.values())

    def _find(self, module: Any) -> Module | None:
        known = self._known.get(id(module))
        return known if known is not None and known.module() is module else None

    def _add_root(self, module: Any) -> None:
        has_tensors = _tree_has_tensors(module)
        class_name = type(module).__name__
        is_passing = not _has_children_or_tensors(module)
        self._lookups_left -= is_passing
        variable = self._variable_of(module) if not is_passing or self._lookups_left >= 0 else ""
        identity = self._passing_id(variable or class_name) if is_passing else self._new_id()
        taken = {root.variable for root in self._roots.values() if root.module() is not None}
        name = base = variable or class_name.lower()
        number = 2
        while has_tensors and name in taken:
            name, number = f"{base}_{number}", number + 1
        self._remember(identity, module, "", class_name)
        self._roots[identity] = Root(identity, ref(module), name, has_tensors)

    def _variable_of(self, module: Any) -> str:
        """Of a compiled module the variable that holds the original, where there is one."""
        name_of = self._watch.frames.name_of
        original = _children(module).get(ORIGINAL) if is_compiled(module) else None
        return (name_of(original) if original is not None else "") or name_of(module)

    def _passing_id(self, name: str) -> int:
        """Modules without anything in them (losses, activations made on the fly) share one id a name: ids must not grow with time."""
        if name not in self._passing_ids:
            self._passing_ids[name] = self._new_id()
        return self._passing_ids[name]

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    def _remember(self, identity: int, module: Any, path: str, class_name: str) -> Module:
        address = id(module)
        all_known, forget_module = self._known, self._watch.probe.forget_module

        def forget(gone: Any) -> None:
            held = all_known.get(address)
            if held is not None and held.module is gone:
                del all_known[address]
                forget_module(address)

        known = self._known[address] = Module(identity, ref(module, self._watch.untraced(forget)), path, class_name)
        return known

    def _fqn(self, known: Module) -> str:
        root = self._roots.get(known.root)
        prefix = root.variable if root is not None and (self._has_prefix or not root.has_tensors) else ""
        return f"{prefix}.{known.path}" if prefix and known.path else prefix or known.path

    def _tell_tree(self, root: Root, root_module: Any) -> None:
        names: dict[int, list[str]] = {}
        tensors: list[tuple[Any, int, bool]] = []
        for path, module, parent in list(walk(root_module)):
            known = self._tell_module(root, path, module, parent)
            prefix = self._fqn(known)
            for kind, is_buffer in (("_parameters", False), ("_buffers", True)):
                for name, tensor in list(_tensors(module, kind).items()):
                    if tensor is not None:
                        if id(tensor) not in names:
                            names[id(tensor)] = []
                            tensors.append((tensor, known.id, is_buffer))
                        names[id(tensor)].append(f"{prefix}.{name}" if prefix else name)
        for tensor, module_id, is_buffer in tensors:
            first, *aliases = names[id(tensor)]
            self._parameters.add(tensor, first, aliases, module_id, is_buffer)

    def _made_at(self, module: Any) -> str:
        kind, source = self.made.get(id(module), ("", ""))
        return source if kind == type(module).__name__ else ""

    def _tell_module(self, root: Root, path: str, module: Any, parent: Any) -> Module:
        known = self._find(module)
        class_name = type(module).__name__
        if known is None:
            known = self._remember(self._new_id(), module, path, class_name)
        if module is not root.module() and known.id in self._roots:
            del self._roots[known.id]
        known.root, known.path, known.class_name = root.id, path, class_name
        holder = None if parent is None else self._find(parent)
        now = (root.id, self._fqn(known), 0 if holder is None else holder.id)
        if self._told.get(known.id) != now:
            self._told[known.id] = now
            self._watch.tell(
                "module",
                id=known.id,
                fqn=now[1],
                parent=now[2],
                root=root.id,
                source=forward_source(module),
                made=self._made_at(module),
                **{"class": class_name},
            )
        return known


def walk(root: Any) -> Iterator[tuple[str, Any, Any]]:
    """(path, module, parent) in the order of ``named_modules``: depth first, a module that occurs again only at its first place.

    The path of a module that ``torch.compile`` has wrapped is the wrapper's own.
    """
    seen: set[int] = set()
    waiting: list[tuple[str, Any, Any]] = [("", root, None)]
    while waiting:
        path, module, parent = waiting.pop()
        if id(module) in seen:
            continue
        seen.add(id(module))
        yield path, module, parent
        children = [(_path_below(path, module, name), child, module) for name, child in _children(module).items() if child is not None]
        waiting += reversed(children)


def is_compiled(module: Any) -> bool:
    """Whether it is what ``torch.compile`` makes of a module: another one around it, which adds nothing to names."""
    return type(module).__name__ == "OptimizedModule" and type(module).__module__ == "torch._dynamo.eval_frame"


def _path_below(path: str, module: Any, name: str) -> str:
    if name == ORIGINAL and is_compiled(module):
        return path
    return f"{path}.{name}" if path else name


def names_of_parameters(root: Any) -> list[list[str]]:
    """The names of each parameter below a module, tied ones together, as ``named_parameters(remove_duplicate=False)`` gives them."""
    names: dict[int, list[str]] = {}
    for path, module, _ in walk(root):
        for name, tensor in _tensors(module, "_parameters").items():
            if tensor is not None:
                names.setdefault(id(tensor), []).append(f"{path}.{name}" if path else name)
    return list(names.values())


def forward_source(module: Any) -> str:
    """ "file:line" of the class's ``forward``, "" where it is not Python."""
    for kind in type(module).__mro__:
        forward = kind.__dict__.get("forward")
        if type(forward) is FunctionType:
            return f"{forward.__code__.co_filename}:{forward.__code__.co_firstlineno}"
    return ""


def _children(module: Any) -> dict[str, Any]:
    return instance_dict(module).get("_modules") or {}


def _tensors(module: Any, kind: str) -> dict[str, Any]:
    return instance_dict(module).get(kind) or {}


def _has_children_or_tensors(module: Any) -> bool:
    return bool(_children(module) or _tensors(module, "_parameters") or _tensors(module, "_buffers"))


def _tree_has_tensors(root: Any) -> bool:
    return any(tensor is not None for _, module, _ in walk(root) for kind in ("_parameters", "_buffers") for tensor in _tensors(module, kind).values())
