"""Grammars read out of statements."""
