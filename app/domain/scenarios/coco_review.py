"""coco_review: code becomes the findings of a review, by category, compared with the true lines (CoCo-Bench, CR)."""

import json
from typing import Any

from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol
from app.domain.asking.reasoning import without_reasoning
from app.domain.judging.reviews import CATEGORIES, ReviewFaults, ReviewFinding, judge_review, read_review
from app.domain.problems import Statement
from app.domain.scenarios import GradedBy, Item, Material, Need, Scenario
from app.domain.scenarios._coco import QuestionPart, Shot, code_of, protocols, question

_OPENING = (
    "Review the code below, whose description comes before it. Find every fault of these kinds: performance_issues, "
    "security_issues, syntax_errors, logical_errors and irregular_naming. A name that is not defined, or misspelt, "
    "is among the syntax_errors."
)
_CLOSING = (
    "Give one JSON object and nothing else. Its keys are the kinds of which there are faults, and no others; each "
    'holds a list of {"line": the faulty line as it stands in the code, "fix": what is to stand in its place}.'
)
_DESCRIPTION, _CODE = "The description:", "The code:"
_SHOT = Shot(
    (QuestionPart(_DESCRIPTION, "Function that runs what a user typed, and misspells a name."),
     QuestionPart(_CODE, "def run(text):\n    value = eval(text)\n    return valu", "python")),
    '{"security_issues": [{"line": "value = eval(text)", "fix": "value = ast.literal_eval(text)"}], '
    '"syntax_errors": [{"line": "return valu", "fix": "return value"}]}',
)  # fmt: skip


def _items(material: Material) -> tuple[Item, ...]:
    """Return the code, if a test holds the truth of its review."""
    if not material.tests or not isinstance(material.tests[0].expected, str):
        return ()
    test = material.tests[0]
    try:
        truth = ReviewFaults.of(json.loads(test.expected))
    except ValueError:
        return ()
    return (Item(0, {}, {"code": test.input, **truth.as_json()}, rule=_check_review),)


def _check_review(answer: str, expected: Any) -> tuple[bool, str]:
    review = {name: [ReviewFinding(*pair) for pair in pairs] for name, pairs in json.loads(answer).items()}
    judged = judge_review(review, ReviewFaults(expected["lines"], expected["optional"]), expected["code"])
    score = f"F1 of the categories {judged.f1:.2f}, lines of {judged.matched} of {len(expected['lines'])} right"
    return judged.right, f"{score}; wrong: {judged.fault}" if judged.fault else score


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:  # noqa: ARG001  # the code says it all
    language, code = code_of(statement)
    parts = (QuestionPart(_DESCRIPTION, statement.text.strip()), QuestionPart(_CODE, code.rstrip(), language))
    return question(_OPENING, (_SHOT,), parts, _CLOSING)


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # reviews have no language
    """Return the findings as {category: [[line, fix], ...]}."""
    parsed = read_review(without_reasoning(text))
    if parsed is None:
        return Extraction(None, followed_format=False)
    pairs = {name: [list(finding) for finding in parsed.review[name]] for name in CATEGORIES if name in parsed.review}
    return Extraction(json.dumps(pairs, ensure_ascii=False), followed_format=parsed.strict)


SCENARIO = Scenario(
    name="coco_review",
    styles=("coco",),
    languages=("python",),
    locales=("en",),
    graded_by=GradedBy.VALUE,
    needs=frozenset({Need.TESTS}),
    items=_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Code review", "zh": "代码审查"},
    protocols=protocols("coco-cr", "review: faults by category", "coco_review", "CR"),
)
