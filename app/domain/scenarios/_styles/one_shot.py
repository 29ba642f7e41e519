"""Solved problem before the question, for base models that continue a text: one for each form, in our own words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.asking.extraction import Extraction, normalise_newlines
from app.domain.asking.markdown.blocks import open_block
from app.domain.asking.reasoning import without_reasoning
from app.domain.problems import Form, Limits, Statement, Test


@dataclass(frozen=True, slots=True)
class SolvedExample:
    """Problem with its program."""

    statement: Statement
    program: str


_STDIN = {
    "en": (
        "Empty Berths",
        "A harbour has `n` berths, and ships lie at `m` of them. Print how many berths are empty.\n\n"
        "The input is one line with `n` and `m` (0 ≤ m ≤ n ≤ 1000).",
    ),
    "zh": (
        "空泊位",
        "港口有 `n` 个泊位，其中 `m` 个停有船只。输出空泊位的数量。\n\n"
        "输入为一行，包含 `n` 和 `m`（0 ≤ m ≤ n ≤ 1000）。",
    ),
}
_FUNCTION = {
    "en": ("Longest Rope", "Given the lengths of some ropes, return the greatest of them, or 0 if there are none."),
    "zh": ("最长的绳子", "给定若干绳子的长度，返回其中的最大值；如果没有绳子，返回 0。"),
}
_PROGRAMS: Mapping[Form, Mapping[str, str]] = {
    Form.STDIN: {
        "python": "n, m = map(int, input().split())\nprint(n - m)",
        "cpp": "#include <iostream>\n\nint main() {\n    int n, m;\n    std::cin >> n >> m;\n"
        "    std::cout << n - m << std::endl;\n}",
    },
    Form.FUNCTION: {
        "python": "class Solution:\n    def longestRope(self, lengths: List[int]) -> int:\n"
        "        return max(lengths, default=0)",
        "cpp": "class Solution {\npublic:\n    int longestRope(vector<int>& lengths) {\n        int best = 0;\n"
        "        for (int length : lengths) best = max(best, length);\n        return best;\n    }\n};",
    },
}  # fmt: skip
_STARTER = {
    "python": "class Solution:\n    def longestRope(self, lengths: List[int]) -> int:\n        ...",
    "cpp": "class Solution {\npublic:\n    int longestRope(vector<int>& lengths) {\n    }\n};",
}
WRITTEN_FOR = tuple(_STARTER)
_CALLED = (Form.FUNCTION, Form.CLASS, Form.UNITTEST)


def solved_example(form: Form, language: str, locale: str) -> SolvedExample:
    """Return the example for problems of a form: a function if one is called, else standard input."""
    kind = Form.FUNCTION if form in _CALLED else Form.STDIN
    title, text = (_FUNCTION if kind is Form.FUNCTION else _STDIN)[locale]
    examples = (Test([[3, 7, 5]], 7, visible=True),) if kind is Form.FUNCTION else (Test("5 2\n", "3\n", visible=True),)
    starter = _STARTER if kind is Form.FUNCTION else {}
    return SolvedExample(
        Statement("", locale, kind, title, text, starter, examples, Limits()), _PROGRAMS[kind][language]
    )


_OPENING_FENCE = re.compile(r"\s*```[^\n`]*\n")
_NEXT_QUESTION = re.compile("^###", re.MULTILINE)


def extract_continuation(text: str) -> Extraction:
    """Return the program that continues a text with an open fence: up to the closing fence, or the next question."""
    answer = without_reasoning(normalise_newlines(text))
    opened = _OPENING_FENCE.match(answer)
    answer = answer[opened.end() :] if opened else answer
    end = _NEXT_QUESTION.search(answer)
    code = open_block(answer[: end.start()] if end else answer)
    if not code.strip():
        return Extraction(None, followed_format=False)
    return Extraction(code.rstrip() + "\n", followed_format=opened is None)
