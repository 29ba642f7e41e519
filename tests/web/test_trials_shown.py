"""A model's page shows all its trials: which of them stands, which came later, and how far they lie apart."""

import re
from datetime import timedelta

from factories import NOW, World
from httpx import Client
from sqlalchemy import select

from app.db.tables import Run
from app.domain.judging.verdicts import Verdict


def trials_of(client: Client) -> list[str]:
    """The names of the model's runs, in the order of its page."""
    page = client.get("/en/models/tern").text
    table = page.partition('id="m-runs"')[2].partition("</table>")[0]
    names = re.findall(r'<th scope="row"><(?:b|a href="[^"]*")>(.+?)<', table)
    return [name.removeprefix("default · ").removesuffix(" · trial 1") for name in names]


def test_later_trials_and_their_spread_are_on_the_model_s_page(world: World, client: Client) -> None:
    problems = [world.problem(name) for name in "abcd"]
    model = world.model("tern")
    for trial, right, sent, voided in ((1, 0, 1, 2), (2, 1, 3, None), (3, 3, 2, None)):
        run = world.run(model, trial=trial)
        run.bound_at = NOW + timedelta(hours=sent)
        run.voided_at = None if voided is None else NOW + timedelta(hours=voided)
        for place, problem in enumerate(problems):
            world.answer(run, problem, Verdict.ACCEPTED if place < right else Verdict.WRONG_ANSWER)
    only = world.run(model, configuration={"effort": "high"})
    world.answer(only, problems[0])
    world.count()
    runs = client.get("/api/v1/models/tern").json()["runs"]
    assert [(run["trial"], run["configuration"], run["standing"]) for run in runs] == [
        (3, "", "stands"), (2, "", "later_trial"), (1, "", "voided"), (1, "high", "stands"),
    ]  # fmt: skip
    spread = {"trials": 2, "problems": 4, "lo": 25.0, "hi": 75.0}
    assert [run["spread"] and {name: run["spread"][name] for name in spread} for run in runs] == [
        spread, None, None, None,
    ]  # fmt: skip
    english, chinese = (
        "".join(client.get(f"/{locale}/models/tern?configuration=&trial={trial}").text for trial in (1, 2, 3))
        for locale in ("en", "zh")
    )
    for words in (
        "2 trials, on the 4 problems judged in all of them: scores from 25.0 to 75.0, standard deviation 35.4 points.",
        "the first trial that was answered counts",
        "A maintainer voided this trial",
    ):
        assert english.count(words) == 1, words
    for words in ("得分介于 25.0 与 75.0 之间，标准差为 35.4 分", "以最先得到回答的那次评测为准", "已将该次评测作废"):
        assert chinese.count(words) == 1, words
    assert trials_of(client) == ["trial 3", "high", "trial 2", "trial 1"]
    for trial in (2, 1):
        run = world.session.scalars(select(Run).where(Run.trial == trial, Run.configuration_key == "")).one()
        run.voided_at, run.bound_at = None, NOW if trial == 2 else None
    world.count()
    assert trials_of(client)[0] == "trial 2", "the trial that stands comes first"
