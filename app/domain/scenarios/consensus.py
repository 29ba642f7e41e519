"""setting: a statement becomes the parts of a test suite, asked of models that act as setters. Ranked nowhere.

Each item is a role with its ordinal. No answer is judged alone: setters' programs are compared with each other by
consensus, and this scenario stores the fenced block of an answer.
"""

from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol, ProtocolScope, Sampling
from app.domain.consensus.answers import SetterRole, last_block
from app.domain.consensus.prompts import REVISION, prompt, setter_tasks
from app.domain.consensus.rounds import MOST_ROUNDS
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Material, Scenario
from app.domain.states import ProblemState


def _items(material: Material) -> tuple[Item, ...]:
    return tuple(
        Item(number, {"role": role.value, "ordinal": ordinal})
        for number, (role, ordinal) in enumerate(setter_tasks(material.statement.form))
    )


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:  # noqa: ARG001  # all are asked alike
    if "role" not in item.facts:
        raise InvalidInput("setting asks for a role, and this item names none")
    return prompt(statement, SetterRole(item.facts["role"]), item.facts["ordinal"], item.again)


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # whatever language it is in
    fenced = last_block(text)
    return Extraction(None if fenced is None else fenced.code, followed_format=fenced is not None)


SCENARIO = Scenario(
    name="setting",
    styles=("roles",),
    languages=("python",),
    locales=("en",),
    graded_by=GradedBy.NOTHING,
    items=_items,
    prompt=_prompt,
    extract=_extract,
    states=frozenset({ProblemState.CHECKED}),
    untested=True,
    rounds=MOST_ROUNDS,
    ranked=False,
    protocols=(
        Protocol(
            slug="setting",
            title="Setting: what tests are made of",
            scenario="setting",
            style="roles",
            prompt_revision=REVISION,
            sampling=Sampling(n=1, temperature=0.2, top_p=0.95, max_tokens=32768),
            covers=ProtocolScope(forms=(Form.STDIN, Form.FUNCTION, Form.INTERACTIVE)),
        ),
    ),
)
