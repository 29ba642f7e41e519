"""Verbs about rejudging."""
