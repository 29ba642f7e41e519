"""How Codeforces' pages and API are read."""
