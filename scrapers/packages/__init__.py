"""Problem packages of Polygon, Kattis and DMOJ: read as values, nothing of them run."""
