"""Mutants: one small mistake each, in code that is used, and none twice."""

import ast

import pytest

from app.domain.errors import InvalidInput
from app.domain.testgen.mutants.cpp import cpp_mutants
from app.domain.testgen.mutants.mutants import mutants
from app.domain.testgen.mutants.python import python_mutants

PYTHON = [
    ("print(a < b)", "boundary", "print(a <= b)"),
    ("print(a < b)", "comparison", "print(a > b)"),
    ("print(a == b)", "comparison", "print(a != b)"),
    ("print(a in b)", "comparison", "print(a not in b)"),
    ("print(a + b)", "arithmetic", "print(a - b)"),
    ("print(a // b)", "division", "print(a / b)"),
    ("print(a / b)", "division", "print(a // b)"),
    ("print(a % b)", "modulo", "print(a)"),
    ("a %= b", "modulo", "pass"),
    ("a += b", "arithmetic", "a -= b"),
    ("a += b", "missing statement", "pass"),
    ("f(a)", "missing statement", "pass"),
    ("a = 0", "initial", "a = 1"),
    ("a = 0", "initial", "a = -1"),
    ("a = 2.5", "initial", "a = 3.5"),
    ("print(3)", "constant", "print(4)"),
    ("print(True)", "constant", "print(False)"),
    ("print('ab')", "constant", "print('a')"),
    ("print(min(a, b))", "extreme", "print(max(a, b))"),
    ("print(math.ceil(a))", "extreme", "print(math.floor(a))"),
    ("print(range(n))", "range", "print(range(n + 1))"),
    ("print(range(a, n))", "range", "print(range(a + 1, n))"),
    ("print(sorted(a))", "missing call", "print(list(a))"),
    ("print(abs(a))", "missing call", "print(a)"),
    ("print(a and b)", "connective", "print(a or b)"),
    ("print(a or b)", "branch", "print(a)"),
    ("print(not a)", "negation", "print(a)"),
    ("if a:\n    b()", "branch", "if True:\n    b()"),
    ("if a:\n    b()", "branch", "pass"),
    ("if a:\n    b()\nelse:\n    c()", "branch", "if False:\n    b()\nelse:\n    c()"),
    ("for x in a:\n    b()", "early end", "for x in a:\n    b()\n    break"),
    ("while a:\n    b()", "early end", "while a:\n    b()\n    break"),
    (
        "for x in a:\n    b()",
        "slower",
        "for x in (item for n, item in enumerate(a) if not any((False for _ in range(n)))):\n    b()",
    ),
    ("@cache\ndef f():\n    g()\nf()", "slower", "def f():\n    g()\nf()"),
    ("while a:\n    break", "flow", "while a:\n    pass"),
    ("while a:\n    continue", "flow", "while a:\n    break"),
]


@pytest.mark.parametrize(("code", "operator", "mutant"), PYTHON)
def test_python_operators(code: str, operator: str, mutant: str) -> None:
    made = [(found, text.strip()) for found, _, text in python_mutants(code)]
    assert (operator, mutant) in made
    assert all(text != code for _, text in made)


CPP = [
    ("if (a < b) f();", "boundary", "if (a <= b) f();"),
    ("if (a < b) f();", "branch", "if (true) f();"),
    ("while (a < b) f();", "branch", "while (false) f();"),
    ("long long x;", "overflow", "int x;"),
    ("int x = 7LL;", "constant", "int x = 8LL;"),
    ("x = 0;", "constant", "x = 1;"),
    ("x = a + b;", "arithmetic", "x = a - b;"),
    ("x = a % m;", "modulo", "x = a + 0 * m;"),
    ("x = min(a, b);", "extreme", "x = max(a, b);"),
    ("x = a && b;", "connective", "x = a || b;"),
    ("break;", "flow", ";"),
    ("if (a) b(); else c();", "branch", "if (a) b(); ; if (false) c();"),
    ("double d;", "overflow", "float d;"),
    (
        "for (x = f(a); x; x--) g();",
        "slower",
        "for (x = f(a); x; x--) if ([]{ static long long n = 0; for (volatile long long k = 0; k < n; k = k + 1); "
        "return ++n > 0; }()) g();",
    ),
]


@pytest.mark.parametrize(("code", "operator", "mutant"), CPP)
def test_cpp_operators(code: str, operator: str, mutant: str) -> None:
    assert (operator, 1, mutant) in cpp_mutants(code)


@pytest.mark.parametrize("code", ["vector<int> v;", "int &x = y;", "#include <cstdio>", "// a < b", "\"1 < 2\";",
                                  "if (a", "using ll = long long;"])  # fmt: skip
def test_what_is_no_operator_is_left_alone(code: str) -> None:
    assert cpp_mutants(code) == []


def test_only_what_the_entry_uses_is_changed() -> None:
    code = "def unused(a):\n    return a + 1\ndef help(a):\n    return a - 2\ndef solve(a):\n    return help(a) * 3\n"
    lines = {line for _, line, _ in python_mutants(code, "solve")}
    assert lines == {4, 6}


def test_documentation_and_types_are_no_code() -> None:
    code = 'def f(a: int = 3) -> "x":\n    """Add 1."""\n    return f"{a:>5}"\nf(g)\n'
    assert [text for operator, _, text in python_mutants(code) if operator == "constant"] == []


def test_every_mutant_is_a_program_of_its_own_and_every_operator_has_its_turn() -> None:
    code = "\n".join(f"x{at} = a{at} + b{at} < {at}" for at in range(20)) + "\n"
    made = mutants(code, "python", 6)
    assert len({mutant.code for mutant in made}) == 6
    assert {mutant.operator for mutant in made} == {"arithmetic", "boundary", "comparison", "constant"}
    assert all(ast.parse(mutant.code) for mutant in made)
    assert made == mutants(code, "python", 6)
    assert made[0].name == f"mutant {made[0].operator} at line {made[0].line}"


def test_what_comes_out_the_same_counts_once() -> None:
    made = mutants("x = f(a < b, c)\nx = f(a < b, c)\ny = 5.5e3\nz = 7 % 2\nm = ''\nok(x)\n", "python", 99)
    assert len({mutant.code for mutant in made}) == len(made)
    assert not any(mutant.operator == "modulo" for mutant in made)
    assert len(mutants("print(a and a)\n", "python", 99)) == 3
    assert mutants("def f():\n    global x\n    x = 1\nf()\n", "python", 99)
    assert mutants("int x = 1.5 + 0; while (a", "cpp", 99)
    assert mutants("def f(n):\n    return g(n) + 1\ndef g(n):\n    return f(n - 1)\n", "python", 99, entry="f")


def test_languages_without_operators_have_no_mutants() -> None:
    assert mutants("class Main {}", "java", 9) == []


@pytest.mark.parametrize("code", ["def (", "x = " + "(" * 500 + ")" * 500, "\0"])
def test_a_reference_that_is_no_python_is_refused(code: str) -> None:
    with pytest.raises(InvalidInput):
        python_mutants(code)


def test_a_program_of_great_length_is_left_alone() -> None:
    assert python_mutants("x = 1\n" * 20_000) == []
    assert cpp_mutants("x = 1;\n" * 20_000) == []


def test_a_method_that_is_called_is_what_its_class_is_there_for() -> None:
    code = "class Solution:\n    def twice(self, x):\n        return x + x\n\n\ndef unused(x):\n    return x + 1\n"
    lines = {mutant.line for mutant in mutants(code, "python", 50, 0, "twice")}
    assert lines == {mutant.line for mutant in mutants(code, "python", 50, 0, "Solution")} == {3}
