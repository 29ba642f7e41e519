"""Grammars of inputs: the language of constraints, layouts, and validation."""
