"""When sources are visited, and what their pages say of a problem."""
