"""What the system does: each function takes a session and now, and returns values."""
