"""Grammar files, the inputs they stand for, and what breaks them."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.testgen_shapes import SHAPES
from support.thinned import thinned

from app.domain.errors import InvalidInput
from app.domain.testgen.candidates import CandidateCounts, candidates
from app.domain.testgen.grammars.domains import Unsatisfiable
from app.domain.testgen.grammars.files import parse_grammar, read_grammar
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.grammars.layout import read_cases, rejection_reason, render
from app.domain.testgen.sampling.fill import NUMBER_STYLES, TEXT_STYLES, PickRule, make_numbers, make_text, pick_number
from app.domain.testgen.sampling.graphs import GraphShape, make_graph
from app.domain.testgen.sampling.sample import InputKind, InputProfile, make_case

FEW = CandidateCounts(exhaustive=12, small=14, random=8, extreme=8, slow=3, bytes=2_000_000)


def shape(name: str) -> Grammar:
    return parse_grammar(SHAPES[name])


@pytest.mark.parametrize("name", thinned(SHAPES, 4))
def test_every_input_of_a_shape_keeps_to_its_grammar(name: str) -> None:
    grammar = shape(name)
    found = list(candidates(grammar, 7, FEW))
    assert len(found) >= 8
    assert {candidate.kind for candidate in found} >= {InputKind.SMALL, InputKind.RANDOM}
    assert [wrong for candidate in found if (wrong := rejection_reason(grammar, candidate.given)) is not None] == []
    assert all(candidate.size > 0 for candidate in found)


@pytest.mark.parametrize("name", thinned(SHAPES, 6))
def test_a_seed_makes_the_same_inputs_and_another_seed_others(name: str) -> None:
    grammar = shape(name)
    fewer = CandidateCounts(exhaustive=2, small=3, random=2, extreme=1, slow=1, bytes=2_000_000)
    one, again, other = (list(candidates(grammar, seed, fewer)) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_the_largest_inputs_are_as_large_as_allowed() -> None:
    longest = max((candidate for candidate in candidates(shape("array"), 0, FEW)), key=lambda each: each.size)
    assert longest.given.startswith("300\n")


def test_bytes_bound_all_inputs_together() -> None:
    found = list(candidates(shape("array"), 0, FEW._replace(bytes=900)))
    assert sum(each.size for each in found) <= 900


@settings(max_examples=examples(60))
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 10**6), st.sampled_from([*PickRule, None]), st.booleans())
def test_any_profile_makes_legal_values(name: str, seed: int, manner: PickRule | None, full: bool) -> None:
    grammar = shape(name)
    profile = InputProfile(InputKind.RANDOM, 9, full, manner)
    try:
        values = make_case(grammar, profile, random.Random(seed))
    except Unsatisfiable:
        return
    given_ = render(grammar, [values]) if grammar.layout else list(values.values())
    if grammar.cases is None:
        assert rejection_reason(grammar, given_) is None


BROKEN = [
    ("array", "2\n1 2\n", None),
    ("array", "2\n1 2", "ends too early"),
    ("array", "2\n1  2\n", "number"),
    ("array", "2\n1 2 3\n", "long"),
    ("array", "3\n1 2\n", "short"),
    ("array", "2\n1 x\n", "number"),
    ("array", "02\n1 2\n", "follow the grammar's layout"),
    ("array", "0\n\n", "contradict"),
    ("array", "301\n" + " ".join(["1"] * 301) + "\n", "contradict"),
    ("array", "1\n-10\n", "not so"),
    ("array", "1\n", "ends too early"),
    ("array", "1\n1\n1\n", "follow the grammar's layout"),
    ("array", [1], "not a text"),
    ("permutation", "2\n1 1\n", "permutation"),
    ("text", "abd\n", "letters"),
    ("tree", "3\n1 2 1\n1 2 1\n", "tree"),
    ("tree", "3\n1 2 1\n1 4 1\n", "tree"),
    ("graph", "2 1\n1 1\n", "graph"),
    ("dag", [3, [[0, 1], [1, 0]]], "acyclic"),
    ("dag", [2, [[0, 5]]], "digraph"),
    ("digraph", [2, [[0, 1], [0, 1]]], "digraph"),
    ("grid", "1 2\n0\n", "contradict"),
    ("intervals", [[[1, 5, 1], [5, 6, 1]]], "disjoint"),
    ("intervals", [[[1, 5, True]]], "rows is no int"),
    ("intervals", [[[1, 5]]], "contradict"),
    ("intervals", [], "arguments"),
    ("intervals", "x", "arguments"),
    ("queries", [[1, 2], [[0, 2]]], "not so"),
    ("queries", [[1, 2], [[1, 0]]], "not so"),
    ("ladders", [[0, 1], [2, 3]], "not so"),
    ("orders", [[2, 1], [1, 2], [2, 1], [2, 1], [1, 2]], "sorted"),
    ("orders", [[1, 1], [1, 1], [2, 1], [2, 1], [1, 2]], "increasing"),
    ("orders", [[1, 1], [1, 2], [1, 2], [2, 1], [1, 2]], "descending"),
    ("orders", [[1, 1], [1, 2], [2, 1], [1, 1], [1, 2]], "decreasing"),
    ("orders", [[1, 1], [1, 2], [2, 1], [2, 1], [1, 1]], "distinct"),
    ("loose edges", [2, [[0, 1], [0, 1]]], "distinct"),
    ("loose edges", [2, [[1, 1]]], "not so"),
    ("choices", ["may", ["up"], [3], 5, [[0]]], "oneof"),
    ("of one another", ["ab", "bb", "a", "1"], "same_letters"),
    ("of one another", ["ab", "ba", "c", "1"], "subsequence"),
    ("of one another", ["ab", "ba", "b", "01"], "no_leading_zeros"),
    ("signs", ["z1", "**"], "not so"),
    ("signs", ["a1", "***"], "count"),
    ("primes", [[4], 2], "prime"),
    ("primes", [[561], 2], "prime"),
    ("square", [1, [[4]], True], "not so"),
    ("cases", "2\n1\n1\n1\n1\n", None),
    ("cases", "0\n", "0 cases"),
    ("cases", "1 1\n1\n1\n", "line of its own"),
    ("cases", "2\n1500\n" + " ".join(["1"] * 1500) + "\n1500\n" + " ".join(["1"] * 1500) + "\n", "more than 2000"),
    ("cases", "101\n" + "1\n1\n" * 101, "101 cases"),
    ("divisible", ["aba", 2], "not so"),
    ("hidden width", [[[0, 1], [1]]], "not so"),
    ("cases of two", "1\n1\n1\n", "1 cases"),
    ("far apart", [0, 1000, 1, [1, 1, 1, 9], [], "a", "a"], "not so"),
    ("dag", [2, [[0, 9]]], "digraph"),
    ("hidden width", [[[0, 1], [1, 1]]], None),
    ("beside each other", "1\nx 1 2 1\n", None),
    ("beside each other", "1\nx 1\n", "short"),
]


def test_what_breaks_a_grammar_is_named() -> None:
    for name, given_, reason in BROKEN:
        said = rejection_reason(shape(name), given_)
        assert (said is None) if reason is None else (reason in (said or "")), (name, given_, said)


@pytest.mark.parametrize("name", [name for name, each in SHAPES.items() if "layout" in each and name != "cases"])
def test_text_is_read_back_as_it_was_written(name: str) -> None:
    grammar = shape(name)
    for candidate in candidates(grammar, 3, FEW._replace(random=3, extreme=2, slow=1)):
        assert render(grammar, read_cases(grammar, candidate.given)) == candidate.given


def test_a_length_that_nothing_tells_takes_what_is_left() -> None:
    grammar = parse_grammar(
        {"variables": {"a": "int[]", "w": "str[]"}, "layout": ["a", "w"],
         "constraints": ["1 <= len(a) <= 3", "0 <= a[i] <= 9", "1 <= len(w) <= 3", "1 <= len(w[i]) <= 2",
                         "letters(w, 'a')"]}
    )  # fmt: skip
    assert read_cases(grammar, "1 2\na\naa\n") == [{"a": [1, 2], "w": ["a", "aa"]}]


def test_files_are_toml_or_json() -> None:
    toml = 'variables = { n = "int" }\nconstraints = ["1 <= n <= 9"]\nlayout = ["n"]\n'
    as_json = json.dumps({"variables": {"n": "int"}, "constraints": ["1 <= n <= 9"], "layout": ["n"]})
    assert read_grammar(toml) == read_grammar(as_json)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"variables": {"n": "float"}}, "is int, str or bool"),
        ({"variables": {"1n": "int"}}, "is int, str or bool"),
        ({"variables": {"n": "int[][][][]"}}, "nested"),
        ({"variables": None}, "unreadable"),
        ({"colour": 1}, "unknown key 'colour'"),
        ({"constraints": ["1 <= n"]}, "n has no bounds"),
        ({"constraints": ["1 <= n <= 0"]}, "contradict"),
        ({"constraints": ["1 <= n <= 9"] * 201}, "more than 200"),
        ({"constraints": ["1 <= n <= 9", "n[i] <= 3"]}, "no elements of that depth"),
        ({"constraints": ["1 <= n <= 9", "sorted(m)"]}, "not a variable"),
        ({"constraints": ["1 <= n <= 9", "tree(n)"]}, "expected a variable"),
        ({"constraints": ["1 <= n <= 9", "tree(n, 'a')"]}, "expected edges"),
        ({"constraints": ["1 <= n <= 9", "letters(n, 3)"]}, "expected a text"),
        ({"constraints": ["1 <= n <= 9", "letters(n, '')"]}, "not an alphabet"),
        ({"constraints": ["1 <= n <= 9", "letters(n, ',)"]}, "unreadable"),
        ({"constraints": ["1 <= n <= 9", "letters()"]}, "expected a variable"),
        ({"layout": ["n m"]}, "not a variable"),
        ({"layout": ["n n"]}, "each variable exactly once"),
        ({"layout": ["n,"]}, "side by side"),
        ({"layout": [], "cases": {"most": 5}}, "need a layout"),
        ({"cases": {"most": 0}}, "cases needs"),
        ({"cases": {"least": 1}}, "lacks"),
        ({"cases": {"most": 5, "totals": ["n < 5"]}}, "a total has"),
    ],
)
def test_a_wrong_grammar_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    good = {"variables": {"n": "int"}, "constraints": ["1 <= n <= 9"], "layout": ["n"]}
    with pytest.raises(InvalidInput, match=reason):
        parse_grammar({**good, **changes})


@pytest.mark.parametrize(
    ("variables", "constraints", "layout", "reason"),
    [
        ({"a": "int[]"}, ["1 <= a[i] <= 2"], [], "the length of a"),
        ({"a": "int[]"}, ["1 <= len(a) <= 2"], [], "has no bounds"),
        ({"s": "str"}, ["1 <= len(s) <= 2"], [], "which characters"),
        ({"a": "int[]"}, ["1 <= len(a) <= 2", "1 <= a <= 2"], [], "as a whole"),
        ({"a": "int[][][]"}, ["1 <= len(a), len(a[i]), len(a[i][j]) <= 2", "1 <= a[i][j][k] <= 2"], ["a"], "too deep"),
        ({"n": "int", "a": "int[][]"}, ["1 <= n, len(a), len(a[i]) <= 2", "1 <= a[i][j] <= 2"], ["n a"], "own"),
        ({"a": "int[][]"}, ["1 <= len(a) <= 2", "len(a[i]) == 2", "1 <= a[i][0] <= 3"], [], "has no bounds"),
        ({"a": "int[]"}, ["1 <= len(a) <= 2", "1 <= a[i] <= 9", "tree(a, q[i])"], [], "no elements of that depth"),
    ],
)
def test_a_grammar_that_leaves_something_open_is_refused(
    variables: dict[str, str], constraints: list[str], layout: list[str], reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        parse_grammar({"variables": variables, "constraints": constraints, "layout": layout})


@pytest.mark.parametrize("text_", ["{", "n = ", "[" * 3, '{"variables": ' + "[" * 100_000])
def test_neither_toml_nor_json_is_refused(text_: str) -> None:
    with pytest.raises(InvalidInput):
        read_grammar(text_)


@given(st.sampled_from(sorted(NUMBER_STYLES)), st.integers(0, 40), st.integers(-50, 50), st.integers(0, 10**18),
       st.integers(0, 99))  # fmt: skip
def test_numbers_of_every_style_stay_in_range(style: str, count: int, low: int, span: int, seed: int) -> None:
    made = make_numbers(random.Random(seed), count, low, low + span, style)
    assert len(made) == count
    assert all(low <= each <= low + span for each in made)


@given(st.sampled_from(TEXT_STYLES), st.integers(0, 60), st.sampled_from(["a", "ab", "xyz"]), st.integers(0, 99))
def test_texts_of_every_style_have_their_length_and_signs(style: str, length: int, signs: str, seed: int) -> None:
    made = make_text(random.Random(seed), length, signs, style)
    assert len(made) == length
    assert set(made) <= set(signs)


@given(st.sampled_from(list(PickRule)), st.integers(-(10**40), 10**40), st.integers(0, 10**40), st.integers(0, 99))
def test_a_picked_number_is_in_its_range(manner: PickRule, low: int, span: int, seed: int) -> None:
    assert low <= pick_number(random.Random(seed), low, low + span, manner) <= low + span


def test_more_vertices_than_any_input_has_are_no_graph() -> None:
    grammar = parse_grammar(
        {"variables": {"n": "int", "e": "int[][]"},
         "constraints": ["2 <= n <= 10^9", "len(e) == 1", "len(e[i]) == 2", "acyclic(e, n)", "digraph(e, n)"]}
    )  # fmt: skip
    assert rejection_reason(grammar, [10**9, [[0, 1]]]) == "e is not acyclic"


def test_impossible_graphs_are_not_made() -> None:
    rng = random.Random(0)
    for count, wanted in ((4, GraphShape()), (1, GraphShape(connected=True)), (7, GraphShape(directed=True))):
        with pytest.raises(Unsatisfiable):
            make_graph(rng, 3, count, wanted)


@pytest.mark.parametrize(
    ("variables", "constraints"),
    [
        ({"e": "int[][]"}, ["len(e) == 3", "len(e[i]) == 2", "tree(e, 3)"]),
        ({"g": "int[][]"}, ["len(g) == 10^6", "len(g[i]) == 10^5", "0 <= g[i][j] <= 1"]),
        (
            {"a": "int[]", "b": "int[]"},
            ["len(a) == len(b)", "len(a) == 9", "0 <= a[i] < b[i] <= 3", "b[i] <= a[i + 1]"],
        ),
        ({"p": "int"}, ["90 <= p <= 96", "prime(p)"]),
        ({"s": "str", "p": "str"}, ["len(s) == 2", "len(p) == 3", "letters(s, 'a')", "subsequence(p, s)"]),
        ({"w": "str[]"}, ["len(w) == 3", "len(w[i]) == 1", "letters(w, 'ab')", "distinct(w)"]),
        ({"r": "int[][]"}, ["len(r) == 5", "len(r[i]) == 2", "0 <= r[i][0], r[i][1] <= 1", "distinct(r)"]),
        ({"a": "int[]"}, ["len(a) == 3", "0 <= a[i] <= 1", "distinct(a)"]),
        ({"r": "int[][]"}, ["len(r) == 1", "len(r[i]) == 2", "1 <= r[i][0], r[i][1] <= 1", "r[i][0] != r[i][1]"]),
    ],
)
def test_what_no_input_can_keep_to_makes_none(variables: dict[str, str], constraints: list[str]) -> None:
    grammar = parse_grammar({"variables": variables, "constraints": constraints})
    with pytest.raises(Unsatisfiable):
        make_case(grammar, InputProfile(InputKind.RANDOM, 10**9), random.Random(1))


def test_nothing_is_picked_from_an_empty_range() -> None:
    with pytest.raises(Unsatisfiable):
        pick_number(random.Random(0), 2, 1, PickRule.UNIFORM)
    with pytest.raises(Unsatisfiable):
        make_numbers(random.Random(0), 1, 2, 1, "uniform")
