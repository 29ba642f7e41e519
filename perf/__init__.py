"""The measurements of ./tidemark perf: each figure beside its bare limit."""
