"""Readers of LeetCode's pages and answers."""
