"""Whose word counts where several describe one problem: who stands nearer to it, then who looked later."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeVar

K = TypeVar("K")


class Origin(StrEnum):
    """Who says what a problem is; each outranks those before it."""

    SUITE = "suite"  # an imported fixed set, whatever it copied
    PAGE = "page"  # a page of the problem's own site
    PACKAGE = "package"  # a maintainer's package, with statement and tests that belong together

    @property
    def rank(self) -> int:
        """Its place in this order, from 0."""
        return list(Origin).index(self)


class Sighting(NamedTuple):
    """Where a text was seen and when; `capture` tells pages apart that were fetched at one moment."""

    origin: Origin
    at: datetime
    capture: int | None = None


def precedence(sighting: Sighting) -> tuple[int, datetime, int]:
    """A key for comparing: the greatest sighting counts. Those of one key are one reading and its correction."""
    return sighting.origin.rank, sighting.at, sighting.capture or 0


def current(sightings: Mapping[K, Sighting]) -> K | None:
    """The text that is asked, of those that were seen; None of none. Each sighting must be another."""
    return max(sightings, key=lambda text: precedence(sightings[text]), default=None)
