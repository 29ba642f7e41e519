"""Setters' programs in the sandbox: what they make, refuse and answer, and the suite that comes of it."""
