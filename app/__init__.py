"""Tidemark: a live benchmark service for code models."""

import gc
import sys

# Digits of an integer as text, in tests and in what programs return: as in LiveCodeBench's harness, and as judged
# programs have it. The interpreter's own bound would refuse right answers.
sys.set_int_max_str_digits(50_000)

# A start makes a million objects that stay: to look through them again and again is a quarter of it.
gc.set_threshold(20_000, 20, 20)
