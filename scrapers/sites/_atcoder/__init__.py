"""Readers of AtCoder's pages."""
