"""A model's page: one protocol at a time, its place on that board, its newest answers, and all of them page by page."""

import html
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest
from factories import World
from sqlalchemy import event, select

from app.db.kernel.session import Session
from app.db.tables import CellRow, Problem, Run
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import shipped_protocols
from app.domain.states import ProblemState
from app.services.boards.cubes import CubeStore
from app.services.evidence import model_profile
from app.services.runs.result_views import CellFilter

SLUGS = ("house", "house-samples", "house-codeelo", "house-codeelo-open")


@pytest.fixture
def problems(world: World) -> list[Problem]:
    """Twenty-five problems, a day apart, in two topics and three levels."""
    return [
        world.problem(
            f"p{n:02}", day=date(2026, 1, 1) + timedelta(days=n), contest=f"c{n}", level=1 + n % 3,
            topics=["graphs" if n % 2 else "sorting"],
        )
        for n in range(25)
    ]  # fmt: skip


def rows_of(page: str) -> list[str]:
    """The names of the problems in the list of answers."""
    answers = page.partition('id="m-answers"')[2].partition("</table>")[0]
    return re.findall(r'<th scope="row"><a href="/en/problems/house/(\w+)', answers)


def stats_of(page: str) -> dict[str, tuple[str, str]]:
    """The big numbers of a page with their notes, by label."""
    found = re.findall(r'<dt>(.+?)</dt><dd class="value">(.*?)</dd>(?:<dd class="note">(.*?)</dd>)?', page)
    return {label: (value, note) for label, value, note in found}


def links_of(page: str) -> set[str]:
    """The links of a page to pages of this site."""
    return {html.unescape(link) for link in re.findall(r'href="(/(?:en|zh|api)/[^"#]*)', page)}


def test_one_protocol_is_shown_at_a_time_with_its_newest_answers(
    world: World, client: httpx.Client, problems: list[Problem]
) -> None:
    model = world.model("tern")
    for slug in SLUGS:
        run = world.run(model, protocol=shipped_protocols()[slug])
        for problem in problems if slug == "house" else problems[:1]:
            world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get("/en/models/tern").text
    assert page.count("25 of 25 judged answers accepted, on 25 problems.") == 1
    assert rows_of(page) == [f"p{n:02}" for n in range(24, 4, -1)]
    assert stats_of(page)["Problems judged"][0] == "25/25"
    others = {f"/en/models/tern?protocol={slug}" for slug in SLUGS[1:]}
    assert others <= links_of(page)
    for link in others:
        other = client.get(link).text
        assert (rows_of(other), "1 of 1 judged answers accepted, on 1 problems." in other) == (["p00"], True), link
    assert client.get("/en/models/tern?protocol=lcb").status_code == 422, "it has no run under that one"
    for skills in ("graphs", "sorting", "easy", "medium", "hard"):
        assert skills in page.partition('id="m-skills"')[2].partition("</section>")[0]


def test_every_link_of_a_model_under_every_protocol_leads_somewhere(
    world: World, client: httpx.Client, problems: list[Problem]
) -> None:
    model = world.model("tern")
    for protocol in shipped_protocols().values():
        world.answer(world.run(model, protocol=protocol), problems[0], Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get("/en/models/tern").text
    menu = {link for link in links_of(page) if link.startswith("/en/models/tern?protocol=")}
    boards = set[str]()
    for link in (*menu, "/en/models/tern"):
        boards |= {
            each for each in links_of(client.get(link).text) if each.split("?")[0] == "/en/" or "/boards/" in each
        }
    assert len(menu) >= 25
    assert len({each for each in boards if each.startswith("/en/boards/")}) > 20
    wrong = {each: client.get(each).status_code for each in boards}
    assert {each: status for each, status in wrong.items() if status != 200} == {}
    assert client.get("/en/boards/codegen?protocol=house-hack").status_code == 422, "another board's protocol is named"


def test_all_answers_of_a_configuration_come_page_by_page(
    world: World, client: httpx.Client, problems: list[Problem]
) -> None:
    run = world.run("tern")
    for problem in problems:
        world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    early = {"state": ProblemState.CATALOGUED, "released_on": datetime(2025, 6, 1, tzinfo=UTC)}
    many = [
        Problem(source_id=problems[0].source_id, external_id=f"q{n}", title=f"q{n}", **early) for n in range(50)
    ]  # fmt: skip
    world.session.add_all(many)
    world.session.flush()
    counts = {"item": 0, "n": 1, "c": 1, "pending": 0, "judge_errors": 0, "revision": 1}
    world.session.add_all([CellRow(run_id=run.id, problem_id=each.id, **counts) for each in many])
    world.session.commit()
    page = client.get("/en/models/tern").text
    assert "Problems 1 to 20 of 75." in page
    more = "/en/models/tern?protocol=house&configuration="
    assert more in links_of(page)
    newest = client.get(more).text
    assert (len(rows_of(newest)), "Problems 1 to 30 of 75." in newest, "Newest<" in newest) == (30, True, False)
    assert f"{more}&skip=30" in links_of(newest)
    oldest = client.get(f"{more}&skip=60").text
    assert (len(rows_of(oldest)), "Problems 61 to 75 of 75." in oldest, "Older<" in oldest) == (15, True, False)
    assert more in links_of(oldest)
    assert "No more problems." in client.get(f"{more}&skip=75").text
    assert [client.get(f"{more}&skip={bad}").status_code for bad in ("-1", "x", "9" * 19)] == [422] * 3
    assert [client.get(f"/en/models/tern?trial={bad}").status_code for bad in ("x", "7")] == [422] * 2
    assert client.get(f"{more}&configuration=high").status_code == 422, "two configurations are one too many"
    assert client.get("/en/models/tern?configuration=high").status_code == 422, "it has no such configuration"


def test_a_model_without_a_rank_says_why(world: World, client: httpx.Client, problems: list[Problem]) -> None:
    clean, seen, partly = (
        world.run(slug, cutoff_on=cutoff)
        for slug, cutoff in (("tern", date(2025, 1, 1)), ("heron", date(2026, 12, 1)), ("pipit", date(2025, 1, 1)))
    )
    for problem in problems:
        world.answer(clean, problem, Verdict.ACCEPTED)
        world.answer(seen, problem, Verdict.WRONG_ANSWER)
    world.answer(partly, problems[0], Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    ranks = {slug: stats_of(client.get(f"/en/models/{slug}").text)["Rank"] for slug in ("tern", "heron", "pipit")}
    assert ranks == {
        "tern": ("1", "of 1 ranked row"),
        "heron": ("—", "no rank: may have seen some of these problems"),
        "pipit": ("—", "no rank: less than 95% of these problems judged"),
    }
    assert stats_of(client.get("/zh/models/heron").text)["名次"][0] == "—"


def test_configurations_stand_side_by_side_in_the_order_of_the_board(
    world: World, client: httpx.Client, problems: list[Problem]
) -> None:
    model = world.model("tern", cutoff_on=date(2025, 1, 1))
    for effort, every in (("low", 3), ("high", 1)):
        run = world.run(model, configuration={"effort": effort})
        for n, problem in enumerate(problems):
            world.answer(run, problem, Verdict.WRONG_ANSWER if n % every else Verdict.ACCEPTED, cost_usd=0.01)
    world.count()
    world.session.commit()
    page = client.get("/en/models/tern").text
    table = page.partition('id="m-runs"')[2].partition("</table>")[0]
    assert re.findall(r'<th scope="row"><(?:b|a href="[^"]*")>(\w+)', table) == ["high", "low"]
    assert stats_of(page)["Score (pass@1)"][0] == "100.0", "the better one is shown first"
    assert stats_of(page)["Cost per problem"] == ("$0.0100", "$0.0100 per solved problem")
    low = client.get("/en/models/tern?protocol=house&configuration=low").text
    assert stats_of(low)["Score (pass@1)"][0] == "36.0"
    assert stats_of(low)["Cost per problem"] == ("$0.0100", "$0.0278 per solved problem")


def test_filters_of_a_board_list_the_answers_behind_its_number(
    world: World, client: httpx.Client, problems: list[Problem]
) -> None:
    run = world.run("tern")
    for problem in problems:
        world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    base = "/en/models/tern?protocol=house&configuration="
    page = client.get(f"{base}&difficulty=medium&from=2026-01-10").text
    assert rows_of(page) == [f"p{n:02}" for n in range(22, 9, -3)]
    assert {f"{base}&from=2026-01-10", f"{base}&difficulty=medium"} <= links_of(page), "each can be removed"
    assert "difficulty: medium" in page
    standing = world.session.scalars(select(Run.id)).one()
    assert run.id == standing


def statements_of(session: Session, work: Callable[[], object]) -> int:
    """The number of statements that a piece of work sends to the database."""
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        sent.append(statement)

    engine = session.connection().engine
    event.listen(engine, "before_cursor_execute", note)
    work()
    event.remove(engine, "before_cursor_execute", note)
    return len(sent)


def test_more_protocols_and_configurations_take_no_more_statements(
    world: World, problems: list[Problem], tmp_path: Path
) -> None:
    cubes, cells = CubeStore(tmp_path), CellFilter(limit=20)
    for slug, protocols, efforts in (("few", 1, 2), ("many", 25, 6)):
        model = world.model(slug, cutoff_on=date(2025, 1, 1))
        for protocol in islice(shipped_protocols().values(), protocols):
            for effort in range(efforts):
                run = world.run(model, protocol=protocol, configuration={"effort": f"e{effort}"})
                world.answer(run, problems[effort])
    world.count()
    counts = []
    for slug in ("few", "many", "few", "many"):
        world.session.expire_all()
        counts.append(
            statements_of(
                world.session,
                partial(model_profile.model_profile, world.session, slug, cubes, cells, date(2026, 11, 20)),
            )
        )
    assert 20 < counts[2] == counts[3] < 40, counts
