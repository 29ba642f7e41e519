"""Problem packages of Polygon, Kattis and DMOJ, read as values; nothing in them is run."""
