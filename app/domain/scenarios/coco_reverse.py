"""coco_reverse: code and its output become an input; any that gives that output is right (CU reverse)."""

from app.domain.asking.answer_values import extract_arguments
from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol
from app.domain.judging.non_program_answers import CLOSE_NUMBERS, is_ordered
from app.domain.judging.preimages import Preimage
from app.domain.problems import Checker, CheckerKind, Statement
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
    render_literal,
)

_OPENING = (
    "Work out an input for which the code below gives the output below. Where several inputs do, any of them is right. "
    "Take the code as it is, whether or not it seems right."
)
_CLOSING = (
    "Give only the input: each argument on a line of its own, as `name = value`, its value one literal. Arrays, "
    "tensors and tuples are written as lists; a query's input is each of its tables, a list of rows, each row an "
    "object. Write nothing else."
)
_OUTPUT = "The output:"
_SHOTS = (
    Shot(
        (QuestionPart(CALLED.format(name="shifted"), SHIFTED, "python"),
         QuestionPart(_OUTPUT, "[6, 10, 3]")),
        "numbers = [4, 8, 1]\nby = 2",
    ),
    Shot(
        (QuestionPart(CALLED.format(name="greet"), GREET, "python"),
         QuestionPart(_OUTPUT, "'Ada!'")),
        'name = "Ada"',
    ),
)  # fmt: skip


def _items(material: Material) -> tuple[Item, ...]:
    """Return the first test's output, if there is a right program with parameters that can be run on answers."""
    statement = material.statement
    language, code = code_of(statement)
    if not language or not material.tests or not material.programs or statement.entry is None:
        return ()
    if not statement.entry.params:
        return ()
    value, program = material.tests[0].expected, material.programs[0]
    checker = Checker(CheckerKind.UNORDERED) if language == "sql" and not is_ordered(code) else CLOSE_NUMBERS
    preimage = Preimage(program.code, statement.entry, value, program.language, checker, statement.limits)
    return (Item(0, {"output": render_literal(language, value)}, value, preimage=preimage),)


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:  # noqa: ARG001  # one style
    return question(_OPENING, _SHOTS, (code_part(statement), QuestionPart(_OUTPUT, item.facts["output"])), _CLOSING)


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # values have no language
    return extract_arguments(text)


SCENARIO = Scenario(
    name="coco_reverse",
    styles=("coco",),
    languages=("python",),
    locales=("en",),
    graded_by=GradedBy.INPUT,
    needs=frozenset({Need.TESTS, Need.PROGRAMS}),
    items=_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Input of code", "zh": "由输出推输入"},
    protocols=protocols("coco-cu-reverse", "understanding: an input for an output", "coco_reverse", "CU"),
)
