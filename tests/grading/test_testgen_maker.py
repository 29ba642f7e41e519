"""Suites made in the sandbox: what programs print, refuse, answer and get wrong, however they behave."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from grading.judging import Passed

from app.domain.errors import InvalidInput, InvalidProblem, JudgeError
from app.domain.problems import Checker, CheckerKind, Entry, Form, Limits, Method, Param, ProblemSpec, Test
from app.domain.testgen.candidates import Candidate, CandidateCounts, candidates
from app.domain.testgen.grammars.files import parse_grammar
from app.domain.testgen.grammars.layout import rejection_reason
from app.domain.testgen.report import refusal
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings
from workers.grading.testing.inputs import NamedProgram, generate_inputs, validator_refusals
from workers.grading.testing.suite_maker import GeneratedSuite, SuiteDemands, SuiteMaker

pytestmark = pytest.mark.sandbox

LIMITS = Limits(time_ms=200, memory_mb=256, output_kb=1024)
LARGEST = ProblemSpec("largest", Form.STDIN, (Test("2\n3 9\n", "9\n", visible=True),), LIMITS)
QUICK = replace(LARGEST, limits=replace(LIMITS, time_ms=100))
GRAMMAR = parse_grammar(
    {"variables": {"n": "int", "a": "int[]"}, "layout": ["n", "a"],
     "constraints": ["1 <= n <= 4000", "len(a) == n", "-1000 <= a[i] <= 1000"]}
)  # fmt: skip
FEW = CandidateCounts(exhaustive=4, small=4, random=2, extreme=2, slow=2)
RIGHT = NamedProgram("ref.py", "n = int(input())\nbest = None\nfor x in map(int, input().split()):\n"
                "    if best is None or x > best:\n        best = x\nprint(best)\n", "python")  # fmt: skip
OTHER = NamedProgram("other.cpp", "#include <bits/stdc++.h>\nusing namespace std;\nint main() {\n    int n; cin >> n;\n"
                "    int best = -2000;\n    for (int i = 0; i < n; i++) { int x; cin >> x; if (x > best) best = x; }\n"
                "    cout << best << endl;\n}\n", "cpp")  # fmt: skip
FROM_ZERO = NamedProgram("zero.py", "input()\nprint(max(0, *map(int, input().split())))\n", "python")
SLOW = NamedProgram(
    "slow.py",
    "input()\na = list(map(int, input().split()))\nx = max(a)\n"
    "assert all(y <= x for _ in range(100000) for y in a)\nprint(x)\n",
    "python",
)
ADD = ProblemSpec(
    "add", Form.FUNCTION, (), LIMITS, entry=Entry("add", "Solution", (Param("a", "int"), Param("b", "int")), "int")
)


def made(
    answering_judge: AnsweringJudge,
    references: Sequence[NamedProgram],
    wrong: Sequence[NamedProgram] = (),
    problem: ProblemSpec = LARGEST,
    inputs: Sequence[Candidate] | None = None,
    mutants: int = 0,
    runs: int = 1,
    **options: Any,
) -> GeneratedSuite:
    if inputs is None:
        inputs = list(candidates(GRAMMAR, 5, FEW))
        options.setdefault("validate", lambda given: rejection_reason(GRAMMAR, given))
    demands = SuiteDemands(mutants=mutants, runs=runs, tests=20)
    return SuiteMaker(answering_judge, problem, references, wrong, demands=demands, **options).make(inputs)


def texts(*inputs: str) -> list[Candidate]:
    return [Candidate(InputKind.SMALL, given) for given in inputs]


def test_a_suite_catches_wrong_and_slow_programs_and_is_admitted(answering_judge: AnsweringJudge) -> None:
    suite = made(answering_judge, [RIGHT, OTHER], [FROM_ZERO, SLOW], QUICK, mutants=3)
    assert refusal(suite.evidence) is None
    assert suite.evidence.validity == 1.0
    assert list(suite.evidence.caught) == ["zero.py", "slow.py"]
    assert len(suite.tests) <= 20
    assert suite.tests[0] == LARGEST.tests[0]
    assert set(suite.kinds) == set(InputKind)
    assert set(suite.evidence.trivial_programs.values()) == {"wrong_answer"}


def test_the_same_seed_makes_the_same_suite(answering_judge: AnsweringJudge) -> None:
    inputs = list(candidates(GRAMMAR, 5, FEW))[::2]
    one, other = (made(answering_judge, [RIGHT], inputs=inputs, mutants=1) for _turn in range(2))
    assert one.tests == other.tests


def test_a_wrong_program_that_nothing_catches_is_the_reason(answering_judge: AnsweringJudge) -> None:
    suite = made(answering_judge, [RIGHT], [FROM_ZERO], inputs=texts(*(f"1\n{x}\n" for x in range(1, 12))))
    assert refusal(suite.evidence) == "known-wrong programs are accepted: zero.py"


def test_a_wrong_program_that_does_not_compile_shows_nothing(answering_judge: AnsweringJudge) -> None:
    broken = [NamedProgram("broken.cpp", "int main( {", "cpp"), NamedProgram("b.py", "def (", "python")]
    suite = made(answering_judge, [RIGHT], broken, inputs=texts("1\n5\n", "2\n5 7\n"))
    assert list(suite.evidence.missed) == ["broken.cpp", "b.py"]


def test_references_that_disagree_drop_the_input(answering_judge: AnsweringJudge) -> None:
    suite = made(answering_judge, [RIGHT, FROM_ZERO], inputs=texts("1\n5\n", "1\n-5\n", "2\n-5 -7\n"))
    assert suite.evidence.disagreed > 0
    assert suite.evidence.validity < 1
    assert "disagree" in str(refusal(suite.evidence))
    assert all(int(test.expected) >= 0 for test in suite.tests)


def test_a_reference_that_fails_on_an_input_makes_it_invalid(answering_judge: AnsweringJudge) -> None:
    suite = made(answering_judge, [RIGHT], inputs=texts("1\n5\n", "1\nfive\n", "1\n"))
    assert suite.evidence.valid == 2
    assert any("runtime_error" in note for note in suite.notes)


def test_an_example_that_is_answered_otherwise_is_a_doubt(answering_judge: AnsweringJudge) -> None:
    problem = ProblemSpec("largest", Form.STDIN, (Test("1\n7\n", "8\n"),), LIMITS)
    assert "otherwise than stated" in str(refusal(made(answering_judge, [RIGHT], problem=problem, inputs=[]).evidence))


def lingering(seconds: float) -> NamedProgram:
    """A right program that spends so much CPU time on a large input, whatever the host."""
    waits = f"import time\nn = int(input())\nwhile n > 1000 and time.process_time() < {seconds}: pass\n"
    return NamedProgram("slow_ref.py", f"{waits}print(max(map(int, input().split())))\n", "python")


def test_inputs_near_the_limit_are_left_out_and_still_valid(settings: JudgeSettings, judge: AnsweringJudge) -> None:
    answering_judge, slow = Passed(replace(settings, slowness=1.0), judge), lingering(0.08)
    suite = made(answering_judge, [slow], problem=QUICK)
    assert suite.evidence.validity == 1.0
    assert InputKind.SLOW not in suite.kinds
    assert any("every reference comes near a limit" in note for note in suite.notes)
    assert "none of the 2 large inputs is in the suite" in str(refusal(suite.evidence))

    both = made(answering_judge, [RIGHT, slow], problem=QUICK)
    assert InputKind.SLOW in both.kinds, "the fastest reference decides"
    assert both.slow == ("slow_ref.py",)
    assert any(note.startswith("slow_ref.py comes near a limit on") for note in both.notes)
    assert both.evidence.unstable is None


def test_on_a_slow_host_inputs_are_near_the_limit_as_soon(settings: JudgeSettings, judge: AnsweringJudge) -> None:
    """There the program may take longer, but it may feel less of the slowness than what measured it."""
    suite = made(Passed(replace(settings, slowness=3.0), judge), [lingering(0.1)], problem=QUICK)
    assert InputKind.SLOW not in suite.kinds


def test_a_generator_that_heeds_kinds_says_of_which_kind_its_inputs_are(answering_judge: AnsweringJudge) -> None:
    """Here the largest input has three bytes."""
    code = (
        "import sys\nseed, kind = sys.argv[1:]\nprint({'small': 1, 'random': 5, 'extreme': 9, 'slow': 10}[kind] * 5)\n"
    )
    made = generate_inputs(answering_judge, LARGEST, NamedProgram("gen.py", code, "python"), 0, runs=14)
    assert {candidate.given: candidate.kind for candidate in made} == {
        "5\n": InputKind.SMALL, "25\n": InputKind.RANDOM, "45\n": InputKind.EXTREME, "50\n": InputKind.SLOW
    }  # fmt: skip


@pytest.mark.parametrize("code", ["import random\nprint(random.SystemRandom().random())\n", "print(int(input()))\n"])
def test_of_others_the_size_says_it(answering_judge: AnsweringJudge, code: str) -> None:
    made = generate_inputs(answering_judge, LARGEST, NamedProgram("gen.py", code, "python"), 0, runs=7)
    assert {candidate.kind for candidate in made} == {InputKind.SMALL}


def test_a_reference_that_answers_by_chance_is_unstable(answering_judge: AnsweringJudge) -> None:
    code = "import random\nprint(random.SystemRandom().random())\n"
    suite = made(
        answering_judge, [NamedProgram("chance.py", code, "python")], runs=3, inputs=texts("1\n", "2\n", "3\n")
    )
    assert suite.evidence.unstable == "reference chance.py gets WA", "public, so without what it prints"
    assert any(note.startswith("chance.py: test ") for note in suite.notes), "for who makes the suite"


def test_a_constant_answer_lets_shams_pass(answering_judge: AnsweringJudge) -> None:
    suite = made(answering_judge, [RIGHT], inputs=texts(*(f"2\n9 {x}\n" for x in range(9))))
    assert "constant" in suite.evidence.trivial_passed
    assert "trivial programs are accepted" in str(refusal(suite.evidence))


def test_of_more_references_than_mutants_some_give_one_each(answering_judge: AnsweringJudge) -> None:
    suite = made(answering_judge, [RIGHT] * 4, inputs=texts(*(f"2\n{x} {-x}\n" for x in range(6))), mutants=2)
    assert len(suite.evidence.mutants_caught) + len(suite.evidence.mutants_missed) == 2


def test_no_inputs_no_suite(answering_judge: AnsweringJudge) -> None:
    problem = ProblemSpec("largest", Form.STDIN, (), LIMITS)
    suite = made(answering_judge, [RIGHT], [FROM_ZERO], problem=problem, inputs=[], mutants=1)
    assert refusal(suite.evidence) == "there is no test"
    with pytest.raises(InvalidInput):
        SuiteMaker(answering_judge, problem, [])


def test_a_checker_that_breaks_proves_nothing(answering_judge: AnsweringJudge) -> None:
    problem = ProblemSpec("any", Form.STDIN, (), LIMITS, Checker(CheckerKind.TESTLIB, program="int main() {}"))
    with pytest.raises(JudgeError, match="the checker failed"):
        made(answering_judge, [RIGHT, RIGHT], problem=problem)


def test_functions_are_called_with_typed_arguments(answering_judge: AnsweringJudge) -> None:
    grammar = parse_grammar({"variables": {"a": "int", "b": "int"}, "constraints": ["0 <= a <= b <= 10^18"]})
    right = NamedProgram("ref.py", "class Solution:\n    def add(self, a, b):\n        return a + b\n", "python")
    wrong = NamedProgram(
        "f.py", "class Solution:\n    def add(self, a, b):\n        return int(float(a) + b)\n", "python"
    )
    suite = made(answering_judge, [right], [wrong], ADD, list(candidates(grammar, 1, FEW)), mutants=2)
    assert refusal(suite.evidence) is None
    assert all(sum(test.input) == test.expected for test in suite.tests)


# --- programs that make and judge inputs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("import random, sys\nr = random.Random(int(sys.argv[1]))\nprint(1)\nprint(r.randint(0, 99))\n", "python"),
        ("import random\nr = random.Random(int(input()))\nprint(1)\nprint(r.randint(0, 99))\n", "python"),
        ("from __future__ import annotations\nimport random\nr = random.Random(input())\nprint(1)\nprint(r.random())\n",
         "python"),
        ("import sys, random\nr = random.Random(sys.stdin.buffer.read())\nprint(1)\nprint(r.random())\n", "python"),
        ("#include <cstdio>\nint main() { int s; scanf(\"%d\", &s); printf(\"1\\n%d\\n\", s * 7 % 100); }\n", "cpp"),
    ],
)  # fmt: skip
def test_generators_find_their_seed_where_they_look(answering_judge: AnsweringJudge, code: str, language: str) -> None:
    inputs = generate_inputs(answering_judge, LARGEST, NamedProgram("gen", code, language), 0, runs=6)
    assert 5 <= len(inputs) <= 6
    assert all(each.kind is InputKind.SMALL and each.given.startswith("1\n") for each in inputs)
    assert inputs == generate_inputs(answering_judge, LARGEST, NamedProgram("gen", code, language), 0, runs=6)


def test_sizes_say_why_a_generated_input_was_made(answering_judge: AnsweringJudge) -> None:
    code = "n = int(input())\nprint(n)\nprint(*[1] * 10 ** n)\n"
    kinds = [
        each.kind
        for each in generate_inputs(answering_judge, LARGEST, NamedProgram("gen.py", code, "python"), 0, runs=5)
    ]
    assert kinds == [InputKind.SMALL, InputKind.RANDOM, InputKind.RANDOM, InputKind.SLOW, InputKind.SLOW]


def test_arguments_come_as_json_lines(answering_judge: AnsweringJudge) -> None:
    code = "s = int(input())\nprint([s, 1])\nprint([s, 2])\n"
    inputs = generate_inputs(answering_judge, ADD, NamedProgram("gen.py", code, "python"), 0, runs=3)
    assert [each.given for each in inputs] == [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]]


@pytest.mark.parametrize("code", ["print('[1, 2')", "print(7)", "pass", "raise SystemExit(3)", "print('[' * 100000)"])
def test_a_generator_that_fails_is_told_with_its_seed(answering_judge: AnsweringJudge, code: str) -> None:
    with pytest.raises(InvalidProblem, match="seed 1"):
        generate_inputs(answering_judge, ADD, NamedProgram("gen.py", code, "python"), 0, runs=2)


def test_a_generator_reads_nothing_of_this_machine(answering_judge: AnsweringJudge) -> None:
    code = "import os\nprint(1)\nprint(int(os.path.exists('/work') or os.path.exists('/root/.ssh')))\n"
    assert [
        each.given
        for each in generate_inputs(answering_judge, LARGEST, NamedProgram("gen.py", code, "python"), 0, runs=1)
    ] == ["1\n0\n"]


@pytest.mark.parametrize("code", [
    "import sys\nn = int(input())\nsys.exit(0 if n < 5 else 3)",
    "import sys\nn = int(input())\nsys.exit(42 if n < 5 else 43)",
    "assert int(input()) < 5",
])  # fmt: skip
def test_validators_speak_by_their_exit_code(answering_judge: AnsweringJudge, code: str) -> None:
    said = validator_refusals(answering_judge, LARGEST, NamedProgram("val.py", code, "python"), ["3\n", "7\n"])
    assert said[0] is None
    assert said[1] is not None


def test_a_validator_that_does_not_compile_refuses_the_call(answering_judge: AnsweringJudge) -> None:
    with pytest.raises(InvalidInput, match="does not compile"):
        validator_refusals(answering_judge, LARGEST, NamedProgram("val.py", "def (", "python"), ["3\n"])


def test_refused_inputs_count_against_validity(answering_judge: AnsweringJudge) -> None:
    validator = NamedProgram("val.py", "import json, sys\nsys.exit(int(json.loads(input())[0] > 5))", "python")
    right = NamedProgram("ref.py", "class Solution:\n    def add(self, a, b):\n        return a + b\n", "python")
    inputs = [Candidate(InputKind.SMALL, [a, 1]) for a in range(12)]
    suite = made(answering_judge, [right], problem=ADD, inputs=inputs, validator=validator)
    assert (suite.evidence.valid, suite.evidence.tried) == (6, 12)
    assert "6 of 12 inputs are invalid" in str(refusal(suite.evidence))


# --- several right answers, and classes ---

ANY_FACTOR = ProblemSpec(
    "factor", Form.STDIN, (Test("6\n", "3\n", visible=True),), LIMITS,
    Checker(CheckerKind.TESTLIB, program="""import sys
n, said, ours = (open(path).read().split() for path in sys.argv[1:4])
n = int(n[0])
def right(words):
    return words == ["prime"] and all(n % d for d in range(2, n)) or (
        len(words) == 1 and words[0].isdigit() and 1 < int(words[0]) < n and n % int(words[0]) == 0)
sys.exit(3 if not right(ours) else 0 if right(said) else 1)
"""),
)  # fmt: skip
SMALLEST = NamedProgram(
    "smallest.py", "n = int(input())\nprint(next((d for d in range(2, n) if n % d == 0), 'prime'))\n", "python"
)
GREATEST = NamedProgram(
    "greatest.py", "n = int(input())\nprint(next((d for d in range(n - 1, 1, -1) if n % d == 0), 'prime'))\n", "python"
)
SMALL_PRIMES = NamedProgram(
    "small.py", "n = int(input())\nprint(next((d for d in (2, 3, 5) if d < n and n % d == 0), 'prime'))\n", "python"
)
NUMBERS = [Candidate(InputKind.SMALL, f"{number}\n") for number in (*range(2, 16), 49, 91, 97)]


@pytest.mark.slow
def test_references_may_differ_where_a_checker_takes_both(answering_judge: AnsweringJudge) -> None:
    suite = made(answering_judge, [SMALLEST, GREATEST], [SMALL_PRIMES], ANY_FACTOR, NUMBERS)
    assert suite.evidence.disagreed == 0
    assert suite.evidence.validity == 1.0
    assert suite.evidence.caught == ["small.py"]
    assert refusal(suite.evidence) is None
    wrong = made(answering_judge, [SMALLEST, SMALL_PRIMES], (), ANY_FACTOR, NUMBERS)
    assert wrong.evidence.disagreed == 2  # of 49 and 91


STACK = ProblemSpec(
    "stack",
    Form.CLASS,
    (),
    LIMITS,
    entry=Entry("", "Stack", methods={"push": Method((Param("x", "integer"),), "void"), "pop": Method((), "integer")}),
)
STACK_INPUTS = NamedProgram("calls.py", """import json, random, sys
random.seed(int(sys.argv[1]))
names, rows, size = ["Stack"], [[]], 0
for _ in range(random.randint(1, 12)):
    name = random.choice(["push", "push", "pop"])
    names.append(name)
    rows.append([random.randint(-5, 5)] if name == "push" else [])
print(json.dumps([names, rows]))
""", "python")  # fmt: skip
STACK_RIGHT = NamedProgram("stack.py", """class Stack:
    def __init__(self):
        self.held = []
    def push(self, x):
        self.held.append(x)
    def pop(self):
        return self.held.pop() if self.held else -1
""", "python")  # fmt: skip
STACK_QUEUE = NamedProgram("queue.py", STACK_RIGHT.code.replace(".pop()", ".pop(0)"), "python")


def test_a_suite_of_calls(answering_judge: AnsweringJudge) -> None:
    inputs = generate_inputs(answering_judge, STACK, STACK_INPUTS, 0, 12)
    suite = made(answering_judge, [STACK_RIGHT], [STACK_QUEUE], STACK, inputs, mutants=2)
    assert suite.evidence.caught == ["queue.py"]
    assert refusal(suite.evidence) is None
    with pytest.raises(InvalidProblem, match=r"a line is not a \[\[names\], \[\[arguments\]"):
        generate_inputs(answering_judge, STACK, NamedProgram("flat.py", "print([1])\n", "python"), 0, 1)


def test_interactive_problems_are_refused_with_the_reason(answering_judge: AnsweringJudge) -> None:
    talk = ProblemSpec("talk", Form.INTERACTIVE, (), LIMITS)
    with pytest.raises(InvalidProblem, match="no answers that could be compared"):
        made(answering_judge, [RIGHT], (), talk, NUMBERS)
