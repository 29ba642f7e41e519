"""Verbs about the service itself."""
