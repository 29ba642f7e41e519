"""Boards: their query, entrants, ranking and comparison of rows."""
