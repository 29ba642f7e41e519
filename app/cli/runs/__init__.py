"""Verbs about models and judging."""
