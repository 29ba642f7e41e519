"""The vendors' console: accounts of members, their roles, and what they do for their organisation."""
