"""A model's page: every run in short, and each at length on its own."""

from datetime import UTC, date, datetime, timedelta

import httpx
from factories import World
from sqlalchemy import select

from app.db.tables import CellRow, Problem, Run
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import shipped_protocols
from app.domain.states import ProblemState

ROW = '<th scope="row">'


def test_a_model_of_many_runs_shows_the_newest_problems_of_each_and_leads_on(
    world: World, client: httpx.Client
) -> None:
    problems = [world.problem(f"p{n:02}", day=date(2026, 1, 1) + timedelta(days=n)) for n in range(25)]
    model = world.model("tern")
    for slug in ("house", "house-samples", "house-codeelo", "house-codeelo-open"):
        run = world.run(model, protocol=shipped_protocols()[slug])
        for problem in problems if slug == "house" else problems[:1]:
            world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get("/en/models/tern").text
    assert page.count("25 of 25 judged answers accepted") == 2, "in the list of runs and in the run's own part"
    own = page.partition("House league: Python, one answer </h2>")[2].partition("</section>")[0]
    assert (own.count(ROW), "p24" in own, "p04" in own) == (20, True, False)
    assert "Showing 20 of 25 problems" in own
    more = own.partition("Showing 20 of 25")[0].rpartition('<a href="')[2].partition('"')[0].replace("&amp;", "&")
    alone = client.get(more).text
    assert more == "/en/models/tern?protocol=house&configuration="
    assert (alone.count(ROW), alone.count('<section class="run"')) == (25, 1)
    owner, standing = problems[0].source_id, world.session.scalars(select(Run.id).order_by(Run.id)).first()
    early = {"state": ProblemState.CATALOGUED, "released_on": datetime(2025, 6, 1, tzinfo=UTC)}
    many = [Problem(source_id=owner, external_id=f"q{n}", title=f"q{n}", **early) for n in range(200)]
    world.session.add_all(many)
    world.session.flush()
    counts = {"item": 0, "n": 1, "c": 1, "pending": 0, "judge_errors": 0, "revision": 1}
    world.session.add_all([CellRow(run_id=standing, problem_id=each.id, **counts) for each in many])
    world.session.commit()
    newest = client.get(more).text
    assert (newest.count(ROW), "Newest" in newest) == (200, False)
    older = newest.partition("Problems 1 to 200 of 225.")[2].partition('<a href="')[2].partition('"')[0]
    assert older == f"{more.replace('&', '&amp;')}&amp;skip=200"
    oldest = client.get(f"{more}&skip=200").text
    assert (oldest.count(ROW), "Problems 201 to 225 of 225." in oldest, "Older" in oldest) == (25, True, False)
    assert "No more problems." in client.get(f"{more}&skip=225").text
    assert [client.get(f"{more}&skip={bad}").status_code for bad in ("-1", "x", "9" * 19)] == [422] * 3
    rows = client.get("/en/problems/house/p00?skip=1").text
    assert (rows.count(ROW), "Rows 2 to 4 of 4." in rows, "Next" in rows) == (3, True, False), "runs of four protocols"
    assert 'href="/en/problems/house/p00">First' in rows
    for n in range(3):
        world.run(model, protocol=shipped_protocols()["house"], configuration={"reasoning_effort": f"e{n}"})
    world.session.commit()
    assert "Showing 5 of 225 problems" in client.get("/en/models/tern").text, "of many runs a taste of each"
    page = client.get("/en/models/tern?protocol=house").text
    assert f'<a href="{more.replace("&", "&amp;")}">Showing 200 of 225' in page, "a protocol's runs each have a page"
    for trial in range(2, 9):
        world.run(model, protocol=shipped_protocols()["house"], trial=trial)
    world.session.commit()
    trials = client.get(more).text
    assert (trials.count('<section class="run"'), trials.count(ROW)) == (8, 200)
    assert "Problems 1 to 200 of 225." in trials
