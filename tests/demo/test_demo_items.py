"""The demo models know the house league's items in the forms of suites by their prompts alone."""

from pathlib import Path

import pytest
from support.files import READ_AT

from app.domain.asking.protocols import HOUSE_BIGCODE, HOUSE_COCO, Protocol
from app.domain.judging.non_program_answers import ExpectedValue, judge_value
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import GradedBy, house_protocols, scenarios
from scrapers.suites.house import League, load_demo_models, load_league
from workers.demo.items import items_by_prompt, material_of
from workers.demo.replies import item_reply

FOLDER = Path(__file__).resolve().parents[2] / "league"
PROTOCOLS = {each.slug: each for each in house_protocols() if {HOUSE_COCO, HOUSE_BIGCODE} & set(each.covers.sources)}


@pytest.fixture(scope="module")
def league() -> League:
    return load_league(FOLDER, READ_AT)


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_they_answer_every_item_right_and_wrong(league: League, protocol: Protocol) -> None:
    models = load_demo_models(FOLDER)
    scenario = scenarios()[protocol.scenario]
    asked = [each for each in items_by_prompt(league.items).values() if each.name.endswith(f" {protocol.slug}")]
    assert len(asked) >= 4
    for each in asked:
        replies = [item_reply(model, None, each, seed) for model in models for seed in range(20)]
        read = [scenario.extract(reply.text, protocol).code for reply in replies if reply.finish == "stop"]
        sure = scenario.extract(_plain(each.right.text, each.right.fence), protocol)
        assert sure.followed_format
        assert 0 < sum(code == sure.code for code in read) < len(read), each.name


def test_values_and_reviews_of_theirs_are_judged_as_meant(league: League) -> None:
    items = {item.name: item for item in league.items}
    for each in items_by_prompt(league.items).values():
        source, name, slug = each.name.split()
        protocol, item = PROTOCOLS[slug], items[f"{source} {name}"]
        scenario = scenarios()[protocol.scenario]
        if scenario.graded_by is not GradedBy.VALUE:
            continue
        (one,) = scenario.items(material_of(item.problem))
        truth = scenario.truth(one)
        assert isinstance(truth, ExpectedValue)
        read = [
            scenario.extract(answer.text, protocol).code for answer in (each.right, each.wrong(0.1), each.wrong(0.9))
        ]
        verdicts = [judge_value(code, truth).verdict for code in read]
        assert verdicts == [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER], each.name


def _plain(text: str, fence: str) -> str:
    return f"```{fence}\n{text}\n```" if fence else text
