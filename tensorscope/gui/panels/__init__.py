"""One file a panel; a new one is a new file and one line in ``panels/catalog.py``."""
