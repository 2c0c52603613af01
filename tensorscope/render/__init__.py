"""Paints views onto a QPainter with the theme; the window and the exports share it."""
