"""What the panels show, without Qt: one selection, one cursor, one view range."""
