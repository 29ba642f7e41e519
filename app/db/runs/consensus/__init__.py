"""SQL about setters and the consensus that they reach on a problem's tests."""
