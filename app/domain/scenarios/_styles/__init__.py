"""Prompt styles of codegen that have files of their own."""
