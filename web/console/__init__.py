"""The vendors' console: pages of an organisation's members, and the forms on them."""
