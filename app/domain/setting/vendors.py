"""Vendors of setters: by name, in one spelling, since two names of one vendor would be two voices."""

from typing import Final

from app.domain.letters import as_seen

OPERATOR: Final = "operator"  # whose programs a person vouches for; no setter's vendor may be called so


def one_spelling(vendor: str) -> str:
    """A vendor's name without regard to case and to what nobody sees; empty for one that is no name."""
    return as_seen(vendor).casefold()
