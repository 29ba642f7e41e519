"""Boards: the question asked of one, who stands on it, how its rows are ranked and told apart."""
