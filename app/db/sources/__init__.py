"""SQL about sources, captures, contests and the data expected from them."""
