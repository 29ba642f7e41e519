"""Runs: models, planning, asking, samples, grading, imported results."""
