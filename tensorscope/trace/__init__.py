"""The events of a session as columnar tables."""
