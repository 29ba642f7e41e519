"""Scrapers: fetch politely, classify, parse; no database."""
