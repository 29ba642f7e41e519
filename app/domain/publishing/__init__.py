"""Holds on problems, and facts of published ones: bands, tags, audits."""
