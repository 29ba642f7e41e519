"""How AtCoder's pages are read."""
