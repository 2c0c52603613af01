"""Public training scripts, kept outside of the repository, under plain Python and recorded: see ``__main__``."""
