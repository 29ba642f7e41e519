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
from workers.grading.testing.inputs import NamedProgram
from workers.grading.testing.kills import AnsweredInput
from workers.grading.testing.suite_maker import NEAR_LIMIT_SHARE, Screening, SuiteDemands, SuiteMaker


def prove_suite(
    bench: ProgramRunner,
    effort: SuiteBudget,
    played: SuiteDraft,
    table: AnswerTable,
    ruling: ConsensusAgreement,
    *,
    known_wrong: Sequence[NamedProgram],
    earlier: Sequence[SetterAnswer],
    large: Collection[str],
    checkers: Sequence[Checker] = (),
) -> report.SuiteEvidence:
    """Choose among the inputs with an accepted answer, prove the choice, and record it in `played`.

    The suite must reject the `known_wrong` programs, the refuted ones, and the `earlier` solutions that are wrong by
    the accepted answers; and it must hold one of the `large` inputs, which are JSON. `checkers` are those of setters
    that decide together. Raises OutOfTime, and HelperFailed if a checker or interactor fails.
    """
    screening = Screening()
    with bench.open_checkers(checkers) as deciding:
        for place, number in sorted(ruling.expected.items()):
            given, value = table.inputs[place].given, table.values(place)[number]
            for at, decides in enumerate(deciding):
                if not decides(Test(given, value), value):
                    raise DeciderFailed(at, "the checker rejects an answer that all agree on")
            _screen(screening, bench, played, table, place, value)
    played.dropped["slow"] = screening.left_out
    played.evidence["missed"] = {name: missed.counts() for name, missed in played.missed.items()}
    if not any(test.kind is InputKind.SLOW for test in screening.answered):  # every suite gets one of this kind
        screening.answered = [
            replace(test, kind=InputKind.SLOW) if json.dumps(test.given) in large else test
            for test in screening.answered
        ]
    played.earlier = find_wrong_solutions(bench, earlier, screening.answered, table.programs)
    wrong = [*_programs(played, played.wrong), *known_wrong]
    wrong += [NamedProgram(one.name, one.code, one.language) for one in played.earlier]
    demands = SuiteDemands(tests=effort.tests, mutants=effort.mutants, runs=effort.runs)
    maker = SuiteMaker(
        bench.producer, bench.problem, _programs(played, played.references), wrong, demands=demands,
        before_each=bench.check_time,
    )  # fmt: skip
    with bench.count_time():
        suite = maker.choose(screening)
    if suite.failed and (played.checker or played.interactor):
        raise HelperFailed(suite.failed)
    played.problem, played.kinds = replace(bench.problem, tests=suite.tests), suite.kinds
    played.references = tuple(source for source in played.references if played.name_of(source.piece) not in suite.slow)
    chosen = sum(json.dumps(test.input) in large for test in suite.tests)
    proof = replace(suite.evidence, large=len(large), large_tests=chosen)
    played.evidence |= {
        "tests": proof.tests, "mutation_score": proof.score, "caught": list(proof.caught), "slow": list(suite.slow),
        "mutants": {
            "caught": len(proof.mutants_caught), "tried": len(proof.mutants_caught) + len(proof.mutants_missed)
        },
    }  # fmt: skip
    return proof


def _screen(
    screening: Screening, bench: ProgramRunner, played: SuiteDraft, table: AnswerTable, place: int, expected: Any
) -> None:
    """Offer an input as a test if its fastest reference has time to spare."""
    candidate = table.inputs[place]
    screening.tried += 1
    screening.valid += 1
    in_time: list[float] = []
    missed: list[MissedInputs] = []
    for source in played.references:
        attempt = table.attempts[source.piece][place]
        if attempt is None or not attempt.answered or attempt.cpu_ms > NEAR_LIMIT_SHARE * bench.problem.limits.time_ms:
            name = played.name_of(source.piece)
            screening.late.setdefault(name, set()).add(json.dumps(candidate.given))
            missed.append(played.missed.setdefault(name, MissedInputs()))
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


def _programs(played: SuiteDraft, sources: Sequence[SetterProgram]) -> list[NamedProgram]:
    return [NamedProgram(played.name_of(source.piece), source.code, source.language) for source in sources]
