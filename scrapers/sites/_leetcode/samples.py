"""Samples of a LeetCode statement: an example's arguments and result as JSON literals.

Two layouts: since 2024 `div.example-block` with a paragraph for each label; before, `pre` with bold or plain labels, as
in "Input: nums = [1], k = 2". Class problems put calls and arguments on lines of their own. `exampleTestcases` repeats
the inputs, one argument a line; if both differ only in white space, its spelling is taken.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from app.domain.sources.records import PageFinding, ScrapedExample
from scrapers.reading.html import BLOCKS, classes, is_dropped
from scrapers.reading.page import scrub
from scrapers.sites._leetcode.literals import MAX_LITERAL_CHARS, read_arguments, read_output, value_of
from scrapers.sites._leetcode.signature import CallSpec

_MAX_SAMPLES: Final = 50
_LABEL: Final = re.compile(
    r"[\s\u3000]*+(?:(?P<input>input|输入)|(?P<output>output|输出)|(?P<other>explanation|explaination|example|note"
    r"|constraints?|follow[ -]?up|clarification|解释|原因|说明|示例|提示|注意|进阶|备注|样例)"
    r"(?:[ \t]*+\d{1,2})?)[ \t\u3000]*+(?P<colon>[:：])?",
    re.IGNORECASE,
)
_ROW = tuple[str, ...]


def find_samples(
    roots: Mapping[str, Tag], shape: CallSpec, testcases: Sequence[str] | None, subject: str | None
) -> tuple[tuple[ScrapedExample, ...], list[PageFinding]]:
    """Return (samples of the first language that has any, findings).

    `testcases` are the lines of exampleTestcases; None if the answer does not hold them.
    """
    findings: list[PageFinding] = []
    cases, rest = _cases(testcases, shape)
    if rest:
        findings.append(PageFinding("samples_differ", "exampleTestcases is no whole number of examples", subject))
    read: list[list[tuple[_ROW, str]]] = []
    for locale, root in roots.items():
        samples, problems = _read(root, shape, cases)
        findings += [PageFinding(code, f"{message} ({locale})", subject) for code, message in problems]
        if samples:
            read.append(samples)
    if not read:
        return (), findings
    if any(_values(version) != _values(read[0]) for version in read[1:]):
        findings.append(PageFinding("samples_differ", "the samples differ between the languages", subject))
    examples = [ScrapedExample("".join(f"{literal}\n" for literal in row), f"{answer}\n") for row, answer in read[0]]
    return tuple(examples), findings


def _values(samples: list[tuple[_ROW, str]]) -> list[list[object]]:
    return [[value_of(literal) for literal in (*row, answer)] for row, answer in samples]


def _cases(testcases: Sequence[str] | None, shape: CallSpec) -> tuple[list[_ROW], bool]:
    """Return (the arguments of each example of full length, whether lines are left over)."""
    if testcases is None or not shape.params:
        return [], False
    size = len(shape.params)
    rows = [tuple(testcase.strip() for testcase in testcases[at : at + size]) for at in range(0, len(testcases), size)]
    return [row for row in rows[:_MAX_SAMPLES] if len(row) == size], len(testcases) % size != 0


def _read(root: Tag, shape: CallSpec, cases: list[_ROW]) -> tuple[list[tuple[_ROW, str]], list[tuple[str, str]]]:
    """Return (readable examples, (code, message) of each fault) of one statement."""
    examples, unpaired = _examples(root)
    samples: list[tuple[_ROW, str]] = []
    problems = []
    if unpaired:
        problems.append(("unpaired_sample", f"{unpaired} example texts have no partner"))
    if cases and examples and len(cases) != len(examples):
        problems.append(("samples_differ", f"{len(examples)} examples, {len(cases)} in exampleTestcases"))
    for number, (text, result) in enumerate(examples, 1):
        case = cases[number - 1] if number <= len(cases) else None
        row, answer = read_arguments(text, shape.params), read_output(result, shape.returns, kept=shape.kept)
        if row is None and case is not None and len(cases) == len(examples) and _are_literals(case):
            problems.append(("sample_from_testcases", f"the input of example {number} is read from exampleTestcases"))
            row = case
        if row is None or answer is None:
            problems.append(("unreadable_sample", f"example {number} cannot be read as JSON literals"))
            continue
        if case is not None and not _is_same_example(row, case):
            problems.append(("samples_differ", f"example {number} is another one in exampleTestcases"))
        elif case is not None:
            row = case
        samples.append((tuple(map(scrub, row)), scrub(answer)))
    return samples, problems


def _are_literals(row: _ROW) -> bool:
    try:
        return all(value_of(literal) is not value_of for literal in row)
    except ValueError:
        return False


def _have_same_values(one: _ROW, other: _ROW) -> bool:
    try:
        return [value_of(literal) for literal in one] == [value_of(literal) for literal in other]
    except ValueError:
        return False


def _is_same_example(row: _ROW, case: _ROW) -> bool:
    """Return whether two spellings are of one example: a paragraph shows several spaces of a string as one."""
    return _have_same_values(row, case) or (
        _are_literals(case) and _have_same_values(_without_spaces(row), _without_spaces(case))
    )


def _without_spaces(row: _ROW) -> _ROW:
    return tuple("".join(literal.split()) for literal in row)


def _examples(root: Tag) -> tuple[list[tuple[str, str]], int]:
    """Return ((input, output) texts in order, how many have no partner)."""
    pairs: list[tuple[str, str]] = []
    unpaired = 0
    for area in _areas(root):
        more, area_unpaired = _pairs(_lines(area))
        pairs += more
        unpaired += area_unpaired
    if not pairs and not unpaired:  # examples in running text, as the oldest statements have them
        pairs, unpaired = _pairs(_lines(root))
    return pairs[:_MAX_SAMPLES], unpaired


def _areas(root: Tag) -> Iterator[Tag]:
    """Yield the areas of examples: every pre, and every block that the site marks as one."""
    stack: list[PageElement] = [root]
    while stack:
        node = stack.pop()
        if not isinstance(node, Tag) or is_dropped(node):
            continue
        if node.name == "pre" or "example-block" in classes(node):
            yield node
        else:
            stack.extend(reversed(node.contents))


def _lines(root: Tag) -> list[str]:
    """Return the lines a reader sees: white space outside pre is one space, and a block or br begins a line."""
    parts: list[str] = []
    inside_pre = root.name == "pre"
    stack: list[PageElement | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Tag):
            inside_pre = _open(node, parts, stack, inside_pre=inside_pre, root=node is root)
        elif type(node) is NavigableString:
            parts.append(str(node) if inside_pre else re.sub(r"[ \t\r\n]+", " ", node))
        elif type(node) is str:
            parts.append(node)
            inside_pre = inside_pre and node != _END_PRE
    text = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    return text.replace(_END_PRE, "\n").split("\n")


_END_PRE: Final = "\x00"  # Page.text never holds one


def _open(tag: Tag, parts: list[str], stack: list[PageElement | str], *, inside_pre: bool, root: bool) -> bool:
    if is_dropped(tag):
        return inside_pre
    if tag.name == "sup":
        parts.append("^")  # 10<sup>4</sup> is not 104
    if tag.name == "br":
        parts.append("\n")
    elif tag.name == "pre" and not root:
        parts.append("\n")
        stack.append(_END_PRE)
        inside_pre = True
    elif tag.name in BLOCKS and not root:
        parts.append("\n")
        stack.append("\n")
    stack.extend(reversed(tag.contents))
    return inside_pre


def _pairs(lines: list[str]) -> tuple[list[tuple[str, str]], int]:
    """Pair each input with the next output; another label ends either."""
    pairs: list[tuple[str, str]] = []
    unpaired = 0
    pending_input: str | None = None
    side, text = "", ""
    for line in [*lines, "Note:"]:
        match = _LABEL.match(line)
        if match is None or not (match["colon"] or not line[match.end() :].strip()):
            if len(text) <= MAX_LITERAL_CHARS:
                text += f"\n{line}"
            continue
        if side == "input":
            unpaired += pending_input is not None
            pending_input = text
        elif side == "output":
            if pending_input is None:
                unpaired += 1
            else:
                pairs.append((pending_input, text))
            pending_input = None
        # Text between an input and its output is a remark; the input waits.
        side = "input" if match["input"] else "output" if match["output"] else ""
        text = line[match.end() :]
    return pairs, unpaired + (pending_input is not None)
