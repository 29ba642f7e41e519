"""Sampling of inputs of a grammar: numbers first, then arrays and texts of these sizes."""
