"""Which defect was planted in a program of the league that a prompt shows: every one that can be is made again."""

from app.domain.deriving.defects import Defect, planted
from app.domain.deriving.programs import tidied
from app.domain.judging.findings import Category
from scrapers.suites.house import LeagueProblem


class Defects:
    """The defects of the league's programs; those of a problem are made once."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Defect]] = {}

    def of(self, problem: LeagueProblem, program: str) -> Defect | None:
        """The defect of a program as it is shown; None where it is no program of the problem with one."""
        if problem.slug not in self._known:
            self._known[problem.slug] = {
                defect.code.strip(): defect
                for reference in problem.programs_of(reference=True)
                if reference.language == "python" and (text := tidied(reference.code)) is not None
                for category in Category
                for defect in planted(text, problem.spec.entry, category)
            }
        return self._known[problem.slug].get(program.strip())
