"""Tests made by models: which setters are asked for them, and what becomes of their answers."""
