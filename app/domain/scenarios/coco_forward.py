"""coco_forward: code and an input become the output, compared as a value (CoCo-Bench, CU forward)."""

from app.domain.asking.answer_values import extract_value
from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol
from app.domain.judging.non_program_answers import CLOSE_NUMBERS, is_ordered, same_rows
from app.domain.problems import Statement
from app.domain.scenarios import GradedBy, Item, Material, Need, Scenario
from app.domain.scenarios._coco import (
    CALLED,
    GREET,
    SHIFTED,
    QuestionPart,
    Shot,
    code_of,
    code_part,
    protocols,
    question,
    render_input,
)

_OPENING = (
    "Work out what the code below gives for the input below. Take the code as it is, whether or not it seems right."
)
_CLOSING = (
    "Give only the output, as one literal: numbers, texts in quotes, true or false, and lists or objects of these. "
    "Arrays, tensors and tuples are written as lists, rows of a query as lists of their values. Write nothing else."
)
_INPUT = "The input:"
_SHOTS = (
    Shot(
        (QuestionPart(CALLED.format(name="shifted"), SHIFTED, "python"),
         QuestionPart(_INPUT, "numbers = [4, 8, 1]\nby = 2")),
        "[6, 10, 3]",
    ),
    Shot(
        (QuestionPart(CALLED.format(name="greet"), GREET, "python"),
         QuestionPart(_INPUT, "name = 'Ada'")),
        '"Ada!"',
    ),
)  # fmt: skip


def _items(material: Material) -> tuple[Item, ...]:
    """Return the first test's input, if there is code to run on it."""
    language, code = code_of(material.statement)
    if not language or not material.tests:
        return ()
    test = material.tests[0]
    facts = {"input": render_input(material.statement, language, test.input)}
    rows = language == "sql" and not is_ordered(code)
    return (Item(0, facts, test.expected, CLOSE_NUMBERS, is_json=True, rule=same_rows if rows else None),)


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:  # noqa: ARG001  # one style
    return question(_OPENING, _SHOTS, (code_part(statement), QuestionPart(_INPUT, item.facts["input"])), _CLOSING)


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # values have no language
    return extract_value(text)


SCENARIO = Scenario(
    name="coco_forward",
    styles=("coco",),
    languages=("python",),
    locales=("en",),
    graded_by=GradedBy.VALUE,
    needs=frozenset({Need.TESTS}),
    items=_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Output of code", "zh": "由代码推输出"},
    protocols=protocols("coco-cu-forward", "understanding: the output of a run", "coco_forward", "CU"),
)
