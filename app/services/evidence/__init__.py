"""Evidence beside the boards: ratings, composites, contamination, curves."""
