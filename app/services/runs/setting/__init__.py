"""Tests made by models: who is asked for them, and what comes of their answers."""
