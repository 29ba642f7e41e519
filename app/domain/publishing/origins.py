"""Precedence of texts that describe one problem: by origin, then by the time they were seen."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeVar

K = TypeVar("K")


class Origin(StrEnum):
    """Origin of a problem's text; each outranks those before it."""

    SUITE = "suite"  # an imported fixed set, wherever its texts are from
    PAGE = "page"  # a page of the problem's own site
    PACKAGE = "package"  # a maintainer's package, with statement and tests that belong together

    @property
    def rank(self) -> int:
        """Place in this order, from 0."""
        return list(Origin).index(self)


class Sighting(NamedTuple):
    """Origin and time at which a text was seen; `capture` distinguishes pages that were fetched at one moment."""

    origin: Origin
    at: datetime
    capture: int | None = None


def precedence(sighting: Sighting) -> tuple[int, datetime, int]:
    """Return the key by which the greatest sighting counts. Equal keys are one reading and its correction."""
    return sighting.origin.rank, sighting.at, sighting.capture or 0


def current_text(sightings: Mapping[K, Sighting]) -> K | None:
    """Return the text to ask, among those that were seen; None without any. All sightings must differ."""
    return max(sightings, key=lambda text: precedence(sightings[text]), default=None)
