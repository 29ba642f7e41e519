"""Verbs about boards."""
