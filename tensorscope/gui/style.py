"""The style sheet and palette of Qt's own widgets, in the theme's colours and lengths."""

import re
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette

from tensorscope.render.resource_files import resource_path
from tensorscope.render.theme import Theme

_TOKEN: Final = re.compile(r"@([a-z]+):([\w.]+)@")


def style_sheet(theme: Theme) -> str:
    """``resources/window.qss`` with ``@color:role@`` and ``@px:path@`` replaced."""

    def value(match: re.Match[str]) -> str:
        kind, path = match.groups()
        return theme.color(path).name() if kind == "color" else f"{theme.px(path):g}px"

    return _TOKEN.sub(value, resource_path("window.qss").read_text(encoding="utf-8"))


def system_theme() -> str:
    """Dark unless the system says light."""
    return "light" if QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Light else "dark"


def palette(theme: Theme) -> QPalette:
    """What style sheets do not reach: default text, selection, tool tips."""
    role = QPalette.ColorRole
    colors = {
        role.Window: "surface.window",
        role.WindowText: "text.primary",
        role.Base: "surface.field",
        role.AlternateBase: "surface.panel",
        role.Text: "text.primary",
        role.PlaceholderText: "text.tertiary",
        role.Button: "surface.raised",
        role.ButtonText: "text.primary",
        role.Highlight: "surface.selected",
        role.HighlightedText: "text.primary",
        role.Link: "text.link",
        role.ToolTipBase: "surface.raised",
        role.ToolTipText: "text.primary",
    }
    result = QPalette()
    for target, name in colors.items():
        result.setColor(target, theme.color(name))
    result.setColor(QPalette.ColorGroup.Disabled, role.Text, theme.color("text.disabled"))
    result.setColor(QPalette.ColorGroup.Disabled, role.ButtonText, theme.color("text.disabled"))
    return result
