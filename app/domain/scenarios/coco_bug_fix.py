"""coco_bug_fix: a description and code with a bug become the corrected code, checked by tests (CoCo-Bench, CM).

Style coco shows the code alone, style coco-error also how it fails: the input of a public test, the expected output,
and the result of the run. Style coco-api shows code that uses a removed part of an API, and the change of the API.
"""

from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol
from app.domain.errors import InvalidInput
from app.domain.problems import CHANGE, FAILURE, Statement
from app.domain.scenarios import GradedBy, Item, Material, Scenario
from app.domain.scenarios._coco import NAMES, QuestionPart, Shot, code_in, code_of, protocols, question

_OPENING = (
    "The code below is to do what its description says, but has a bug. Correct it, and change nothing else. Its "
    "comments may say where the bug is, or not."
)
_CLOSING = "Give only the whole code, corrected, in {language}, in one fence. Write nothing else."
_DESCRIPTION, _CODE, _FAILURE = "The description:", "The code:", "How it fails:"
_SHOT = Shot(
    (QuestionPart(_DESCRIPTION, "Return the last number of a list."),
     QuestionPart(_CODE, "def last(numbers):\n    return numbers[len(numbers)]", "python")),
    "```python\ndef last(numbers):\n    return numbers[len(numbers) - 1]\n```",
)  # fmt: skip
_API_OPENING = (
    "The code below did what its description says until an API that it uses changed. Update it to the API as it is "
    "now, and change nothing else."
)
_CHANGE = "What changed:"
_API_SHOT = Shot(
    (
        QuestionPart(_DESCRIPTION, "Return the number of calendar days from one day to another."),
        QuestionPart(
            _CODE, "import almanac\n\ndef days(first, last):\n    return almanac.between(first, last)", "python"
        ),
        QuestionPart(
            _CHANGE, "almanac 3 has no between(a, b): almanac.span(a, b) gives an object whose days are that number."
        ),
    ),
    "```python\nimport almanac\n\ndef days(first, last):\n    return almanac.span(first, last).days\n```",
)
_FAILURE_EXAMPLE = "Input:\nnumbers = [4, 8]\nExpected: 8\nIt ended with IndexError: list index out of range"


def _items(material: Material) -> tuple[Item, ...]:
    """Return the code, how it fails and what changed, as far as known."""
    language, _code = code_of(material.statement)
    facts = {name: material.statement.starter_code.get(name, "") for name in (FAILURE, CHANGE)}
    return (Item(0, facts, language=language),) if language else ()


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:
    """Return the question. Raises InvalidInput if a failure or a change is to be shown and none is known."""
    language, code = code_of(statement)
    parts = [QuestionPart(_DESCRIPTION, statement.text.strip()), QuestionPart(_CODE, code.rstrip(), language)]
    opening, shot = _OPENING, _SHOT
    if protocol.style == "coco-error":
        if not item.facts[FAILURE]:
            raise InvalidInput(f"{statement.problem}: how its code fails is not known")
        parts.append(QuestionPart(_FAILURE, item.facts[FAILURE], ""))
        shot = Shot((*_SHOT.parts, QuestionPart(_FAILURE, _FAILURE_EXAMPLE, "")), _SHOT.answer)
    elif protocol.style == "coco-api":
        if not item.facts[CHANGE]:
            raise InvalidInput(f"{statement.problem}: what changed in an API is not known")
        parts.append(QuestionPart(_CHANGE, item.facts[CHANGE]))
        opening, shot = _API_OPENING, _API_SHOT
    return question(opening, (shot,), parts, _CLOSING.format(language=NAMES[language]))


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # every language of the set
    return code_in(text)


_BARE = protocols("coco-cm", "modification: a bug", "coco_bug_fix", "CM")
_WITH_FAILURE = protocols(
    "coco-cm-error", "modification: a bug and how it fails", "coco_bug_fix", "CM", style="coco-error"
)
_API = protocols("coco-cm-api", "modification: a changed API", "coco_bug_fix", "API", style="coco-api")

SCENARIO = Scenario(
    name="coco_bug_fix",
    styles=("coco", "coco-error", "coco-api"),
    languages=("python",),
    locales=("en",),
    graded_by=GradedBy.TESTS,
    items=_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Bug fix", "zh": "修复缺陷"},
    protocols=(_BARE[0], _WITH_FAILURE[0], _API[0], _BARE[1], _WITH_FAILURE[1], _API[1]),
)
