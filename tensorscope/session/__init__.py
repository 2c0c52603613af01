"""Sessions: one connection to a job, live or replayed. Everything above looks the same for both."""
