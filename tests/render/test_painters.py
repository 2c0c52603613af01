"""Painters end with the block that made them: one kept alive by an exception's traceback on a widget that goes away crashes the process."""

import ast
from pathlib import Path

import tensorscope

PACKAGE = Path(tensorscope.__file__).parent


def begun_painters(tree: ast.AST) -> set[ast.expr]:
    """Calls that make a painter on a device."""
    return {node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "QPainter" and node.args}


def test_every_painter_is_ended_by_a_with_block() -> None:
    found = 0
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        begun = begun_painters(tree)
        ended = {item.context_expr for node in ast.walk(tree) if isinstance(node, ast.With) for item in node.items}
        assert begun <= ended, f"{path.relative_to(PACKAGE)}: line {min(node.lineno for node in begun - ended)}"
        found += len(begun)
    assert found > 30
