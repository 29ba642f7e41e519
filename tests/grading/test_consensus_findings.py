"""What a play finds out about each answer, as it goes back to its setter: with the input and what was made of it."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import Passed
from support.setters import BRUTE, FEW, GENERATOR, KADANE, MORE, PROBLEM, VALIDATOR, answers, fenced

from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.consensus.result import ConsensusResult
from app.domain.consensus.rounds import FELL_SHORT, AnswerOutcome, answers_to_return
from app.domain.consensus.vendors import OPERATOR
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.inputs import SuiteBudget
from workers.grading.consensus.program_runner import ProgramRunner, TimeBudgetExceeded
from workers.grading.consensus.result import consensus_result
from workers.grading.consensus.suite import build_suite
from workers.grading.judge import JudgeSettings
from workers.grading.testing.catching_tests import AnsweredInput
from workers.grading.testing.inputs import NamedProgram
from workers.grading.testing.suite_maker import ScreenedInputs, SuiteDemands, SuiteMaker

pytestmark = pytest.mark.sandbox


def found(answering_judge: AnsweringJudge, *recorded: SetterAnswer, effort: SuiteBudget = FEW) -> ConsensusResult:
    return consensus_result(build_suite(answering_judge, PROBLEM, recorded, effort=effort))


def short(found: ConsensusResult) -> dict[str, AnswerOutcome]:
    """Those that fell short, by vendor, role and ordinal."""
    return {
        f"{one.answer_id.vendor} {one.answer_id.role} {one.answer_id.ordinal}": one
        for one in found.findings
        if one.word in FELL_SHORT
    }


def test_a_validator_that_refuses_what_is_legal_hears_of_it_where_there_is_no_suite(
    answering_judge: AnsweringJudge,
) -> None:
    """Its vote kept every large input out, and the generators that made them are not alone to blame."""
    strict = fenced(VALIDATOR.replace("10**9", "10**8"))
    suite = found(answering_judge, *answers("a", validator=strict), *answers("b"), effort=MORE)
    assert "no large input" in str(suite.reason)
    case = short(suite)["a validator 0"]
    assert (case.reason, case.shows["input"]) == ("it knows 0.88 of the probes", "2\n1000000000 -1000000000\n")
    assert "b validator 0" not in short(suite)


def test_a_brute_force_is_not_told_what_others_answer(answering_judge: AnsweringJudge) -> None:
    lies = fenced(BRUTE.replace("print(max(", "print(n if n > 3 else max("))
    others = answers("b", solution_1=None, generator=None)
    mine = answers("a", brute=lies, solution_1=None)
    person = SetterAnswer(
        AnswerId(OPERATOR, OPERATOR, SetterRole.SOLUTION), fenced(KADANE)
    )  # whose word settles what is right
    effort = replace(FEW, counts={InputKind.SMALL: 6})
    case = short(found(answering_judge, *mine, *others, person, effort=effort))["a brute 0"]
    assert case.shows["said"] == f"{case.shows['input'].split()[0]}\n"
    assert "expected" not in case.shows


def test_where_time_ran_out_nothing_was_found_out_about_anybody(answering_judge: AnsweringJudge) -> None:
    late = found(answering_judge, *answers("a"), *answers("b"), effort=replace(FEW, max_s=0.001))
    assert "of judging" in str(late.reason)
    assert late.ours


def test_no_vendor_alone(answering_judge: AnsweringJudge) -> None:
    """Not with two setters either; that is no fault of ours."""
    little: dict[str, str | None] = dict.fromkeys(("generator", "brute", "solution_1"))
    mine = answers("a", **little)
    suite = found(
        answering_judge, *mine, *(replace(one, answer_id=replace(one.answer_id, setter="other")) for one in mine)
    )
    assert "validators of one vendor" in str(suite.reason)
    assert (suite.ours, suite.passing) == (False, False)


def test_what_is_not_judged_here_is_left_out_and_goes_back_to_nobody(
    settings: JudgeSettings, open_folder: Path
) -> None:
    """That a language does not work on a busy machine, or has no compiler, is no fault of whoever writes in it."""
    # To measure another root's slowness takes a second; here nothing comes near a limit.
    settings = replace(settings, sandbox_root=open_folder / "no-compiler", compiler="/nowhere/gcc", slowness=2.0)
    judge = AnsweringJudge(settings)
    judge.self_test()
    suite = found(judge, *answers("a", generator=None, brute=None))
    compiled = {
        one.word: one.reason
        for one in suite.findings
        if (one.answer_id.role, one.answer_id.ordinal) == (SetterRole.SOLUTION, 1)
    }
    assert list(compiled) == ["left out"]
    assert compiled["left out"].startswith("cpp is not judged here for now: needs the launcher")
    assert (suite.reason is None, suite.ours, suite.passing) == (False, True, True)
    assert not answers_to_return(suite.findings, {}, ours=suite.ours)
    enough = found(judge, *answers("a"), *answers("b", solution_1=fenced(f"# another\n{KADANE}")))
    assert (enough.reason, enough.ours) == (None, False)


def test_seconds_of_judging_are_looked_at_before_each_program_of_the_proof(answering_judge: AnsweringJudge) -> None:
    """By a clock of which each look takes a second: of many mutants a few are tried, and the rest costs nothing."""
    seconds = itertools.count()
    runner = ProgramRunner(answering_judge, PROBLEM, 4.0, clock=lambda: float(next(seconds)))
    reference = NamedProgram("ref", KADANE, "python")
    screening = ScreenedInputs(
        answered=[AnsweredInput(InputKind.SMALL, f"1\n{x}\n", f"{x}\n", 1.0) for x in range(3)], tried=3, valid=3
    )
    maker = SuiteMaker(
        answering_judge, PROBLEM, [reference], demands=SuiteDemands(mutants=40), before_each=runner.check_time
    )
    with pytest.raises(TimeBudgetExceeded), runner.count_time():
        maker.choose(screening)
    assert runner.judge_s <= 6


def test_inputs_that_no_brute_force_reaches_are_the_generators_to_mend(answering_judge: AnsweringJudge) -> None:
    big = fenced(GENERATOR.replace("r.randint(1, 6)", "r.randint(100, 200)"))
    cases = short(
        found(answering_judge, *answers("a", generator=big, probes=None), *answers("b", generator=big, probes=None))
    )
    assert {name for name in cases if "generator" in name} == {"a generator 0", "b generator 0"}
    assert {one.answer_id.role for one in cases.values()} <= {SetterRole.GENERATOR, SetterRole.BRUTE}


def test_a_hack_may_be_a_generator_and_prints_half_as_many_inputs(answering_judge: AnsweringJudge) -> None:
    hack = fenced(GENERATOR.replace("SALT", "hack"))
    both = (*answers("a", generator=None, probes=None, hack=hack), *answers("b", generator=None, probes=None))
    suite = found(answering_judge, *both, effort=replace(FEW, mutants=2))
    states = {one["role"]: one["state"] for one in suite.evidence["answers"] if one["vendor"] == "a"}
    assert states["hack"].split(":")[0] in ("used", "short"), "its inputs count, be they enough or not"
    assert 0 < suite.evidence["legal"] <= sum(-(-count // 2) for count in FEW.counts.values())


def test_what_every_reference_is_too_slow_for_is_dropped_by_each(
    settings: JudgeSettings, judge: AnsweringJudge
) -> None:
    """What each takes twice its limit for, it is asked about all the same."""
    waits = "import time\nwhile n > 60 and time.process_time() < 0.2:\n    pass\n"
    slow = fenced(KADANE.replace("best = end = None", f"{waits}best = end = None"))
    both = [*answers("a", solution_0=slow, solution_1=slow), *answers("b", solution_0=slow, solution_1=slow)]
    answering_judge = Passed(replace(settings, slowness=1.0), judge)
    played = build_suite(answering_judge, PROBLEM, both, effort=replace(FEW, mutants=0))
    assert "missed" in played.evidence, played.reason
    missed = played.evidence["missed"]
    assert played.dropped["slow"] > 0
    assert {one["dropped"] for one in missed.values()} == {played.dropped["slow"]}
    assert len(missed) == 4


def test_no_vendor_keeps_out_of_a_suite_what_it_fails_on(answering_judge: AnsweringJudge) -> None:
    """Its validator takes rows of three and more that begin below zero for illegal, and its programs fail on them."""
    first = "for x in map(int, input().split()):"
    fails = KADANE.replace(first, f"low = None\n{first}\n    low = x < 0 if low is None else low")
    fails = fails.replace("print(best)", "print(best + (low and n > 2))")
    theirs = answers(
        "c", generator=None, probes=None, solution_1=None, solution_0=fenced(fails),
        validator=fenced(f"{VALIDATOR}assert n < 3 or row[0] >= 0"),
        brute=fenced(BRUTE.replace("print(", "print((n > 2 and row[0] < 0) + ")),
    )  # fmt: skip
    good = [*answers("a", solution_1=None), *answers("b", solution_1=None, generator=None)]
    suite = found(answering_judge, *good, *theirs, effort=replace(FEW, counts={InputKind.SMALL: 12}))
    assert "legal inputs to be illegal and answers otherwise" in str(suite.reason)
    cases = {name: case for name, case in short(suite).items() if name.startswith("c ")}
    assert set(cases) == {"c brute 0", "c solution 0"}
    assert all(case.shows["input"].split()[1].startswith("-") for case in cases.values())
