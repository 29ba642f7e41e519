"""Readers of hostile bodies: HTML, Markdown, TeX, JSON rows, numbers with units."""
