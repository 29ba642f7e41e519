"""Kinds of sources: what a protocol may cover without naming anybody."""

from enum import StrEnum


class SourceKind(StrEnum):
    """A site that is scraped, or an imported fixed set."""

    SITE = "site"
    SUITE = "suite"
