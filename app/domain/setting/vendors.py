"""Vendors of setters: by name, in one spelling, since two names of one vendor would be two voices."""


def one_spelling(vendor: str) -> str:
    """A vendor's name without regard to case and white space; empty for one that is no name."""
    return " ".join(vendor.split()).casefold()
