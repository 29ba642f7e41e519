"""Protocols, and what is exchanged with a model: requests, completions, extracted programs, feedback."""
