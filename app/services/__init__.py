"""Use cases of the system: each function takes a session and now, and returns values."""
