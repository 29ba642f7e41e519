"""SQL about sources, captures, contests and what they owe."""
