"""Defect items: right programs with one planted defect each, proven by the problem's tests, to fix or to review."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.deriving.defects import Defect, plant_defects
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.deriving.programs import tidy_program
from app.domain.errors import JudgeError
from app.domain.judging.defects import Category
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, ProblemSpec
from workers.grading.judge import Judge

MAX_BUG_ITEMS: Final = 2  # to fix, of a problem, which also has one review for each category
_FORMS = (Form.STDIN, Form.FUNCTION, Form.CLASS)
_MAX_PROGRAMS, _MAX_TRIES, _MAX_SLOW = 2, 16, 2
# The verdicts of the tests on a defect: the reviewer is told that nothing else is wrong.
_PROOF: Final = {
    Category.LOGIC: (Verdict.WRONG_ANSWER,),
    Category.SECURITY: (Verdict.ACCEPTED,),
    Category.NAMING: (Verdict.ACCEPTED,),
    Category.PERFORMANCE: (Verdict.ACCEPTED, Verdict.TIME_LIMIT),
}


def derive_defect_items(
    judge: Judge, problem: ProblemSpec, programs: Sequence[tuple[int, str]]
) -> list[DerivedItemSpec]:
    """Return bug and review items of these right Python programs, which may be shown; none for other forms.

    A planted bug gives a wrong answer to a test; other defects change no answer. Raises JudgeError or
    SandboxUnavailable if the sandbox fails.
    """
    if problem.form not in _FORMS:
        return []
    planter = _DefectPlanter(judge, problem)
    bugs: list[DerivedItemSpec] = []
    reviews: dict[Category, DerivedItemSpec] = {}
    for number, code in _chosen(programs):
        if len(bugs) == MAX_BUG_ITEMS and len(reviews) == len(Category):
            break
        if (verdict := planter.grade(code)) is not Verdict.ACCEPTED:
            if verdict is Verdict.JUDGE_ERROR:
                raise JudgeError(f"{problem.id}: a right program could not be judged")
            continue
        for category in Category:
            wanted = (category not in reviews) + (MAX_BUG_ITEMS - len(bugs) if category is Category.LOGIC else 0)
            for defect in planter.proven(code, category, wanted):
                if category is Category.LOGIC and len(bugs) < MAX_BUG_ITEMS:
                    bugs.append(_item(DerivedItemKind.BUG_FIX, defect, number))
                else:
                    reviews[category] = _item(DerivedItemKind.REVIEW, defect, number)
    return [*bugs, *(reviews[category] for category in Category if category in reviews)]


def _chosen(programs: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the first few different programs by digest, so that the choice is not ours."""
    texts = {text: number for number, code in reversed(programs) if (text := tidy_program(code)) is not None}
    order = sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())
    return [(texts[text], text) for text in order[:_MAX_PROGRAMS]]


def _item(kind: DerivedItemKind, defect: Defect, program: int) -> DerivedItemSpec:
    truth = {"category": defect.category.value, "lines": list(defect.lines)}
    return DerivedItemSpec(
        kind, {"code": defect.code}, truth if kind is DerivedItemKind.REVIEW else None, program=program,
        measured={**truth, "before": defect.before, "after": defect.after},
    )  # fmt: skip


@dataclass
class _DefectPlanter:
    judge: Judge
    problem: ProblemSpec
    slow: int = 0

    def grade(self, code: str) -> Verdict:
        """Return the verdict of the problem's tests on a program."""
        return self.judge.grade(self.problem, code, "python").verdict

    def proven(self, code: str, category: Category, wanted: int) -> Iterator[Defect]:
        """Yield the first defects that the tests prove, each on another line."""
        lines: set[int] = set()
        tries = _MAX_TRIES
        for defect in plant_defects(code, self.problem.entry, category) if wanted else ():
            if tries == 0 or self.slow == _MAX_SLOW:
                return
            if defect.lines[0] in lines:
                continue
            tries -= 1
            verdict = self.grade(defect.code)
            self.slow += verdict is Verdict.TIME_LIMIT
            if verdict in _PROOF[category]:
                lines.add(defect.lines[0])
                yield defect
                wanted -= 1
                if wanted == 0:
                    return
