"""Vendors' orders."""
