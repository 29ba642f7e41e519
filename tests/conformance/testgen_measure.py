"""How well made suites tell right from wrong, measured with programs whose verdict is known."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from support.files import READ_AT

from app.domain.imports import ImportedProblem
from app.domain.judging.verdicts import Verdict
from app.domain.problems import ProblemSpec
from app.domain.testgen.candidates import candidates
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.grammars.layout import rejection_reason
from app.domain.testgen.statements.statement import derive_grammar
from scrapers.suite import read_file
from scrapers.suites._common.leetcode import LIMITS
from scrapers.suites.leetcode_dataset import SUITE
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.testing.inputs import NamedProgram
from workers.grading.testing.suite_maker import GeneratedSuite, SuiteDemands, SuiteMaker

MUTANTS = 24  # instead of 60, since the measurement is of many problems


class Labelled(NamedTuple):
    """A program and what is known of it: right, wrong answer, too slow, or failing otherwise."""

    program: NamedProgram
    label: str


@dataclass(frozen=True)
class Case:
    """A problem to make a suite for, and programs to try the suite with; those play no part in the making."""

    problem: ProblemSpec
    grammar: Grammar
    references: tuple[NamedProgram, ...]
    judged: tuple[Labelled, ...] = ()


def leetcode(shared: Path) -> tuple[list[Case], dict[str, tuple[str, ...]]]:
    """(cases with grammars from statements alone, problems whose constraints could not be read and why)."""
    batch = SUITE.read(read_file(shared / "data/problems_real/leetcodedataset_v0.3.1_test.jsonl.gz"), {}, READ_AT)
    answers = recorded(shared)
    cases, unread = [], {}
    for problem in batch.problems:
        assert problem.entry is not None
        derived = derive_grammar(problem.statements["en"].text, problem.entry)
        if derived.grammar is None or derived.unread:
            unread[problem.external_id] = derived.unread
            continue
        label = answers.get(problem.external_id)
        cases.append(Case(_spec(problem), derived.grammar, (_reference(problem),), (label,) if label else ()))
    return cases, unread


def _spec(problem: ImportedProblem) -> ProblemSpec:
    return ProblemSpec(problem.external_id, problem.form, (), LIMITS, problem.checker, problem.entry)


def _reference(problem: ImportedProblem) -> NamedProgram:
    return NamedProgram("reference", problem.programs[0].code, "python")


def recorded(shared: Path) -> dict[str, Labelled]:
    """The recorded answers to LeetCode problems, by slug, with that board's own verdict as the label."""
    name = "submission_O1-Mini-2024-09-12_N1_codegeneration_eval_all.json.gz"
    with gzip.open(shared / "data/livecodebench" / name, "rt") as file:
        rows = json.load(file)
    return {
        row["question_title"]: Labelled(NamedProgram("recorded", row["code_list"][0], "python"), _label(row))
        for row in rows
        if row["platform"] == "leetcode"
    }


def _label(row: dict[str, Any]) -> str:
    if row["graded_list"][0]:
        return "right"
    code = re.search(r'"error_code": (-?\d+)', str(row["metadata"]))
    return {"-2": "wrong", "-3": "slow"}.get(code[1] if code else "", "other")


@dataclass(frozen=True)
class Outcome:
    """A suite and the verdicts on the labelled programs."""

    case: Case
    suite: GeneratedSuite
    verdicts: tuple[tuple[str, str, Verdict, str], ...]

    def row(self) -> dict[str, Any]:
        """What a table needs of it."""
        evidence = self.suite.evidence
        return {
            "problem": self.case.problem.id,
            "tests": evidence.tests,
            "tried": evidence.tried,
            "valid": evidence.valid,
            "score": evidence.score,
            "caught": len(evidence.mutants_caught),
            "missed": list(evidence.mutants_missed),
            "shams_passed": list(evidence.trivial_passed),
            "unstable": evidence.unstable,
            "doubts": list(evidence.doubts),
            "notes": list(self.suite.notes),
            "judged": [[name, label, verdict.value, message[:200]] for name, label, verdict, message in self.verdicts],
        }


def measure(answering_judge: AnsweringJudge, case: Case, seed: int = 0) -> Outcome:
    """Make the suite of a case and judge its labelled programs on it."""

    def validate(given: Any) -> str | None:
        return rejection_reason(case.grammar, given)

    maker = SuiteMaker(
        answering_judge,
        case.problem,
        case.references,
        validate=validate,
        demands=SuiteDemands(seed=seed, mutants=MUTANTS),
    )
    suite = maker.make(list(candidates(case.grammar, seed)))
    problem = replace(case.problem, tests=suite.tests)
    verdicts = []
    for program, label in case.judged if suite.tests else ():
        result = answering_judge.grade(problem, program.code, program.language)
        verdicts.append((program.name, label, result.verdict, result.message))
    return Outcome(case, suite, tuple(verdicts))


def league(folder: Path, grammars: Path) -> Iterator[Case]:
    """The house league's problems that have a grammar, with their programs; the first reference answers alone."""
    from app.domain.testgen.grammars.files import read_grammar
    from scrapers.suites.house import load_league

    problems = load_league(folder, READ_AT).problems
    for path in sorted(grammars.glob("*.toml")):
        problem = problems[path.stem]
        references = [NamedProgram(each.name, each.code, each.language) for each in problem.programs_of(reference=True)]
        wrong = [Labelled(NamedProgram(each.name, each.code, each.language), "slow" if "slow" in each.name else "wrong")
                 for each in problem.programs_of(reference=False)]  # fmt: skip
        judged = (*(Labelled(reference, "right") for reference in references[1:]), *wrong)
        spec = replace(problem.spec, tests=())
        yield Case(spec, read_grammar(path.read_text(encoding="utf-8")), tuple(references[:1]), tuple(judged))
