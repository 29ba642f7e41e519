"""Measurements behind ./tidemark perf: each figure beside its bare limit."""
