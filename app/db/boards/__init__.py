"""SQL about cells and what boards read."""
