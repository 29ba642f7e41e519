"""Derived items of published problems, made by running their programs in the sandbox."""
