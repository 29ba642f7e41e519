"""SQL about cells and the input of boards."""
