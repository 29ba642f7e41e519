"""Readers of Codeforces' pages and API."""
