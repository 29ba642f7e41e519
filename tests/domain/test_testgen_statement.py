"""Grammars out of statements: LeetCode's sentences, in its three spellings, and honesty about the rest."""

from typing import Any

import pytest

from app.domain.problems import Entry, Param
from app.domain.testgen.candidates import CandidateCounts, candidates
from app.domain.testgen.grammars.layout import rejection_reason
from app.domain.testgen.grammars.validator import format_expression
from app.domain.testgen.statements.statement import (
    MAX_INPUT_ELEMENTS,
    constraint_lines,
    derive_grammar,
    examples_in,
    grammar_of,
    max_input_elements,
    min_input_elements,
)

FEW = CandidateCounts(exhaustive=6, small=8, random=6, extreme=6, slow=2, bytes=6_000_000)


def entry(**params: str) -> Entry:
    return Entry("solve", "Solution", tuple(Param(name, kind) for name, kind in params.items()), "int")


def statement(*lines: str, before: str = "") -> str:
    return f"{before}\n\nConstraints:\n\n" + "\n".join(lines) + "\n"


# Parameters, the sentences of constraints, arguments that keep to them, and arguments that do not.
READ: list[tuple[dict[str, str], list[str], list[Any], list[Any]]] = [
    ({"n": "int"}, ["1 <= n <= 10^5"], [3], [0]),
    ({"n": "int"}, ["1 <= n <= 105"], [99_999], [100_001]),
    ({"x": "int"}, ["-231 <= x <= 231 - 1"], [-(2**31)], [2**31]),
    ({"nums": "List[int]", "k": "int"}, ["1 <= n == nums.length <= 100", "1 <= nums[i] <= 9", "1 <= k <= n"],
     [[1, 2], 2], [[1, 2], 3]),
    ({"nums": "integer[]", "K": "integer"}, ["1 <= nums.length <= 9", "0 <= nums[i], k <= 5"], [[5], 0], [[6], 0]),
    ({"s": "string"}, ["1 <= s.length <= 9", "s consists of lowercase English letters."], ["abc"], ["aBc"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists of lowercase and uppercase English letters and digits"], ["aB1"],
     ["a-1"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists of uppercase English letters only."], ["AB"], ["aB"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists of English letters."], ["aB"], ["a1"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists of lowercase English letters and spaces"], ["a b"], ["a_b"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists of digits only."], ["09"], ["a"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists only of digits in the range ['1', '3']"], ["13"], ["4"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists only of vowels"], ["aei"], ["b"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists only of 'T' or 'F'."], ["TF"], ["X"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s[i] is either '0' or '1'."], ["01"], ["2"]),
    ({"p": "str"}, ["2 <= p.length <= 9", "p contains only lowercase English letters and exactly two '*'."], ["a**"],
     ["a*"]),
    ({"s": "str"}, ["1 <= s.length <= 9", "s consists of digits", "s does not contain any leading zeros."], ["10"],
     ["01"]),
    ({"s": "str", "t": "str"},
     ["1 <= s.length <= 9", "s and t consist of lowercase English letters.", "s and t are anagrams of each other."],
     ["ab", "ba"], ["ab", "bb"]),
    ({"s": "str", "p": "str"},
     ["1 <= p.length <= s.length <= 9", "s and p consist of lowercase English letters.",
      "The input is generated such that p appears as a subsequence in s."], ["abc", "ac"], ["abc", "ca"]),
    ({"s": "str", "k": "int"},
     ["1 <= k <= s.length <= 9", "s.length is divisible by k.", "s consists of digits."], ["1234", 2], ["123", 2]),
    ({"commands": "List[str]"},
     ["1 <= commands.length <= 9", 'commands consists only of "UP", "RIGHT", and "DOWN".',
      "1 <= commands[i].length <= 5"], [["UP"]], [["LEFT"]]),
    ({"words": "List[str]"},
     ["1 <= words.length <= 9", "1 <= words[i].length <= 9", "words[i] consists of lowercase English letters.",
      "All the strings of words are unique.", "The sum of the lengths of all words does not exceed 12"],
     [["a", "b"]], [["a", "a"]]),
    (
        {"moves": "List[str]"},
        ["1 <= moves.length <= 9", 'moves[i] is either "L" or "R".', "1 <= moves[i].length <= 5"],
        [["L"]],
        [["U"]],
    ),
    (
        {"moves": "List[str]"},
        ["1 <= moves.length <= 9", 'moves[i] is either "up" or "down".', "1 <= moves[i].length <= 5"],
        [["up"]],
        [["U"]],
    ),
    ({"grid": "List[List[int]]"},
     ["m == grid.length", "n == grid[i].length", "1 <= m, n <= 5", "grid[i][j] is either 0, 1 or 2."], [[[0, 2]]],
     [[[3]]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "1 <= nums[i] <= 9", "All the elements of nums are unique."],
     [[1, 2]], [[2, 2]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "1 <= nums[i] <= 9", "nums is sorted in non-decreasing order."],
     [[1, 1]], [[2, 1]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "1 <= nums[i] <= 9",
                             "nums is sorted in strictly increasing order."], [[1, 2]], [[1, 1]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "1 <= nums[i] <= 9", "nums is sorted in descending order."],
     [[2, 1]], [[1, 2]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "1 <= nums[i] <= 9", "nums is in strictly decreasing order."],
     [[2, 1]], [[2, 2]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "1 <= nums[i] <= 9", "nums[i] <= nums[i + 1]"], [[1, 1]],
     [[2, 1]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "1 <= nums[i] <= 9", "nums[i] < nums[i + 1]"], [[1, 2]],
     [[1, 1]]),
    ({"nums": "List[int]"}, ["1 <= n <= 5", "n == nums.length",
     "nums is a permutation of the numbers in the range [1, n]."],
     [[2, 1]], [[1, 3]]),
    ({"nums": "List[int]"}, ["1 <= nums.length <= 5", "2 <= nums[i] <= 99", "nums[i] is a prime number."],
     [[2, 97]], [[4]]),
    ({"s": "str", "at": "List[int]"},
     ["1 <= n == s.length <= 9", "1 <= at.length <= n", "s consists of digits", "at is sorted in ascending order.",
      "The input is generated such that at contains distinct elements in the range [0, n - 1]."],
     ["123", [0, 2]], ["123", [0, 3]]),
    ({"n": "int", "edges": "List[List[int]]"},
     ["2 <= n <= 9", "edges.length == n - 1", "edges[i].length == 2", "0 <= edges[i][0], edges[i][1] < n",
      "The input is generated such that edges represents a valid tree."], [3, [[0, 1], [2, 1]]], [3, [[0, 1], [1, 0]]]),
    ({"points": "List[List[int]]"},
     ["1 <= points.length <= 5", "points[i] = [xi, yi]", "0 <= xi, yi <= 9", "All the given points are unique."],
     [[[1, 2], [2, 1]]], [[[1, 2], [1, 2]]]),
    ({"q": "List[List[int]]"},
     ["1 <= q.length <= 5", "q[i] == [ai, bi]", "0 <= ai, bi <= 9", "ai != bi", "q[i] != q[j]"], [[[1, 2]]],
      [[[1, 1]]]),
    ({"q": "List[List[int]]"},
     ["1 <= q.length <= 5", "q[i] = [a_i, b_i]", "0 <= a_i <= b_i <= 9",
      "There are no repeated pairs among the queries."],
     [[[1, 2]]], [[[2, 1]]]),
    ({"rows": "List[List[int]]"},
     ["1 <= rows.length <= 5", "rows[i] = [li, ri]", "0 <= li <= ri <= 9", "The given segments are non-overlapping."],
     [[[1, 2], [4, 4]]], [[[1, 2], [2, 3]]]),
    ({"start": "List[int]", "end": "List[int]"},
     ["1 <= n <= 5", "n == start.length == end.length", "0 <= start[i] < end[i] <= 30",
      "end[i] <= start[i + 1] where i lies in the range [0, n - 2]."], [[0, 3], [2, 4]], [[0, 1], [2, 4]]),
]  # fmt: skip


@pytest.mark.parametrize(("params", "lines", "good", "bad"), READ, ids=[str(at) for at in range(len(READ))])
def test_sentences_are_read(params: dict[str, str], lines: list[str], good: list[Any], bad: list[Any]) -> None:
    derived = derive_grammar(statement(*lines), entry(**params), [good])
    assert derived.unread == ()
    assert derived.grammar is not None
    assert rejection_reason(derived.grammar, bad) is not None
    found = list(candidates(derived.grammar, 0, FEW))
    assert len(found) > 5
    assert [wrong for each in found if (wrong := rejection_reason(derived.grammar, each.given)) is not None] == []


@pytest.mark.parametrize(
    ("params", "lines", "said"),
    [
        ({"n": "int"}, ["1 <= n <= 9", "n is a lucky number."], "lucky"),
        ({"n": "int"}, ["1 <= n <= 9", "lucky " * 100], "lucky"),
        ({"n": "int"}, ["1 <= n <= 9", "At least one solution exists."], "At least one"),
        ({"n": "int"}, ["1 <= n"], "n has no bounds"),
        ({"n": "int"}, ["1 <= n <= 0"], "contradict"),
        ({"n": "int"}, ["1 <= n <= m"], "what is m?"),
        ({"n": "TreeNode"}, ["1 <= n <= 9"], "no grammar"),
        ({"n": ""}, ["1 <= n <= 9"], "no type"),
        ({"s": "str"}, ["1 <= s.length <= 9"], "which characters"),
        ({"s": "str"}, ["1 <= s.length <= 9", "s consists of runes and letters."], "runes"),
        ({"s": "str"}, ["1 <= s.length <= 9", "s consists of digits", "s[i] is either a letter or a digit."], "either"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "a[i] <= a[j + 2]"], "a[j + 2]"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "a consists of positive integers."], "positive"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "b is sorted in ascending order."], "b is"),
        ({"a": "List[int]", "b": "List[int]"},
         ["1 <= a.length, b.length <= 9", "1 <= a[i], b[i] <= 9", "All the given numbers are unique."], "numbers are"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "a represents a valid tree."], "valid tree"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "No two intervals overlap."], "overlap"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "a and c are anagrams."], "anagrams"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "a is a subsequence of c."], "subsequence"),
        ({"a": "List[int]"},
         ["1 <= a.length <= 9", "1 <= a[i] <= 9", "The sum of the lengths of all words does not exceed 9"], "sum of"),
        ({"a": "List[int]"},
         ["1 <= a.length <= 9", "1 <= a[i] <= 9", "a contains distinct elements in the range [0, ?]"], "range"),
        ({"a": "List[int]", "b": "List[int]"},
         ["1 <= a.length, b.length <= 9", "1 <= a[i], b[i] <= 9",
          "a, b contains distinct elements in the range [0, 3]"],
         "range"),
        ({"a": "List[int]"}, ["1 <= a.length <= 9", "1 <= a[i] <= 9", "a.width is divisible by 3"], "divisible"),
        ({"w": "List[str]"},
         ["1 <= w.length, w[i].length <= 9", "w[i] consists of digits", "The sum of lengths of w is at most 9 9"],
          "sum"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told(params: dict[str, str], lines: list[str], said: str) -> None:
    assert said in " ".join(derive_grammar(statement(*lines), entry(**params)).unread)


def test_an_example_that_does_not_fit_shows_a_misreading() -> None:
    derived = derive_grammar(statement("1 <= n <= 9", before="Example 1:\n\nInput: n = 12\nOutput: 3"), entry(n="int"))
    assert derived.grammar is None
    assert "example 1 does not fit" in derived.unread[-1]


def test_examples_are_read_as_literals_only() -> None:
    text = (
        'Input: a = [1,2], s = "x", b = true\nOutput: 1\n**Input:** a = [3], s = "y", b = false\n'
        "Input: a = f(), s = 'z', b = 1\nInput: a = [4]\nInput: a = (\n"
    )
    assert examples_in(text, entry(a="List[int]", s="str", b="bool")) == [[[1, 2], "x", True], [[3], "y", False]]


def test_markup_and_spellings_come_to_the_same() -> None:
    as_html = (
        "<p><strong>Constraints:</strong></p><ul><li><code>1 &lt;= n &lt;= 10<sup>5</sup></code></li>"
        "<li><code>a[i]</code> is 0 or 1.</li></ul><p><strong>Follow-up:</strong> faster?</p>"
    )
    as_markdown = "**Constraints:**\n\n- `1 <= n <= 10^5`\n- `a[i]` is 0 or 1.\n\nFollow-up: faster?"
    as_text = "Constraints:\n1 ≤ n ≤ 10⁵\na[i] is 0 or 1."
    flattened = "Constraints:\n1 <= n <= 105\na[i] is 0 or 1"
    expected = ["1 <= n <= 10^5", "a[i] is 0 or 1"]
    assert [constraint_lines(each) for each in (as_html, as_markdown, as_text, flattened)] == [expected] * 4


def test_a_number_is_a_lost_power_only_where_no_power_is_written() -> None:
    assert constraint_lines("Constraints:\n1 <= n <= 105\n1 <= m <= 10^5")[0] == "1 <= n <= 105"
    assert constraint_lines("Constraints:\n-109 <= n <= 100")[0] == "-10^9 <= n <= 100"
    assert constraint_lines("Constraints:\n1 <= n <= 10 000") == ["1 <= n <= 10000"]


def test_without_constraints_nothing_is_guessed() -> None:
    assert derive_grammar("Add all numbers.", entry(n="int")).unread == ("the statement has no constraints",)


def test_columns_have_the_names_the_statement_gives_them() -> None:
    text = statement("1 <= q.length <= 5", "0 <= fromi < toi <= 9", before="where q[i] = [from<sub>i</sub>, to_i]")
    grammar = derive_grammar(text, entry(q="int[][]")).grammar
    assert grammar is not None
    assert "q[i][0] < q[i][1]" in map(format_expression, grammar.relations)


@pytest.mark.parametrize(
    "noise", ["<sup>" * 20_000, "\n" * 50_000, "constraints " * 9_000, "`" * 50_000, "a " * 50_000]
)
def test_a_hostile_statement_is_read_in_no_time(noise: str) -> None:
    text = f"{noise}\n{statement('1 <= n <= 9')}"
    assert derive_grammar(text, entry(n="int")).grammar is not None
    assert derive_grammar(f"{statement('1 <= n <= 9')}{noise}", entry(n="int")) is not None


def test_a_statement_whose_least_inputs_are_too_long_says_nothing() -> None:
    """It is somebody else's text, and inputs are made by it without anybody looking."""
    params = entry(rows="int[][]", n="int")
    text = "1 <= n <= 9\n{0} <= rows.length <= 10^6\n{0} <= rows[i].length <= 10^6\n0 <= rows[i][j] <= 9"
    small, large = (grammar_of(statement(*text.format(least).split("\n")), params) for least in (1, 10**4))
    assert large is None
    assert small is not None
    assert (min_input_elements(small), max_input_elements(small) > MAX_INPUT_ELEMENTS) == (2, True)
