"""Derived items of published problems: questions that follow from their programs and tests. Pure."""
