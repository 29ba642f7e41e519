"""Judging without running anything: problem files, checkers, comparison of values, verdicts, speed."""
