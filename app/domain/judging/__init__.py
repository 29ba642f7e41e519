"""Judging without running anything: problem files, checkers, values compared, verdicts, speed."""
