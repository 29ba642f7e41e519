"""Tidemark: a live benchmark service for code models."""
