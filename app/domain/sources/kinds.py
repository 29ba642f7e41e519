"""Kinds of sources, by which a protocol can cover them without naming one."""

from enum import StrEnum
from typing import Final

DEMO_SITE: Final = "harbour"  # the bundled contest site, whose contests are invented


class SourceKind(StrEnum):
    """Site that is scraped, or imported fixed set."""

    SITE = "site"
    SUITE = "suite"
