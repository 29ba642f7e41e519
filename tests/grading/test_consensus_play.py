"""Suites by consensus, in the sandbox: what setters write is run, weighed, and proven, however it behaves."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from grading.test_own_attacks import ATTACKS
from support.setters import (
    FEW,
    FROM_ZERO,
    GENERATOR,
    KADANE,
    OVERFLOWS,
    PROBLEM,
    SLOW,
    VALIDATOR,
    answers,
    fenced,
)

from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.consensus.rounds import FELL_SHORT
from app.domain.consensus.summary import read_summary
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import InputKind
from app.domain.testgen.statements.statement import grammar_of
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.inputs import Legality, classify_by_size
from workers.grading.consensus.program_runner import ProgramRunner, SetterProgram
from workers.grading.consensus.result import consensus_result
from workers.grading.consensus.suite import build_suite as play_with
from workers.grading.consensus.suite_draft import SuiteDraft

pytestmark = pytest.mark.sandbox


def play(answering_judge: AnsweringJudge, problem: ProblemSpec, recorded: Sequence[SetterAnswer]) -> SuiteDraft:
    return play_with(answering_judge, problem, recorded, effort=FEW)


def words(played: SuiteDraft) -> dict[str, str]:
    """What became of everybody's answers: by vendor, role and ordinal."""
    return {f"{p.vendor} {p.role} {p.ordinal}": state.word for p, state in played.states.items()}


BOMB = "import os\nwhile True:\n    os.fork()\n"
LOOP, LEAVES, HOARDS = "while True: pass\n", "raise SystemExit(7)\n", "x = [0] * 10**10\n"
SAYS_FOUR = "print(4)\n"  # which is right for the first sample
HOSTILE = {
    "validator": LEAVES, "validator_1": "", "generator": SAYS_FOUR, "generator_1": HOARDS, "brute": LOOP,
    "brute_1": SAYS_FOUR, "solution_0": SAYS_FOUR, "solution_1": BOMB, "solution_2": HOARDS, "probes": "[]",
    "checker": BOMB, "hack": "no input\n",
}  # fmt: skip
ATTACKS_BY_ROLE = {
    "validator": "every_answer", "generator": "fake_the_report", "brute": "state_between_tests",
    "solution_0": "attack_the_parent", "solution_2": "exit_42",
}  # fmt: skip
HARMLESS = {"refuted", "failed", "unused", "unreadable"}


def attack(name: str) -> str:
    return (ATTACKS / f"{name}.py").read_text(encoding="utf-8")


def hostile() -> list[SetterAnswer]:
    """What vendor c breaks the rules of each role with, and programs of tests/attacks as vendor d's."""
    texts = {name: fenced(text, "text" if name == "hack" else "python") for name, text in HOSTILE.items()}
    attacks: dict[str, str | None] = {"probes": None, "solution_1": None}
    attacks |= {role: fenced(attack(name)) for role, name in ATTACKS_BY_ROLE.items()}
    return [*answers("c", **texts), *answers("d", **attacks)]


@pytest.fixture(scope="module")
def full(answering_judge: AnsweringJudge) -> SuiteDraft:
    """One play for many tests: good answers of a and b, whose setters have one name, what falls short beside them,
    each in its own way, what setters replaced, and what c and d wrote to do harm."""
    strict = VALIDATOR.replace("10**9", "99").replace("1 <= n", "2 <= n")
    good = [
        *answers("a", solution_2=fenced(FROM_ZERO), solution_3="x" * (1 << 20) + fenced(KADANE),
                 validator_1=fenced(strict)),
        *answers("b", solution_2=fenced(SLOW), solution_3=fenced(OVERFLOWS, "cpp"), solution_4="I cannot.",
                 brute_1=fenced(SAYS_FOUR)),
    ]  # fmt: skip
    alike = [replace(one, answer_id=replace(one.answer_id, setter="model")) for one in good]
    effort = replace(
        FEW, counts={**FEW.counts, InputKind.SMALL: 2, InputKind.EXTREME: 1}, shrunk_inputs=2, extra_inputs=1, mutants=1
    )
    return play_with(answering_judge, PROBLEM, [*alike, *hostile()], effort=effort, earlier=REPLACED)


def of(vendor: str, role: SetterRole, ordinal: int = 0) -> AnswerId:
    """Of the two good vendors."""
    return AnswerId(vendor, "model", role, ordinal)


def test_two_vendors_make_a_suite_that_refuses_what_is_wrong(answering_judge: AnsweringJudge, full: SuiteDraft) -> None:
    """Each in its own way: on small inputs, on large ones only, and too slowly."""
    assert full.reason is None, full.states
    wrong = {of("a", SetterRole.SOLUTION, 2), of("b", SetterRole.SOLUTION, 3)}
    refuted = {
        answer_id
        for answer_id, state in full.states.items()
        if (state.word, answer_id.role) == ("refuted", SetterRole.SOLUTION)
    }
    assert {one for one in refuted if one.vendor in "ab"} == wrong
    public = read_summary(consensus_result(full).facts)
    assert public.setters == (("c-model", "c"), ("d-model", "d"), ("model", "a"), ("model", "b"))
    answering = [
        state.word
        for answer_id, state in full.states.items()
        if answer_id.role in (SetterRole.BRUTE, SetterRole.SOLUTION)
    ]
    assert (public.programs, public.dropped) == (20, 0)
    assert public.refuted == answering.count("refuted"), "those of c's and d's that are late failed"
    assert 0 < (public.caught or 0) <= (public.mutants or 0)
    zero = full.states[of("a", SetterRole.SOLUTION, 2)]
    assert len(zero.witness) <= len("2\n-1 -1\n") + 2, "the smallest input found"
    overflows = full.states[of("b", SetterRole.SOLUTION, 3)]
    assert len(overflows.witness) < 200, "cut from a large one, and a brute force says what is right"
    assert overflows.shows["expected"] is not None
    refused = [*full.wrong, SetterProgram(of("b", SetterRole.SOLUTION, 2), SLOW, "python")]
    assert wrong <= {one.answer_id for one in refused}
    for one in refused:
        assert answering_judge.grade(full.problem, one.code, one.language).verdict is not Verdict.ACCEPTED
    right = [one for one in full.references if one.answer_id.vendor == "a"]
    assert [one.language for one in right] == ["python", "cpp"]
    for one in right:
        assert answering_judge.grade(full.problem, one.code, one.language).verdict is Verdict.ACCEPTED
    assert full.validator is not None
    assert all(test.input.endswith("\n") for test in full.problem.tests), "however a probe wrote it"
    large = [kind for test, kind in zip(full.problem.tests, full.kinds, strict=True) if len(test.input) > 9999]
    assert large
    assert set(large) <= {"slow", "extreme"}


def test_of_each_reference_it_is_told_what_it_was_too_slow_for(full: SuiteDraft) -> None:
    """What one of two setters of one name wrote too slowly says nothing of the other's program."""
    assert [(one.answer_id.vendor, one.answer_id.ordinal) for one in full.references] == [
        ("a", 0), ("a", 1), ("b", 0), ("b", 1)
    ]  # fmt: skip
    assert sorted(one.name for one in consensus_result(full).programs if one.right) == [
        "a/model solution 0", "a/model solution 1", "b/model solution 0", "b/model solution 1"
    ]  # fmt: skip
    kept = consensus_result(full)
    assert list(kept.facts["missed"]) == ["b/model solution 2"], "everybody else had time to spare"
    counts = kept.facts["missed"]["b/model solution 2"]
    assert (counts["slow"] > 0, counts["failed"], counts["dropped"]) == (True, 0, 0)
    shown = kept.evidence["missed"]["b/model solution 2"]["inputs"]
    assert 0 < len(shown) <= 3
    assert all(text.startswith("4000") for text in shown), "large ones"


def test_each_shortfall_names_its_case(full: SuiteDraft) -> None:
    cases = {one.answer_id: one for one in consensus_result(full).findings if one.word in FELL_SHORT}
    wrong, strict = cases[of("a", SetterRole.SOLUTION, 2)], cases[of("a", SetterRole.VALIDATOR, 1)]
    brute = cases[of("b", SetterRole.BRUTE, 1)]
    none, long = cases[of("b", SetterRole.SOLUTION, 4)], cases[of("a", SetterRole.SOLUTION, 3)]
    named = {one.answer_id for one in (wrong, strict, brute, none, long)} | {of("b", SetterRole.SOLUTION, 3)}
    of_good = {answer_id for answer_id in cases if answer_id.setter == "model"}
    assert of_good - {of("a", SetterRole.GENERATOR), of("b", SetterRole.GENERATOR)} == named
    assert int(wrong.shows["said"]) < int(wrong.shows["expected"]), "a solution may hear what brute forces say"
    assert "holds it to be legal" in strict.shows["said"]
    assert strict.shows["input"] in ("1\n0\n", "1\n-1\n"), "the smallest probe that it refuses"
    assert brute.shows["expected"] == "-1\n", "a sample's answer stands in the statement"
    assert (none.reason, long.reason) == ("no fenced block", "more than 1 MiB")


WRONG_SINCE = KADANE.replace("print(best)", "print(best + 1)")
REPLACED = [
    SetterAnswer(AnswerId("a", "model", SetterRole.SOLUTION, 0), text)
    for text in (
        fenced(WRONG_SINCE), fenced(f"# as before\n{KADANE}"), fenced("while 1: print('x' * 999)"),
        fenced("int main(", "cpp"), fenced(KADANE), "none",
    )
]  # fmt: skip


def test_what_a_setter_replaced_stays_known_to_be_wrong(full: SuiteDraft) -> None:
    """Only by the answers that stand now: one that was right, or says nothing, is no known-wrong program."""
    earlier = "model solution 0 earlier 0"
    assert [(one.name, one.code.strip()) for one in full.earlier] == [(earlier, WRONG_SINCE.strip())]
    assert full.earlier[0] in consensus_result(full).programs
    assert earlier in full.evidence["caught"]
    assert not [answer_id for answer_id in full.states if "earlier" in str(answer_id)]


def test_hostile_programs_change_nothing_and_are_named(full: SuiteDraft) -> None:
    assert full.reason is None, full.states
    named = {answer_id: state.word for answer_id, state in full.states.items() if answer_id.vendor in "cd"}
    assert len(named) == len(HOSTILE) + len(ATTACKS_BY_ROLE)
    assert {answer_id for answer_id, word in named.items() if word not in HARMLESS} == {
        AnswerId("c", "c-model", SetterRole.HACK)
    }
    assert {source.answer_id.vendor for source in full.references} == {"a", "b"}


def test_two_that_misread_alike_are_held_by_a_third(answering_judge: AnsweringJudge) -> None:
    """They take the greatest sum of at most two numbers: no sample says otherwise. A single solution holds them.

    The rule is the domain's; here it is told, with the input that shows it. What a generator was found to lack it is
    told, too, though it is asked for more inputs afterwards.
    """
    too_large = GENERATOR.replace('"slow": 4000', '"slow": 5000').replace("SALT", "a")
    misread = fenced(
        "n = int(input())\nrow = list(map(int, input().split()))\n"
        "print(max([*row, *(x + y for x, y in zip(row, row[1:]))]))"
    )
    few: dict[str, str | None] = {"probes": None, "solution_1": None}
    liars = [
        *answers("a", brute=misread, solution_0=misread, generator=fenced(too_large), **few),
        *answers("b", brute=misread, solution_0=misread.replace("n =", "m ="), generator=None, **few),
    ]
    honest = answers("c", brute=None, generator=None, **few)
    effort = replace(FEW, counts={InputKind.SMALL: 6, InputKind.SLOW: 1}, extra_inputs=1, shrunk_inputs=0)
    played = play_with(answering_judge, PROBLEM, [*liars, *honest], effort=effort)
    assert "contradict each other" in str(played.reason)
    witness = played.states[AnswerId("c", "c-model", SetterRole.SOLUTION, 0)].witness
    assert isinstance(witness, str)
    lacks = played.states[AnswerId("a", "a-model", SetterRole.GENERATOR)]
    assert (lacks.word, lacks.reason) == ("short", "none of its inputs of kind slow is legal")


def test_three_that_err_alike_on_large_inputs_do_not_outvote_a_fourth(answering_judge: AnsweringJudge) -> None:
    """No small input shows it: so nobody knows who is right, and nothing is admitted."""
    errs = fenced(KADANE.replace("print(best)", "print(best + (n > 100))"))
    liars = [
        *answers("a", solution_0=errs, solution_1=errs.replace("n =", "m = n =")),
        *answers("b", solution_0=errs, generator=None, probes=None),
    ]
    effort = replace(FEW, counts={InputKind.SMALL: 10, InputKind.SLOW: 1}, extra_inputs=1, shrunk_inputs=0)
    played = play_with(answering_judge, PROBLEM, liars, effort=effort)
    assert "large inputs" in str(played.reason)
    honest = played.states[AnswerId("b", "b-model", SetterRole.SOLUTION, 1)]
    assert honest.word == "contradicted"
    assert played.dropped["dissent"] > 0


def rows(*sizes: tuple[InputKind, int]) -> list[Candidate]:
    """Inputs of so many numbers, each called to be of a kind."""
    return [Candidate(kind, f"{size}\n{' '.join(['7'] * size)}\n") for kind, size in sizes]


def test_what_a_generator_calls_large_counts_by_its_size(answering_judge: AnsweringJudge) -> None:
    validators = [SetterProgram(AnswerId(vendor, vendor, SetterRole.VALIDATOR), VALIDATOR, "python") for vendor in "ab"]
    legality = Legality(ProgramRunner(answering_judge, PROBLEM, 60.0), validators, {})
    tiny = rows((InputKind.SMALL, 3), (InputKind.RANDOM, 5), (InputKind.EXTREME, 1), (InputKind.SLOW, 6))
    kept, large = classify_by_size(legality, tiny)
    assert {one.kind for one in kept} == {InputKind.SMALL, InputKind.RANDOM, InputKind.EXTREME}, "none is slow"
    assert large == set(), "a much larger one would be legal"
    modest = rows((InputKind.SMALL, 3), (InputKind.RANDOM, 4000), (InputKind.EXTREME, 3999), (InputKind.SLOW, 5))
    kept, large = classify_by_size(legality, modest)
    assert [(one.kind, len(one.given) > 7000) for one in kept] == [
        (InputKind.SMALL, False), (InputKind.RANDOM, False), (InputKind.EXTREME, True), (InputKind.SLOW, True)
    ]  # fmt: skip
    assert large == {json.dumps(one.given) for one in kept[2:]}


def test_generators_without_large_inputs_hear_of_it(answering_judge: AnsweringJudge) -> None:
    """Whatever they call them, and before any program answers; an input that is illegal is shown."""
    tiny = GENERATOR.replace('"extreme": r.choice([1, 4000]), "slow": 4000', '"extreme": 1, "slow": r.randint(3, 6)')
    more = GENERATOR.replace('"slow": 4000', '"slow": 5000').replace("SALT", "b")
    no_program: dict[str, str | None] = dict.fromkeys(("brute", "solution_0", "solution_1"))
    recorded = [
        one
        for vendor, text in (("a", tiny), ("b", more))
        for one in answers(vendor, **no_program, generator=fenced(text))
    ]
    cases = {
        one.answer_id.vendor: one
        for one in consensus_result(play(answering_judge, PROBLEM, recorded)).findings
        if one.word == "short"
    }
    assert cases["a"].reason == "none of the inputs is large, whatever its kind"
    assert "of kind slow is legal" in cases["b"].reason
    assert cases["b"].shows["input"].startswith("5000\n")


COUNT = ProblemSpec(
    "count", Form.FUNCTION, (Test([[1, 2, 2], 2], 2, visible=True), Test([[], 7], 0, visible=True)),
    Limits(time_ms=150),
    entry=Entry("count", "Solution", (Param("row", "integer[]"), Param("x", "integer")), "integer"),
)  # fmt: skip


COUNT_CONSTRAINTS = "Constraints:\n\n0 <= row.length <= 9000\n-9 <= row[i], x <= 9"


def counters(vendor: str, **changes: str | None) -> list[SetterAnswer]:
    body = "class Solution:\n    def count(self, row, x):\n        return {}\n"
    texts: dict[str, str | None] = {
        "probes": None,
        "validator": fenced("import json\nrow, x = json.loads(input())\nassert all(-9 <= y <= 9 for y in [x, *row])"),
        "generator": fenced(
            "import json, random, sys\nr = random.Random(str(sys.argv[1:]) + 'SALT')\n"
            "n = {'small': 5, 'random': 50}.get(sys.argv[2], 9000)\n"
            "print(json.dumps([[r.randint(-3, 3) for _ in range(r.randint(0, n))], r.randint(-3, 3)]))"
        ).replace("SALT", vendor),
        "brute": fenced("import json\nrow, x = json.loads(input())\nprint(sum(y == x for y in row))"),
        "solution_0": fenced(body.format("row.count(x)")),
        "solution_1": fenced(body.format("sum(y == x for y in row)")),
    }  # fmt: skip
    return answers(vendor, **{**texts, **changes})


IN_CPP = """
#include <vector>
class Solution {
public:
    int count(std::vector<int>& row, int x) { int n = 0; for (int y : row) n += y == x; return n; }
};
"""


def test_functions_are_called_in_whatever_language_and_brute_forces_may_read_their_arguments(
    answering_judge: AnsweringJudge,
) -> None:
    """A solution that reads the arguments instead is none: the suite would refuse it, and with such a reference nothing
    is proven."""
    changes = {
        "solution_1": fenced(IN_CPP, "cpp"),
        "solution_2": fenced("import json\nrow, x = json.loads(input())\nprint(row.count(x))"),
        "solution_3": fenced("class Solution:\n    def count(self, row, x):\n        return row.count(x) or False\n"),
    }
    recorded = [*counters("a", **changes), *counters("b", solution_1=None)]
    rules = grammar_of(COUNT_CONSTRAINTS, COUNT.entry)
    effort = replace(FEW, own_amounts=FEW.own_amounts._replace(small=2, random=1, extreme=1))
    played = play_with(answering_judge, COUNT, recorded, effort=effort, constraints=rules)
    assert played.reason is None, (played.reason, played.states)
    assert isinstance(played.problem.tests[-1].expected, int)
    states = words(played)
    assert (states["a solution 1"], states["a solution 2"]) == ("agrees", "refuted"), played.states
    assert states["a solution 3"] == "refuted", "False is not 0"
    assert played.states[AnswerId("a", "a-model", SetterRole.SOLUTION, 2)].witness == COUNT.tests[1].input
    assert {source.answer_id.ordinal for source in played.references if source.answer_id.vendor == "a"} == {0, 1}
    assert 5 < played.evidence["by_constraints"] < played.evidence["legal"], "what the statement says makes inputs too"
    assert played.validator is not None
    assert {answer_id.vendor for answer_id in played.states} == {"a", "b"}


def test_a_statements_constraints_have_one_vote_and_are_no_second_vendor(answering_judge: AnsweringJudge) -> None:
    """They do not know that no number occurs thrice, which both vendors read elsewhere in the statement."""
    rules = grammar_of(COUNT_CONSTRAINTS, COUNT.entry)
    thrice = "import json\nrow, x = json.loads(input())\nassert max(map(row.count, row), default=0) < 3"
    own = [SetterProgram(AnswerId(vendor, vendor, SetterRole.VALIDATOR), thrice, "python") for vendor in "ab"]
    tried = [Candidate(InputKind.SMALL, given) for given in ([[1, 1], 1], [[1, 1, 1], 1], [[99], 1])]
    for validators, let_in in ((own, [0, 2]), (own[:1], [])):
        legality = Legality(ProgramRunner(answering_judge, COUNT, 60.0), validators, {}, rules)
        assert legality.legal(tried) == [tried[at] for at in let_in]


def test_a_play_that_begins_anew_asks_no_program_the_same_again(answering_judge: AnsweringJudge) -> None:
    runner = ProgramRunner(answering_judge, PROBLEM, 60.0)
    by_chance = SetterProgram(
        AnswerId("a", "a-model", SetterRole.SOLUTION, 0), "import random\nprint(random.random())", "python"
    )
    first = runner.answers(by_chance, ["1\n0\n"])
    assert runner.answers(by_chance, ["1\n0\n"]) == first
    others = [runner.answers(by_chance, ["1\n1\n"]), runner.answers(by_chance, ["1\n0\n"], time_ms=9)]
    assert first not in others
