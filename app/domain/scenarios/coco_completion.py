"""coco_completion: a description and code with blanks become the whole code, checked by tests (CoCo-Bench, CG)."""

from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol
from app.domain.problems import Statement
from app.domain.scenarios import GradedBy, Item, Material, Scenario
from app.domain.scenarios._coco import NAMES, QuestionPart, Shot, code_in, code_of, protocols, question

_OPENING = (
    "Complete the code below so that it does what its description says: put code in the place of every ____, and write "
    "each function that has no body. Keep the rest as it is."
)
_CLOSING = "Give only the whole code, completed, in {language}, in one fence. Write nothing else."
_DESCRIPTION, _CODE = "The description:", "The incomplete code:"
_SHOTS = (
    Shot(
        (QuestionPart(_DESCRIPTION, "Return the sum of the even numbers of a list."),
         QuestionPart(_CODE, "def evens(numbers):\n    total = 0\n    for number in numbers:\n        if ____:\n"
              "            total += number\n    return ____", "python")),
        "```python\ndef evens(numbers):\n    total = 0\n    for number in numbers:\n        if number % 2 == 0:\n"
        "            total += number\n    return total\n```",
    ),
    Shot(
        (QuestionPart(_DESCRIPTION, "Return a name with an exclamation mark behind it."),
         QuestionPart(_CODE, "def greet(name):", "python")),
        '```python\ndef greet(name):\n    return name + "!"\n```',
    ),
)  # fmt: skip


def _items(material: Material) -> tuple[Item, ...]:
    """Return one item in the language of the code; none without code."""
    language, _code = code_of(material.statement)
    return (Item(language=language),) if language else ()


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:  # noqa: ARG001  # the code says it all
    language, code = code_of(statement)
    parts = (QuestionPart(_DESCRIPTION, statement.text.strip()), QuestionPart(_CODE, code.rstrip(), language))
    return question(_OPENING, _SHOTS, parts, _CLOSING.format(language=NAMES[language]))


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # every language of the set
    return code_in(text)


SCENARIO = Scenario(
    name="coco_completion",
    styles=("coco",),
    languages=("python",),
    locales=("en",),
    graded_by=GradedBy.TESTS,
    items=_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Completion of code", "zh": "代码补全"},
    protocols=protocols("coco-cg", "generation: blanks and functions", "coco_completion", "CG"),
)
