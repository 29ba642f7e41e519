"""GPU workers: a worker runs its own model server, and asks it like any endpoint."""
