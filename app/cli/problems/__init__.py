"""Verbs about problems and their tests."""
