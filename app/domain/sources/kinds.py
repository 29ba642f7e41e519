"""Kinds of sources, by which a protocol can cover them without naming one."""

from enum import StrEnum


class SourceKind(StrEnum):
    """Site that is scraped, or imported fixed set."""

    SITE = "site"
    SUITE = "suite"
