"""Verbs about sources."""
