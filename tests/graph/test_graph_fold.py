"""What is drawn of a graph: nodes, badges, links; and the groups they stand in."""

from tensorscope.viewmodel.graph_fold import fold, split_name
from tensorscope.viewmodel.graph_tree import Group, build_tree
from tests.graph.real_graphs import GPT, RESNET, chain, graph_of, load

LINEAR = {  # y = relu(x @ w.t() + b).view(-1).sum() as autograd has it
    "nodes": [
        ["SumBackward0", 4, 0, "", [], []],
        ["ViewBackward0", 3, 0, "", [20], []],
        ["ReluBackward0", 2, 1, "", [5, 4], [["result", [5, 4], "float32", 80]]],
        ["AddmmBackward0", 1, 1, "", [5, 4], []],
        ["torch::autograd::AccumulateGrad", -1, 1, "fc.bias", None, []],
        ["TBackward0", 0, 1, "", [3, 4], []],
        ["torch::autograd::AccumulateGrad", -1, 1, "fc.weight", None, []],
    ],
    "edges": [[0, 1, 0, 0], [1, 2, 0, 0], [2, 3, 0, 0], [3, 4, 0, 0], [3, 5, 2, 0], [5, 6, 0, 0]],
    "calls": [[1, 0, "fc", "Net"]],
}


def test_a_name_is_split_before_backward() -> None:
    assert split_name("AddmmBackward0") == ("Addmm", "Backward0")
    assert split_name("torch::autograd::AccumulateGrad") == ("torch::autograd::AccumulateGrad", "")
    assert split_name("MyFunctionBackward") == ("MyFunction", "Backward")


def test_parameters_become_badges_of_the_node_that_sends_them_a_gradient() -> None:
    folded = fold(graph_of(LINEAR), {"fc.weight": (4, 3), "fc.bias": (4,)})
    (weight, bias) = folded.badges[3]
    assert (weight.name, weight.parameter, weight.shape, weight.accumulator, weight.views) == ("W", "fc.weight", (4, 3), 6, (5,))
    assert (bias.name, bias.parameter, bias.shape, bias.accumulator, bias.views) == ("b", "fc.bias", (4,), 4, ())


def test_views_become_part_of_their_link_which_says_the_shape_at_its_target() -> None:
    folded = fold(graph_of(LINEAR), {})
    assert folded.drawn == (0, 2, 3)
    assert [(link.source, link.target, link.views, link.shape) for link in folded.links] == [(0, 2, (1,), (5, 4)), (2, 3, (), (5, 4))]
    assert dict(folded.carrier) == {1: 0, 4: 3, 5: 3, 6: 3}


def test_every_node_of_a_real_graph_is_drawn_or_carried_by_one_that_is() -> None:
    for name in (GPT, RESNET):
        graph = load(name)
        folded = fold(graph, {})
        assert sorted({*folded.drawn, *folded.carrier}) == list(range(len(graph.nodes)))
        assert not set(folded.drawn) & set(folded.carrier)
        assert set(folded.carrier.values()) <= set(folded.drawn)


def test_a_tied_weight_is_a_badge_at_both_its_uses() -> None:
    graph = load(GPT)
    users = [graph.nodes[node].name for node, badges in fold(graph, {}).badges.items() if any(badge.parameter == "wte.weight" for badge in badges)]
    assert users == ["MmBackward0", "EmbeddingBackward0"]


def test_a_root_that_is_a_view_or_a_parameter_is_drawn() -> None:
    assert fold(chain("ViewBackward0", "MulBackward0"), {}).drawn == (0, 1)
    assert fold(chain("torch::autograd::AccumulateGrad"), {}).drawn == (0,)


def test_node_ids_may_leave_gaps() -> None:
    from dataclasses import replace

    graph = chain("MulBackward0", "AddBackward0")
    nodes = tuple(replace(node, id=node.id + 1) for node in graph.nodes)
    edges = tuple(replace(edge, source=edge.source + 1, target=edge.target + 1) for edge in graph.edges)
    folded = fold(replace(graph, nodes=nodes, edges=edges, roots=(1,)), {})
    assert [(link.source, link.target) for link in folded.links] == [(0, 1)]


def outline(group: Group) -> list[str]:
    return [child.name if isinstance(child, Group) else f"node {child}" for child in group.children]


def test_modules_are_named_relative_to_the_one_around_them() -> None:
    tree = build_tree(load(GPT))
    (model,) = (child for child in tree.top.children if isinstance(child, Group))
    blocks = [child for child in model.children if isinstance(child, Group)]
    assert [block.name for block in blocks] == ["h.1", "h.0"]
    assert [child.name for child in blocks[0].children if isinstance(child, Group)] == ["mlp", "attn"]
    assert (blocks[0].class_name, blocks[0].depth) == ("Block", 2)


def test_a_module_that_draws_one_node_is_not_a_group() -> None:
    tree = build_tree(load(GPT))
    assert not any(key.module.endswith(("c_fc", "gelu", "ln1")) for key in tree.groups)
    relu = build_tree(graph_of(LINEAR)).top
    assert outline(relu) == ["node 0", "fc"]


def test_a_group_counts_folded_nodes_too() -> None:
    (group,) = build_tree(graph_of(LINEAR)).groups.values()
    assert group.members == [2, 3, 4, 5, 6]


def test_equal_blocks_have_equal_signatures() -> None:
    groups = {key.module: group for key, group in build_tree(load(GPT)).groups.items()}
    assert groups["h.0"].signature == groups["h.1"].signature
    assert groups["h.0.mlp"].signature != groups["h.0.attn"].signature


def test_the_way_to_a_folded_node_is_that_of_the_node_that_carries_it() -> None:
    graph = load(GPT)
    tree = build_tree(graph)
    bias = next(place for place, node in enumerate(graph.nodes) if node.parameter == "h.1.mlp.c_fc.bias")
    assert [group.key.module for group in tree.path(bias)] == ["model", "h.1", "h.1.mlp"]


def test_a_stray_node_between_nodes_of_one_call_is_taken_into_it() -> None:
    graph = chain("AddBackward0", "MulBackward0", "SinBackward0", "CosBackward0", "SubBackward0", calls=[(1, 0, "net", "Net")], of_call=[0, 1, 0, 1, 0])
    tree = build_tree(graph)
    assert outline(tree.top) == ["node 0", "net", "node 4"]
    assert outline(tree.groups[next(iter(tree.groups))]) == ["node 1", "node 2", "node 3"]


def test_one_tensor_is_one_wire_on_every_level_it_passes() -> None:
    tree = build_tree(load(GPT))
    block = next(group for key, group in tree.groups.items() if key.module == "h.1")
    leaving = [wire for wire in block.wires if wire.target is None]
    assert len(leaving) == 2  # the last Add (skip) and the LayerNorm before attention
    assert len({wire.tensor for wire in leaving}) == 1
