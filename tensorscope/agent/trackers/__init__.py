"""One file a tracker; each undoes itself on detach."""
