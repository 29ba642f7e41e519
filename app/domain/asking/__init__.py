"""Protocols, and what passes between us and a model: requests, completions, programs in answers, feedback."""
