"""Tests written for unittest, read without running them."""
