"""The planted defect in a league program that a prompt shows: all possible defects are planted again and compared."""

from app.domain.deriving.defects import Defect, plant_defects
from app.domain.deriving.programs import tidy_program
from app.domain.judging.defects import Category
from scrapers.suites.house import LeagueProblem


class Defects:
    """The planted defects of the league's programs, made once per problem."""

    def __init__(self) -> None:
        self._by_problem: dict[str, dict[str, Defect]] = {}

    def of(self, problem: LeagueProblem, program: str) -> Defect | None:
        """Return the defect of a program as it is shown; None if it is no defective program of the problem."""
        if problem.slug not in self._by_problem:
            self._by_problem[problem.slug] = {
                defect.code.strip(): defect
                for reference in problem.programs_of(reference=True)
                if reference.language == "python" and (text := tidy_program(reference.code)) is not None
                for category in Category
                for defect in plant_defects(text, problem.spec.entry, category)
            }
        return self._by_problem[problem.slug].get(program.strip())
