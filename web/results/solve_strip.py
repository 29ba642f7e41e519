"""Strip of the rows that solve a problem: one mark for each, ordered by the cutoffs of their models."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from app.services.evidence.problem_views import AnswersView
from web.context import PageRequest


class SolvedShare(StrEnum):
    """Share of a row's judged answers to the problem that are accepted."""

    ALL = "all"
    SOME = "some"
    NONE = "none"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class SolveMark:
    """One row: its name, the share of its answers that are accepted, and a link to its first answer or its model."""

    name: str
    share: SolvedShare
    href: str
    cutoff_on: date


@dataclass(frozen=True, slots=True)
class SolveStrip:
    """The rows whose cutoff lies before the problem's release, and the others, each by cutoff."""

    clean: tuple[SolveMark, ...]
    exposed: tuple[SolveMark, ...]

    @property
    def solved(self) -> int:
        """Number of rows with an accepted answer."""
        return sum(mark.share in (SolvedShare.ALL, SolvedShare.SOME) for mark in (*self.clean, *self.exposed))

    @property
    def rows(self) -> int:
        """Number of all rows."""
        return len(self.clean) + len(self.exposed)


def solve_strip(page: PageRequest, answers: Sequence[AnswersView], released: date | None) -> SolveStrip:
    """Return the rows with answers to a problem; without a release date none counts as exposed."""
    marks = sorted((_mark(page, row) for row in answers), key=lambda mark: mark.cutoff_on)
    clean = tuple(mark for mark in marks if released is None or mark.cutoff_on < released)
    return SolveStrip(clean, tuple(marks[len(clean) :]))


def _mark(page: PageRequest, row: AnswersView) -> SolveMark:
    share = (
        SolvedShare.UNJUDGED
        if not row.n
        else SolvedShare.ALL
        if row.c == row.n
        else SolvedShare.SOME
        if row.c
        else SolvedShare.NONE
    )
    href = page.href(f"/samples/{row.dots[0].sample_id}" if row.dots else f"/models/{row.model}")
    name = f"{row.name} ({row.configuration})" if row.configuration else row.name
    return SolveMark(name, share, href, row.cutoff_on)
