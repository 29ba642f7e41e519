"""The cube: every run's results on every problem of one protocol, and the files and sums it is made of."""
