"""The graph at a moment: progress, sums of groups, search, cards, and what is kept from one backward to the next."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tensorscope.analysis import layout
from tensorscope.analysis.results import BackwardSummary
from tensorscope.viewmodel.graph import GraphDocument, Moment
from tensorscope.viewmodel.graph_cards import badge_card, box_card, link_card
from tensorscope.viewmodel.graph_find import find
from tensorscope.viewmodel.graph_numbers import GradientNumbers, KnownGradients
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_progress import DONE, RAISED, WAITING, Columns, figures_of, progress_at
from tensorscope.viewmodel.graph_request import GraphWish, choose_backward, parameter_aliases
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_tree import GroupKey
from tensorscope.viewmodel.graph_walk import neighbour
from tensorscope.viewmodel.workspace import NodeSelection
from tests.graph.real_graphs import GPT, chain, execution_order, load, with_times
from tests.graph.scenes import METRICS
from tests.support.trace_builder import TraceBuilder

THREE = with_times(chain("SumBackward0", "MulBackward0", "AddBackward0"))  # 0–1000, 1100–2100, 2200–3200 ns


def test_nodes_that_ended_before_the_cursor_are_done_and_the_running_one_is_at_it() -> None:
    progress = progress_at(THREE, Columns.of(THREE), 1_500, -1)
    assert progress.state.tolist() == [DONE, WAITING, WAITING]
    assert (progress.at_cursor, progress.current) == (1, 1)


def test_between_two_nodes_the_one_that_ran_last_is_at_the_cursor() -> None:
    assert progress_at(THREE, Columns.of(THREE), 1_050, -1).at_cursor == 0


def test_after_a_backward_all_is_done_and_nothing_is_at_the_cursor() -> None:
    progress = progress_at(THREE, Columns.of(THREE), 9_000, -1)
    assert progress.state.tolist() == [DONE] * 3
    assert progress.current == -1


def test_while_held_the_next_node_stands_out_and_looking_back_leaves_it_where_it_is() -> None:
    graph = with_times(chain("SumBackward0", "MulBackward0", "AddBackward0"), ran=2)
    now, back = progress_at(graph, Columns.of(graph), None, 2), progress_at(graph, Columns.of(graph), 500, 2)
    assert (now.current, now.held, now.is_looking_back) == (2, 2, False)
    assert (back.current, back.held, back.is_looking_back) == (0, 2, True)


def test_the_node_that_raised_is_neither_done_nor_waiting_and_its_card_says_so() -> None:
    ran = with_times(chain("SumBackward0", "MulBackward0", "AddBackward0"), ran=2)
    graph = replace(ran, nodes=(ran.nodes[0], replace(ran.nodes[1], has_raised=True), ran.nodes[2]))
    columns = Columns.of(graph)
    progress = progress_at(graph, columns, None, -1)
    assert progress.state.tolist() == [DONE, RAISED, WAITING]
    assert (progress.has_raised(1), progress.is_done(1), figures_of(np.arange(3), columns, progress).done) == (True, False, 1)
    assert progress_at(graph, columns, 1_500, -1).state.tolist() == [DONE, WAITING, WAITING]
    view = GraphDocument().view(graph, OpenState(), METRICS)
    card = next(card for box in view.scene.boxes if box.key.node == 1 and (card := box_card(view, box)))
    assert "raised after 1" in dict(card.facts)["backward"]


def test_a_group_sums_up_what_is_done_kept_and_freed() -> None:
    nodes = [replace(node, saved_bytes=100 * (place + 1)) for place, node in enumerate(THREE.nodes)]
    graph = replace(THREE, nodes=(*nodes[:2], replace(nodes[2], saved_bytes=None)))
    columns = Columns.of(graph)
    figures = figures_of(np.arange(3), columns, progress_at(graph, columns, 1_500, -1))
    assert (figures.nodes, figures.done, figures.backward_ns, figures.kept_bytes, figures.freed_bytes) == (3, 1, 1_000, 200, 100)
    unknown = figures_of(np.array([2]), columns, progress_at(graph, columns, 0, -1))
    assert (unknown.backward_ns, unknown.kept_bytes, unknown.freed_bytes) == (None, None, None)


def test_the_layout_of_a_backward_of_equal_shape_is_the_same_object() -> None:
    document = GraphDocument()
    first = document.view(load(GPT), OpenState(), METRICS)
    later = replace(load(GPT, ran=40), backward=1)
    second = document.view(later, OpenState(), METRICS)
    assert second.scene is first.scene
    assert second.progress.state.sum() == 40
    assert second.graph is later


def test_a_graph_of_other_shape_gets_its_own_tree() -> None:
    document = GraphDocument()
    first = document.tree(chain("MulBackward0", "AddBackward0"), {})
    assert document.tree(chain("MulBackward0", "SubBackward0"), {}) is not first
    assert document.tree(chain("MulBackward0", "AddBackward0"), {}) is first


def test_a_group_too_large_to_draw_closes_again_and_the_view_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MAX_ITEMS", 5)
    graph = chain(*["MulBackward0"] * 9, calls=[(1, 0, "net", "Net"), (2, 1, "net.deep", "Deep")], of_call=[0, 1, 1, *[2] * 6])
    document = GraphDocument()
    (deep,) = (group for key, group in document.tree(graph, {}).groups.items() if key.module == "net.deep")
    view = document.view(graph, OpenState().toggled(deep), METRICS)
    assert view.state == OpenState()
    assert view.notice.startswith("This group holds 6 nodes, too many for one picture")


def test_a_node_that_is_to_be_revealed_is_drawn() -> None:
    graph = load(GPT)
    gelu = next(node.id for node in graph.nodes if node.name == "GeluBackward0")
    view = GraphDocument().view(graph, OpenState(), METRICS, reveal=gelu)
    assert view.scene.box_of(gelu).key == BoxKey(gelu)
    assert view.state.revealed == {GroupKey("model", 0), GroupKey("h.1", 0), GroupKey("h.1.mlp", 0)}


def test_search_finds_names_modules_parameters_and_lines_in_the_order_backward_runs_them() -> None:
    graph = load(GPT)
    view = GraphDocument().view(graph, OpenState(), METRICS)
    order = execution_order(graph)
    gelus = [place for place, node in enumerate(graph.nodes) if node.name == "GeluBackward0"]
    assert find(view, "GELU").places == tuple(sorted(gelus, key=order.index))
    assert {graph.nodes[place].name for place in find(view, "c_fc.weight").places} == {"AddmmBackward0"}
    assert find(view, "gelu h.1").places == (next(place for place in gelus if graph.nodes[place].module == "h.1.mlp.gelu"),)
    assert find(view, f"model.py:{10 + gelus[0]}").places[:1] == (gelus[0],)
    assert find(view, "nothing like it").places == ()
    assert find(view, "  ").places == ()


def test_hits_go_round() -> None:
    hits = find(GraphDocument().view(THREE, OpenState(), METRICS), "backward")
    assert hits.places == (0, 1, 2)
    assert [hits.following(place, 1) for place in (-1, 0, 2)] == [0, 1, 0]
    assert [hits.following(place, -1) for place in (-1, 0)] == [2, 2]


def test_arrow_keys_walk_along_edges() -> None:
    view = GraphDocument().view(load(GPT), OpenState(), METRICS)
    names = ["NllLossBackward0", "LogSoftmaxBackward0", "MmBackward0", "NativeLayerNormBackward0"]
    key: BoxKey | None = BoxKey(next(place for place, node in enumerate(view.graph.nodes) if node.name == names[0]))
    walked = []
    while key is not None and key.node >= 0:
        walked.append(view.graph.nodes[key.node].name)
        last, key = key, neighbour(view, key, "down")
    assert walked == names
    assert key == BoxKey(-1, GroupKey("h.1", 0))
    assert neighbour(view, key, "up") == last
    left, right = [box.key for box in view.scene.boxes if box.kind is BoxKind.NODE and view.graph.nodes[box.key.node].name == "EmbeddingBackward0"]
    assert {neighbour(view, left, "right"), neighbour(view, right, "left")} == {left, right}


def test_cards_say_what_is_known_and_dash_what_is_not() -> None:
    graph = load(GPT, ran=0)
    view = GraphDocument().view(graph, OpenState(), METRICS)
    norm = next(place for place in view.tree.folded.drawn if graph.nodes[place].name == "NativeLayerNormBackward0")
    card = box_card(view, view.scene.box_of(norm))
    assert card.title == "NativeLayerNormBackward0"
    assert card.source == graph.nodes[norm].source
    assert ("module", "ln_f  LayerNorm") in card.facts
    assert ("gradient in", "[2, 16, 64]") in card.facts
    assert ("saved input", "[2, 16, 64] f32  8.00 KiB") in card.facts
    assert ("backward", "—  (forward 500 ns)") in card.facts
    assert len(card.facts) <= 6
    group = box_card(view, view.scene.boxes[view.scene.index[BoxKey(-1, GroupKey("h.1", 0))]])
    assert (group.title, group.note, group.footer) == ("h.1", "Block", "double click opens it")
    assert ("nodes", "0 of 31 done") in group.facts
    (badge, _) = view.tree.folded.badges[norm]
    assert (badge_card(view, badge).title, badge_card(view, badge).footer) == ("ln_f.weight", "gradient still to come")
    link = next(number for number, link in enumerate(view.tree.folded.links) if link.views)
    assert any(label == "through" for label, _ in link_card(view, (link,)).facts)


def summary(backward: int, begin_ns: int, end_ns: int | None) -> BackwardSummary:
    return BackwardSummary(backward, backward, begin_ns, end_ns, 10, 1, False)


RUN = [summary(0, 100, 200), summary(1, 300, 400), summary(2, 500, None)]


def test_the_backward_shown_is_the_chosen_the_revealed_the_one_at_the_cursor_the_held_or_the_last() -> None:
    wish = GraphWish(METRICS)
    assert choose_backward(RUN, wish, 1) == 1
    assert choose_backward(RUN, replace(wish, held=(2, 5)), 1) == 2
    assert choose_backward(RUN, replace(wish, held=(2, 5), cursor_ns=350), 1) == 1
    assert choose_backward(RUN, replace(wish, cursor_ns=450), 2) == 1
    assert choose_backward(RUN, replace(wish, cursor_ns=50), 2) == 0
    assert choose_backward(RUN, replace(wish, cursor_ns=350, reveal=NodeSelection(2, 0)), 1) == 2
    assert choose_backward(RUN, replace(wish, pinned=0, reveal=NodeSelection(2, 0)), 1) == 0
    assert choose_backward(RUN, replace(wish, pinned=7), 1) == 1
    assert choose_backward([], wish, None) is None


def test_a_held_node_of_another_backward_does_not_stand_out_here() -> None:
    view = GraphDocument().view(THREE, OpenState(), METRICS, Moment(None, -1))
    assert view.progress.held == -1


def test_the_card_of_a_tied_parameter_has_all_its_names() -> None:
    shared = {"type": "parameter", "id": 1, "fqn": "wte.weight", "aliases": ["lm_head.weight"], "module": 0}
    builder = TraceBuilder().message(shared).message({"type": "parameter", "id": 2, "fqn": "bias", "aliases": [], "module": 0})
    aliases = parameter_aliases(builder.snapshot())
    assert aliases == {"wte.weight": ("lm_head.weight",)}
    view = replace(GraphDocument().view(load(GPT), OpenState(), METRICS), aliases=aliases)
    badge = replace(next(iter(view.tree.folded.badges.values()))[0], parameter="wte.weight")
    assert badge_card(view, badge).title == "wte.weight"
    assert ("tied", "lm_head.weight = wte.weight") in badge_card(view, badge).facts
    assert "tied" not in dict(badge_card(view, replace(badge, parameter="bias")).facts)


def test_cards_say_norms_where_they_are_known_in_no_more_lines() -> None:
    graph = load(GPT)
    gelu = next(node for node in graph.nodes if node.name == "AddmmBackward0")
    targets = {edge.output_nr: graph.nodes[edge.target] for edge in graph.edges if edge.source == gelu.id}
    number, target = next((number, target) for number, target in targets.items() if not target.parameter)
    known = KnownGradients(
        parameters={"ln_f.weight": GradientNumbers(math.inf, 3)},
        taken={gelu.id: (GradientNumbers(0.0518, 0, "gradient 0", (4, 4)),)},
        given={gelu.id: (GradientNumbers(0.5, 0, f"gradient {number}", (8, 2)), GradientNumbers(2.0, 0, "gradient 77", (2,)))},
    )
    view = GraphDocument().view(graph, OpenState(), METRICS, reveal=gelu.id, gradients=known)
    card = box_card(view, view.scene.box_of(gelu.id))
    facts = dict(card.facts)
    assert facts["gradient in"].endswith("  0.0518")
    assert facts[f"to {target.name.removesuffix('Backward0')}"] == "[8, 2]  0.500"
    assert facts["to gradient 77"] == "[2]  2.00"
    assert len(card.facts) <= 5
    badge = next(badge for badges in view.tree.folded.badges.values() for badge in badges if badge.parameter == "ln_f.weight")
    assert ("norm of .grad", "+Inf  3 elements not finite") in badge_card(view, badge).facts
