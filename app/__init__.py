"""Tidemark: a live benchmark service for code models."""

import gc
import sys

# Digits of an integer as text, in tests and in returned values: as in LiveCodeBench's harness and in judged programs.
# The interpreter's default bound would refuse right answers.
sys.set_int_max_str_digits(50_000)

# Starting up makes a million objects that stay: collecting garbage among them takes a quarter of the time.
gc.set_threshold(20_000, 20, 20)
