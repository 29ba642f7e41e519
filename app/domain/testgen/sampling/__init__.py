"""Inputs of a grammar: numbers first, then the arrays and texts that have them."""
