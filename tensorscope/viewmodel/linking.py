"""Finds all that belongs to a selection, as the table under "Selection" in docs/architecture.md says.

A selection without a time of its own (a module, a parameter, a line) means the iteration at the cursor. A line that calls no operator itself stands for
what was called below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from tensorscope.analysis.results import Source
from tensorscope.analysis.storage_uses import MAKES, WRITES, storage_uses
from tensorscope.protocol.records import TensorRole
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.linked import NOTHING, Life, Linked
from tensorscope.viewmodel.linking_scene import LinkingScene, stacks_at
from tensorscope.viewmodel.links import place_of
from tensorscope.viewmodel.workspace import (
    BlockSelection,
    ModuleSelection,
    NodeSelection,
    OperatorSelection,
    ParameterSelection,
    Selection,
    SourceSelection,
    StorageSelection,
)


def linked(snapshot: Snapshot, selection: Selection | None, cursor_ns: int | None) -> Linked:
    """For a worker. ``cursor_ns`` None is now, or the end."""
    match selection:
        case None:
            return NOTHING
        case NodeSelection(backward, node):
            return _of_node(LinkingScene(snapshot, cursor_ns, backward), backward, node)
        case OperatorSelection(operator):
            return _of_operator(LinkingScene(snapshot, cursor_ns), operator)
        case ModuleSelection(module, backward):
            return _of_module(LinkingScene(snapshot, cursor_ns, backward), selection, module)
        case ParameterSelection(parameter, _, backward):
            return _of_parameter(LinkingScene(snapshot, cursor_ns, backward), selection, parameter)
        case StorageSelection(data, seen_ns):
            return _of_storage(LinkingScene(snapshot, cursor_ns), data, seen_ns)
        case BlockSelection(address, begin_ns):
            return _of_storage(LinkingScene(snapshot, cursor_ns), address, begin_ns)
        case SourceSelection(file, line):
            stacks = stacks_at(snapshot, Source(file, line))
            return _of_line(LinkingScene(snapshot, cursor_ns, stacks=stacks), Source(file, line), stacks)
        case _:
            assert_never(selection)


def _of_node(scene: LinkingScene, backward: int, number: int) -> Linked:
    node = scene.node(backward, number)
    if node is None:
        return NOTHING
    operators = scene.operators_of(backward, (node,))
    storages = scene.lives((*scene.tensors_of(operators), *scene.saved_by(backward, (node,))))
    place = place_of(scene.snapshot, NodeSelection(backward, number))
    own = (node.parameter,) if node.parameter else ()
    return Linked(
        lines=(place.source,) if place is not None else (),
        nodes=frozenset({(backward, number)}),
        operators=frozenset(operators),
        storages=storages,
        parameters=tuple(dict.fromkeys((*own, *scene.parameters_in(storages)))),
    )


def _of_operator(scene: LinkingScene, operator: int) -> Linked:
    place = place_of(scene.snapshot, OperatorSelection(operator))
    storages = scene.lives(scene.tensors_of((operator,)))
    return Linked(
        lines=(place.source,) if place is not None else (),
        nodes=scene.nodes_of_operator(operator),
        operators=frozenset({operator}),
        storages=storages,
        parameters=scene.parameters_in(storages),
    )


def _of_module(scene: LinkingScene, selection: ModuleSelection, module: str) -> Linked:
    place = place_of(scene.snapshot, selection)
    inside = [(backward, node) for backward, node in scene.nodes() if is_inside(node.module, module)]
    names = tuple(name for name in scene.parameters if is_inside(name, module))
    operators = [one for backward, node in inside for one in scene.operators_of(backward, (node,))]
    saved = [one for backward, node in inside for one in scene.saved_by(backward, (node,))]
    return Linked(
        lines=_distinct((place.source if place is not None else None, *(node.source for _, node in inside))),
        nodes=frozenset((backward, node.id) for backward, node in inside),
        operators=frozenset(operators),
        storages=scene.lives((*(scene.data_of(name) for name in names), *saved)),
        parameters=names,
    )


def _of_parameter(scene: LinkingScene, selection: ParameterSelection, name: str) -> Linked:
    place = place_of(scene.snapshot, selection)
    own = [(backward, node) for backward, node in scene.nodes() if node.parameter == name]
    runs = [one for backward, node in own for one in scene.operators_of(backward, (node,))]
    data, seen_ns = scene.data_of(name)
    uses = storage_uses(scene.snapshot, data, seen_ns, scene.moment_ns) if data else None
    near = [use for use in uses.listed if scene.begin_ns <= use.begin_ns <= scene.end_ns] if uses is not None else []
    return Linked(
        lines=_distinct((place.source if place is not None else None, *(use.source for use in near))),
        nodes=frozenset((backward, node.id) for backward, node in own),
        operators=frozenset((*runs, *(use.operator for use in near))),
        storages=scene.lives((*(((data, seen_ns),) if data else ()), *scene.tensors_of(runs))),
        parameters=(name,),
    )


def _of_storage(scene: LinkingScene, data: int, seen_ns: int) -> Linked:
    uses = storage_uses(scene.snapshot, data, seen_ns, scene.moment_ns)
    life = Life(data, uses.life_ns[0], scene.end_of(data, seen_ns))
    names = scene.parameters_in((life,))
    listed = sorted(uses.listed, key=lambda use: (use.effect != MAKES, use.effect < WRITES))
    nodes = {(backward, node.id) for backward, node in scene.nodes() if node.parameter in names or life.is_among(scene.saved_by(backward, (node,)))}
    return Linked(
        lines=_distinct(use.source for use in listed),
        nodes=frozenset(nodes),
        operators=frozenset(use.operator for use in listed),
        storages=(life,),
        parameters=names,
    )


def _of_line(scene: LinkingScene, line: Source, stacks: frozenset[int]) -> Linked:
    operators = scene.operators_with(stacks)
    made = scene.lives(scene.made_at(stacks))
    own = scene.parameters_in(made)
    nodes = [(backward, node) for backward, node in scene.nodes() if node.stack in stacks or node.parameter in own]
    runs = [one for backward, node in nodes for one in scene.operators_of(backward, (node,))]
    saved = [one for backward, node in nodes for one in scene.saved_by(backward, (node,))]
    given = scene.lives((*scene.tensors_of(operators, roles=(TensorRole.OUTPUT,)), *saved))
    read = scene.lives(scene.tensors_of(operators))
    storages = tuple(sorted({*given, *made}, key=lambda life: (life.begin_ns, life.data)))
    return Linked(
        lines=(line,),
        nodes=frozenset((backward, node.id) for backward, node in nodes),
        operators=frozenset((*operators, *runs)),
        storages=storages,
        parameters=scene.parameters_in((*storages, *read)),
    )


def is_inside(name: str, module: str) -> bool:
    """Whether a module or parameter is a module, or lies in it; all lie in the root, whose name is ""."""
    return not module or name == module or name.startswith(f"{module}.")


def _distinct(lines: Iterable[Source | None]) -> tuple[Source, ...]:
    known: dict[tuple[str, int], Source] = {}
    for line in lines:
        if line is not None:
            known.setdefault((line.file, line.line), line)
    return tuple(known.values())
