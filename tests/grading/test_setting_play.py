"""Suites by consensus, in the sandbox: what setters write is run, weighed, and proven, however it behaves."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from grading.test_own_attacks import ATTACKS
from support.setters import (
    FEW,
    FROM_ZERO,
    GENERATOR,
    KADANE,
    MORE,
    OVERFLOWS,
    PREFIXES,
    PROBLEM,
    SLOW,
    answers,
    fenced,
)

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from app.domain.setting.answers import Answer, Piece, Role
from app.domain.setting.told import told
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from app.domain.testgen.statements.statement import grammar_of
from workers.grading.producer import Producer
from workers.grading.setting.bench import Bench, Source
from workers.grading.setting.inputs import Legality
from workers.grading.setting.kept import made
from workers.grading.setting.play import play as play_with
from workers.grading.setting.played import Played

pytestmark = pytest.mark.sandbox


def play(producer: Producer, problem: ProblemSpec, recorded: Sequence[Answer]) -> Played:
    return play_with(producer, problem, recorded, effort=FEW)


def words(played: Played) -> dict[str, str]:
    """What became of everybody's answers: by vendor, role and ordinal."""
    return {f"{p.vendor} {p.role} {p.ordinal}": state.word for p, state in played.states.items()}


def test_two_vendors_make_a_suite_that_refuses_what_is_wrong(producer: Producer) -> None:
    """Each in its own way: on small inputs, on large ones only, and too slowly."""
    wrong = [*answers("a", solution_2=fenced(FROM_ZERO))]
    wrong += answers("b", solution_2=fenced(SLOW), solution_3=fenced(OVERFLOWS, "cpp"))
    effort = replace(FEW, counts={**FEW.counts, Kind.EXTREME: 1}, cut=2, mutants=1)
    played = play_with(producer, PROBLEM, wrong, effort=effort)
    assert played.reason is None, played.states
    states = words(played)
    assert {name for name, word in states.items() if word == "refuted"} == {"a solution 2", "b solution 3"}
    public = told(made(played).facts)
    assert public.setters == (("a-model", "a"), ("b-model", "b"))
    assert (public.programs, public.refuted, public.dropped) == (9, 2, 0)
    assert 0 < (public.caught or 0) <= (public.mutants or 0)
    zero = played.states[Piece("a", "a-model", Role.SOLUTION, 2)]
    assert len(zero.witness) <= len("2\n-1 -1\n") + 2, "the smallest input found"
    overflows = played.states[Piece("b", "b-model", Role.SOLUTION, 3)]
    assert len(overflows.witness) < 200, "cut from a large one, and a brute force says what is right"
    assert overflows.shows["expected"] is not None
    for code, language in ((FROM_ZERO, "python"), (OVERFLOWS, "cpp"), (SLOW, "python")):
        assert producer.grade(played.problem, code, language).verdict is not Verdict.ACCEPTED
    for code, language in ((KADANE, "python"), (PREFIXES, "cpp")):
        assert producer.grade(played.problem, code, language).verdict is Verdict.ACCEPTED
    assert {source.piece.vendor for source in played.references} == {"a", "b"}
    assert played.validator is not None
    assert all(test.input.endswith("\n") for test in played.problem.tests), "however a probe wrote it"
    kept = made(played)
    assert list(kept.facts["missed"]) == ["b-model solution 2"], "everybody else had time to spare"
    counts = kept.facts["missed"]["b-model solution 2"]
    assert (counts["slow"] > 0, counts["failed"], counts["dropped"]) == (True, 0, 0)
    shown = kept.evidence["missed"]["b-model solution 2"]["inputs"]
    assert 0 < len(shown) <= 3
    assert all(text.startswith("4000") for text in shown), "large ones"


def test_no_vendor_alone(producer: Producer) -> None:
    alone = [*answers("a"), *(replace(a, piece=replace(a.piece, setter="other")) for a in answers("a"))]
    played = play(producer, PROBLEM, alone)
    assert "validators of one vendor" in str(played.reason)


def test_two_that_misread_alike_are_held_by_a_third(producer: Producer) -> None:
    """They take the greatest sum of at most two numbers: no sample says otherwise. A single solution holds them."""
    misread = fenced(
        "n = int(input())\nrow = list(map(int, input().split()))\n"
        "print(max([*row, *(x + y for x, y in zip(row, row[1:]))]))"
    )
    liars = [
        answer
        for vendor in "ab"
        for answer in answers(vendor, brute=misread, solution_0=misread, solution_1=misread.replace("n =", "m ="))
    ]
    honest = answers("c", brute=None, solution_1=None, generator=None, probes=None)
    played = play(producer, PROBLEM, [*liars, *honest])
    assert "contradict each other" in str(played.reason)
    witness = played.states[Piece("c", "c-model", Role.SOLUTION, 0)].witness
    assert isinstance(witness, str)


def test_three_that_err_alike_on_large_inputs_do_not_outvote_a_fourth(producer: Producer) -> None:
    """No small input shows it: so nobody knows who is right, and nothing is admitted."""
    errs = fenced(KADANE.replace("print(best)", "print(best + (n > 100))"))
    liars = [*answers("a", solution_0=errs, solution_1=errs.replace("n =", "m = n =")), *answers("b", solution_0=errs)]
    played = play(producer, PROBLEM, liars)
    assert "large inputs" in str(played.reason)
    honest = played.states[Piece("b", "b-model", Role.SOLUTION, 1)]
    assert honest.word == "contradicted"
    assert played.dropped["dissent"] > 0


TINY = GENERATOR.replace('"extreme": r.choice([1, 4000]), "slow": 4000', '"extreme": 1, "slow": r.randint(3, 6)')


def test_what_a_generator_calls_large_counts_by_its_size(producer: Producer) -> None:
    tiny = {"generator": fenced(TINY.replace("r.randint(5, 40)", "r.randint(2, 6)"))}
    played = play_with(producer, PROBLEM, [*answers("a", **tiny), *answers("b", **tiny)], effort=MORE)
    assert "no large input" in str(played.reason), played.states
    assert played.states[Piece("a", "a-model", Role.GENERATOR)].word == "short"
    modest = {"generator": fenced(GENERATOR.replace('"slow": 4000', '"slow": 5').replace("5, 40", "4000, 4000"))}
    played = play_with(producer, PROBLEM, [*answers("a", **modest), *answers("b", **modest)], effort=MORE)
    assert played.reason is None, played.states
    large = [kind for test, kind in zip(played.problem.tests, played.kinds, strict=True) if len(test.input) > 9999]
    assert large
    assert set(large) <= {"slow", "extreme"}


BOMB = "import os\nwhile True:\n    os.fork()\n"
LOOP, LEAVES, HOARDS = "while True: pass\n", "raise SystemExit(7)\n", "x = [0] * 10**10\n"
SAYS_FOUR = "print(4)\n"  # which is right for the first sample
ATTACKS_BY_ROLE = {
    "validator": "every_answer", "generator": "fake_the_report", "brute": "state_between_tests",
    "solution_0": "attack_the_parent", "solution_2": "exit_42",
}  # fmt: skip
HARMLESS = {"refuted", "failed", "unused", "unreadable"}


def attack(name: str) -> str:
    return (ATTACKS / f"{name}.py").read_text(encoding="utf-8")


def test_hostile_programs_change_nothing_and_are_named(producer: Producer) -> None:
    hostile = {
        "validator": LEAVES, "validator_1": "", "generator": SAYS_FOUR, "generator_1": HOARDS, "brute": LOOP,
        "brute_1": SAYS_FOUR, "solution_0": SAYS_FOUR, "solution_1": BOMB, "solution_2": HOARDS, "probes": "[]",
        "checker": BOMB, "hack": "no input\n",
    }  # fmt: skip
    texts = {name: fenced(text, "text" if name == "hack" else "python") for name, text in hostile.items()}
    attacks: dict[str, str | None] = {"probes": None, "solution_1": None}
    attacks |= {role: fenced(attack(name)) for role, name in ATTACKS_BY_ROLE.items()}
    played = play(
        producer, PROBLEM, [*answers("a"), *answers("b"), *answers("c", **texts), *answers("d", **attacks)]
    )  # fmt: skip
    assert played.reason is None, played.states
    named = {piece: state.word for piece, state in played.states.items() if piece.vendor in "cd"}
    assert len(named) == len(hostile) + len(ATTACKS_BY_ROLE)
    assert {piece for piece, word in named.items() if word not in HARMLESS} == {Piece("c", "c-model", Role.HACK)}
    assert {source.piece.vendor for source in played.references} == {"a", "b"}


CLOSEST = replace(
    PROBLEM, id="split", limits=Limits(time_ms=150),
    tests=(Test("5\n", "2 3\n", visible=True), Test("1\n", "0 1\n", visible=True)),
)  # fmt: skip
CHECKER = """
import sys
with open(sys.argv[1]) as file:
    n = int(file.read())
try:
    a, b = map(int, sys.stdin.read().split())
except ValueError:
    sys.exit(43)
sys.exit(42 if a + b == n and a >= 0 and b >= 0 else 43)
"""


# Of which a play asks less: answers are short, and those next to them few. Three vendors bring enough small inputs.
FEWER = replace(FEW, counts={**FEW.counts, Kind.SMALL: 3})
EITHER = replace(
    PROBLEM, id="either", tests=(Test("5\n", "1\n", visible=True), Test("2\n", "0\n", visible=True)),
)  # fmt: skip
IS_EITHER = """
import sys
with open(sys.argv[1]) as file:
    n = int(file.read())
try:
    a = int(sys.stdin.read())
except ValueError:
    sys.exit(43)
sys.exit(42 if 0 <= a < 4 and a % 2 == n % 2 else 43)
"""


def pickers(vendor: str, checker: str, answer: str) -> list[Answer]:
    """Setters of a problem that has two right answers: a number below 4 that is odd where n is."""
    cpp = "#include <iostream>\nint main() { long long n; std::cin >> n; std::cout << n % 2; }\n"
    return answers(
        vendor, probes=None, validator=fenced("n = int(input())\nassert 0 <= n <= 10**9"),
        generator=fenced(
            "import random, sys\nr = random.Random(str(sys.argv[1:]) + 'SALT')\n"
            "print(r.randint(*{'small': (0, 50), 'random': (51, 98)}.get(sys.argv[2], (10**8, 10**9))))"
        ).replace("SALT", vendor),
        brute=fenced(f"n = int(input())\nassert n < 99\n{answer}"), solution_0=fenced(f"n = int(input())\n{answer}"),
        solution_1=fenced(cpp, "cpp") if vendor == "a" else None, checker=fenced(checker),
    )  # fmt: skip


def checker_of(vendor: str) -> Piece:
    return Piece(vendor, f"{vendor}-model", Role.CHECKER)


def test_where_several_answers_are_right_two_vendors_checkers_decide(producer: Producer) -> None:
    """One that takes everything does not, nor does an attack."""
    recorded = [
        *pickers("a", IS_EITHER, "print(n % 2)"), *pickers("b", IS_EITHER, "print(n % 2 + 2)"),
        *pickers("c", "import sys\nsys.exit(42)\n", "print(n % 2 + 2)"),
        Answer(checker_of("d"), fenced(attack("exit_42"))),
    ]  # fmt: skip
    played = play_with(producer, EITHER, recorded, has_checker=False, effort=FEWER)
    assert played.reason is None, (played.reason, played.states)
    assert played.checker == checker_of("a")
    assert words(played)["b checker 0"] == "agrees"
    assert words(played)["c checker 0"] == "refuted"
    assert words(played)["d checker 0"] in HARMLESS
    for code, verdict in (
        ("print(int(input()) % 2 - 2)", Verdict.WRONG_ANSWER),
        ("print(int(input()) % 2 + 2)", Verdict.ACCEPTED),
    ):
        assert producer.grade(played.problem, code, "python").verdict is verdict
    odd = played.states[checker_of("c")]
    assert odd.shows["said"] == "it accepts the output"
    assert odd.witness is not None
    assert odd.shows["answer"] is not None


COUNT = ProblemSpec(
    "count", Form.FUNCTION, (Test([[1, 2, 2], 2], 2, visible=True), Test([[], 7], 0, visible=True)),
    Limits(time_ms=150),
    entry=Entry("count", "Solution", (Param("row", "integer[]"), Param("x", "integer")), "integer"),
)  # fmt: skip


COUNT_CONSTRAINTS = "Constraints:\n\n0 <= row.length <= 9000\n-9 <= row[i], x <= 9"


def counters(vendor: str, **changes: str | None) -> list[Answer]:
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


def test_functions_are_called_and_brute_forces_may_read_their_arguments(producer: Producer) -> None:
    says_false = fenced("class Solution:\n    def count(self, row, x):\n        return row.count(x) or False\n")
    wrong = Answer(Piece("a", "a-model", Role.SOLUTION, 2), says_false)
    rules = grammar_of(COUNT_CONSTRAINTS, COUNT.entry)
    recorded = [*counters("a"), *counters("b", solution_1=None), wrong]
    played = play_with(producer, COUNT, recorded, effort=FEW, constraints=rules)
    assert played.reason is None, (played.reason, played.states)
    assert isinstance(played.problem.tests[-1].expected, int)
    assert words(played)["a solution 2"] == "refuted", "False is not 0"
    assert 5 < played.evidence["by_constraints"] < played.evidence["legal"], "what the statement says makes inputs too"
    assert played.validator is not None
    assert {piece.vendor for piece in played.states} == {"a", "b"}


IN_CPP = """
#include <vector>
class Solution {
public:
    int count(std::vector<int>& row, int x) { int n = 0; for (int y : row) n += y == x; return n; }
};
"""


def test_a_functions_solutions_are_called_in_whatever_language(producer: Producer) -> None:
    """One that reads the arguments instead is none: the suite would refuse it, and with such a reference nothing is
    proven."""
    reads = fenced("import json\nrow, x = json.loads(input())\nprint(row.count(x))")
    changes = {"solution_1": fenced(IN_CPP, "cpp"), "solution_2": reads}
    played = play_with(producer, COUNT, [*counters("a", **changes), *counters("b")], effort=FEW)
    states = words(played)
    assert (states["a solution 1"], states["a solution 2"]) == ("agrees", "refuted"), played.states
    assert played.states[Piece("a", "a-model", Role.SOLUTION, 2)].witness == COUNT.tests[1].input
    assert "a-model solution 2" not in str(played.reason)
    assert {source.piece.ordinal for source in played.references if source.piece.vendor == "a"} == {0, 1}


def test_a_statements_constraints_have_one_vote_and_are_no_second_vendor(producer: Producer) -> None:
    """They do not know that no number occurs thrice, which both vendors read elsewhere in the statement."""
    rules = grammar_of(COUNT_CONSTRAINTS, COUNT.entry)
    thrice = "import json\nrow, x = json.loads(input())\nassert max(map(row.count, row), default=0) < 3"
    own = [Source(Piece(vendor, vendor, Role.VALIDATOR), thrice, "python") for vendor in "ab"]
    tried = [Candidate(Kind.SMALL, given) for given in ([[1, 1], 1], [[1, 1, 1], 1], [[99], 1])]
    for validators, let_in in ((own, [0, 2]), (own[:1], [])):
        legality = Legality(Bench(producer, COUNT, 60.0), validators, {}, rules)
        assert legality.legal(tried) == [tried[at] for at in let_in]


LATE = {"leaves": "sys.exit(7)", "hoards": "x = [0] * 10**10", "rejects": "sys.exit(43)"}


@pytest.mark.parametrize("late", [("leaves", "rejects"), pytest.param(tuple(LATE), marks=pytest.mark.slow)])
def test_checkers_that_break_after_they_were_chosen_are_named_and_give_way(
    producer: Producer, late: tuple[str, ...]
) -> None:
    """Well-behaved where they are tried, and no more on large inputs: that is no fault of ours, and nobody else's.

    One after another is chosen, since its name is the last but one of those left, until two are left that do not break.
    """
    breaking = [
        Answer(checker_of(f"b {name}"), fenced(IS_EITHER.replace("try:", f"if n > 10**6:\n    {LATE[name]}\ntry:")))
        for name in late
    ]
    good = [one for vendor in "ac" for one in pickers(vendor, IS_EITHER, "print(n % 2)")]
    played = play_with(producer, EITHER, [*good, *breaking], has_checker=False, effort=MORE)
    assert played.reason is None, {str(piece): str(state) for piece, state in played.states.items()}
    assert played.checker == checker_of("a")
    states = {one.piece.vendor: played.states[one.piece] for one in breaking}
    assert {state.word for state in states.values()} == {"refuted"}
    reasons = {vendor: state.reason for vendor, state in states.items()}
    words = {
        "leaves": "it fails: the checker failed: exit code 7", "hoards": "it fails: the checker",
        "rejects": "it fails: the checker rejects an answer that all agree on",
    }  # fmt: skip
    assert [reasons[f"b {name}"].startswith(words[name]) for name in late] == [True] * len(late), reasons


def test_a_play_that_begins_anew_asks_no_program_the_same_again(producer: Producer) -> None:
    bench = Bench(producer, PROBLEM, 60.0)
    by_chance = Source(Piece("a", "a-model", Role.SOLUTION, 0), "import random\nprint(random.random())", "python")
    first = bench.answers(by_chance, ["1\n0\n"])
    assert bench.answers(by_chance, ["1\n0\n"]) == first
    others = [bench.answers(by_chance, ["1\n1\n"]), bench.answers(by_chance, ["1\n0\n"], time_ms=9)]
    assert first not in others
