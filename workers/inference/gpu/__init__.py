"""GPU workers: a worker owns the server that answers, and asks it as it would any endpoint."""
