"""Grammars derived from statements."""
