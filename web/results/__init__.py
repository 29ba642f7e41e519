"""Shared parts of the pages of models, problems, answers and comparisons."""
