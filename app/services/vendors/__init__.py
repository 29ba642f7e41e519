"""Vendors: their models, endpoints, declarations and submissions."""
