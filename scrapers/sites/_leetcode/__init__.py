"""How LeetCode's pages and answers are read."""
