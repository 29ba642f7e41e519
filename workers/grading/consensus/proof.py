"""The suite of the accepted answers: tests are chosen, and the whole is proven, within the problem's judge seconds."""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from app.domain.consensus.agreement import ConsensusAgreement
from app.domain.consensus.answers import SetterAnswer
from app.domain.problems import Checker, Test
from app.domain.testgen import report
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.consensus.answer_table import AnswerTable
from workers.grading.consensus.earlier_solutions import find_wrong_solutions
from workers.grading.consensus.inputs import SuiteBudget
from workers.grading.consensus.program_runner import DeciderFailed, ProgramRunner, SetterProgram, was_late
from workers.grading.consensus.suite_draft import MissedInputs, SuiteDraft
from workers.grading.graders import HelperFailed
from workers.grading.testing.catching_tests import AnsweredInput
from workers.grading.testing.inputs import NamedProgram
from workers.grading.testing.suite_maker import NEAR_LIMIT_SHARE, ScreenedInputs, SuiteDemands, SuiteMaker


def prove_suite(
    runner: ProgramRunner,
    effort: SuiteBudget,
    draft: SuiteDraft,
    table: AnswerTable,
    agreement: ConsensusAgreement,
    *,
    known_wrong: Sequence[NamedProgram],
    earlier: Sequence[SetterAnswer],
    large: Collection[str],
    checkers: Sequence[Checker] = (),
) -> report.SuiteEvidence:
    """Choose among the inputs with an accepted answer, prove the choice, and record it in `draft`.

    The suite must reject the `known_wrong` programs, the refuted ones, and the `earlier` solutions that are wrong by
    the accepted answers; and it must hold one of the `large` inputs, which are JSON. `checkers` are those of setters
    that decide together. Raises TimeBudgetExceeded, and HelperFailed if a checker or interactor fails.
    """
    screening = ScreenedInputs()
    with runner.open_checkers(checkers) as deciding:
        for place, number in sorted(agreement.expected.items()):
            given, value = table.inputs[place].given, table.values(place)[number]
            for at, decides in enumerate(deciding):
                if not decides(Test(given, value), value):
                    raise DeciderFailed(at, "the checker rejects an answer that all agree on")
            _screen(screening, runner, draft, table, place, value)
    draft.dropped["slow"] = screening.left_out
    draft.evidence["missed"] = {name: missed.counts() for name, missed in draft.missed.items()}
    if not any(test.kind is InputKind.SLOW for test in screening.answered):  # every suite gets one of this kind
        screening.answered = [
            replace(test, kind=InputKind.SLOW) if json.dumps(test.given) in large else test
            for test in screening.answered
        ]
    draft.earlier = find_wrong_solutions(runner, earlier, screening.answered, table.programs)
    wrong = [*_programs(draft, draft.wrong), *known_wrong]
    wrong += [NamedProgram(one.name, one.code, one.language) for one in draft.earlier]
    demands = SuiteDemands(tests=effort.tests, mutants=effort.mutants, runs=effort.runs)
    maker = SuiteMaker(
        runner.judge, runner.problem, _programs(draft, draft.references), wrong, demands=demands,
        before_each=runner.check_time,
    )  # fmt: skip
    with runner.count_time():
        suite = maker.choose(screening)
    if suite.failed and (draft.checker or draft.interactor):
        raise HelperFailed(suite.failed)
    draft.problem, draft.kinds = replace(runner.problem, tests=suite.tests), suite.kinds
    draft.references = tuple(source for source in draft.references if draft.name_of(source.answer_id) not in suite.slow)
    chosen = sum(json.dumps(test.input) in large for test in suite.tests)
    proof = replace(suite.evidence, large=len(large), large_tests=chosen)
    draft.evidence |= {
        "tests": proof.tests, "mutation_score": proof.score, "caught": list(proof.caught), "slow": list(suite.slow),
        "mutants": {
            "caught": len(proof.mutants_caught), "tried": len(proof.mutants_caught) + len(proof.mutants_missed)
        },
    }  # fmt: skip
    return proof


def _screen(
    screening: ScreenedInputs, runner: ProgramRunner, draft: SuiteDraft, table: AnswerTable, place: int, expected: Any
) -> None:
    """Offer an input as a test if its fastest reference has time to spare."""
    candidate = table.inputs[place]
    screening.tried += 1
    screening.valid += 1
    in_time: list[float] = []
    missed: list[MissedInputs] = []
    for source in draft.references:
        attempt = table.attempts[source.answer_id][place]
        if attempt is None or not attempt.answered or attempt.cpu_ms > NEAR_LIMIT_SHARE * runner.problem.limits.time_ms:
            name = draft.name_of(source.answer_id)
            screening.late.setdefault(name, set()).add(json.dumps(candidate.given))
            missed.append(draft.missed.setdefault(name, MissedInputs()))
            slow = was_late(attempt) or (attempt is not None and attempt.answered)
            (missed[-1].slow if slow else missed[-1].failed).append(candidate.given)
        else:
            in_time.append(attempt.cpu_ms)
    if in_time:
        screening.answered.append(AnsweredInput(candidate.kind, candidate.given, expected, min(in_time)))
    else:
        screening.left_out += 1
        for reference_missed in missed:
            reference_missed.dropped += 1


def _programs(draft: SuiteDraft, sources: Sequence[SetterProgram]) -> list[NamedProgram]:
    return [NamedProgram(draft.name_of(source.answer_id), source.code, source.language) for source in sources]
