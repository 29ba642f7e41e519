"""Tidemark: a live benchmark service for code models."""

import sys

# Digits of an integer as text, in tests and in what programs return: as in LiveCodeBench's harness, and as judged
# programs have it. The interpreter's own bound would refuse right answers.
sys.set_int_max_str_digits(50_000)
