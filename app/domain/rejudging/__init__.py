"""Judging kept answers again."""
