"""Whatever moves a public score otherwise than by answers that come, the ledger has its before, its after and why."""

import json
from datetime import date, timedelta
from typing import Any

import httpx
from factories import World
from served import NO_AUTHORITIES
from sqlalchemy import text
from support.commands import tidemark
from support.files import board_row, board_text, read, write

from app.db.kernel.revision import mark_axes_changed
from app.db.runs.runs import ensure_endpoint
from app.db.tables import Problem, Run
from app.domain.asking.protocols import FRESH, LCB
from app.domain.judging.verdicts import Verdict
from app.domain.reasons import Reason
from app.domain.states import RunOrigin, RunState
from app.services.boards import score_changes
from app.services.problems import quarantine
from app.services.runs import announcements, imports, models
from app.services.runs.control import run_control
from app.services.runs.cutoffs import CutoffFacts
from workers import tasks
from workers.context import Context, now

FIRST = date(2026, 6, 1)


def lines(url: str, **params: str) -> list[dict[str, Any]]:
    """What the public ledger says of scores, oldest first."""
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        answer = client.get("/api/v1/ledger", params={"kind": "score.changed", **params})
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["data"]
        return found[::-1]


def moved(line: dict[str, Any]) -> tuple[Any, ...]:
    """Whose score, from what to what, and why."""
    return line["subject"], line["before"]["score"], line["after"]["score"], line["reason"]


def four_problems(ctx: Context, *, imported: bool = False) -> list[int]:
    """Two models on four problems: orion passes the first two, lyra the first three."""
    with ctx.sessions.begin() as session:
        world = World(session, LCB if imported else FRESH)
        made = [world.problem(f"p{n}", day=FIRST + timedelta(days=n), source="atcoder") for n in range(4)]
        for model, passed in (("orion", 2), ("lyra", 3)):
            run = world.run(model, origin=RunOrigin.IMPORTED if imported else RunOrigin.OWN)
            for place, problem in enumerate(made):
                if imported:
                    world.imported(run, problem, 1, int(place < passed), place + 1)
                else:
                    world.answer(run, problem, Verdict.ACCEPTED if place < passed else Verdict.WRONG_ANSWER)
        world.count()
        ids = [problem.id for problem in made]
    tasks.aggregate()
    return ids


def withdraw(ctx: Context, problem: int, reason: str) -> None:
    with ctx.sessions.begin() as session:
        quarantine.withdraw(session, session.get_one(Problem, problem), "operator", reason, now())


def withdraw_run(ctx: Context, number: int) -> None:
    with ctx.sessions.begin() as session:
        run = session.get_one(Run, number)
        run.state = RunState.RETIRED
        announcements.announce_withdrawal(session, run, "fresh", "its maker asks for it", now())
        mark_axes_changed(session)


def test_a_problem_that_is_withdrawn_or_comes_back_moves_every_score_on_it(ctx: Context, url: str) -> None:
    ids = four_problems(ctx)
    assert lines(url) == []
    withdraw(ctx, ids[3], "its checker is wrong")
    tasks.aggregate()
    told = lines(url)
    assert sorted(map(moved, told)) == [
        ("lyra", 75.0, 100.0, "its checker is wrong"), ("orion", 50.0, 66.6667, "its checker is wrong"),
    ]  # fmt: skip
    assert told[0]["before"]["protocol"] == "fresh"
    assert (told[1]["before"]["rank"], told[1]["after"]["rank"], told[1]["after"]["problems"]) == (2, 2, 3)
    [cause] = told[0]["after"]["because"]
    assert (cause["kind"], cause["subject"]) == ("problem.withdrawn", "atcoder/p3")
    with ctx.sessions.begin() as session:
        quarantine.quarantine(session, session.get_one(Problem, ids[0]), Reason("hold.audit", cause="x"), {}, now())
    tasks.aggregate()
    with ctx.sessions.begin() as session:
        problem = session.get_one(Problem, ids[0])
        quarantine.release(session, problem, "operator", "they do not", now())
    tasks.aggregate()
    tasks.aggregate()
    assert [moved(line)[1:3] for line in lines(url, subject="orion")] == [
        (50.0, 66.6667),
        (66.6667, 50.0),
        (50.0, 66.6667),
    ]
    assert [moved(line)[1:3] for line in lines(url, subject="lyra")] == [(75.0, 100.0)], "100 without it and with it"
    withdraw(ctx, ids[1], "its tests are wrong")
    with ctx.sessions() as one, ctx.sessions() as other:
        causes = score_changes.causes(one)
        assert score_changes.announce_score_changes(one, ctx.cubes, [], now()) == 0, (
            "it came after one asked what there was"
        )
        assert score_changes.announce_score_changes(one, ctx.cubes, causes, now()) > 0
        other.execute(text("SET LOCAL lock_timeout = '2s'"))
        assert score_changes.announce_score_changes(other, ctx.cubes, causes, now()) == 0, (
            "while one looks, nobody else does"
        )
        one.commit()


def test_problems_of_imported_results_too(ctx: Context, url: str) -> None:
    ids = four_problems(ctx, imported=True)
    withdraw(ctx, ids[0], "not from this contest")
    tasks.aggregate()
    assert sorted(map(moved, lines(url))) == [
        ("lyra", 75.0, 66.6667, "not from this contest"), ("orion", 50.0, 33.3333, "not from this contest"),
    ]  # fmt: skip


def test_the_last_row_of_a_board_is_told_too_when_it_leaves(ctx: Context, url: str) -> None:
    four_problems(ctx)
    for run in (1, 2):
        withdraw_run(ctx, run)
        tasks.aggregate()
    assert [(moved(line)[:3], line["after"]["run"]) for line in lines(url)] == [
        (("orion", 50.0, None), None), (("lyra", 75.0, None), None),
    ]  # fmt: skip


def test_a_cutoff_that_takes_a_rank_is_told_of_that_row_alone(ctx: Context, url: str) -> None:
    four_problems(ctx)
    cutoff = CutoffFacts(FIRST + timedelta(days=1), "https://example.com/card")
    ctx.commit(models.edit_cutoff, "lyra", cutoff, "its card says so", now())
    tasks.aggregate()
    [line] = lines(url)
    assert moved(line) == ("lyra", 75.0, 75.0, "its card says so")
    assert (line["before"]["rank"], line["after"]["rank"]) == (1, None)


def test_what_is_said_of_one_configuration_is_told_of_no_other(ctx: Context, url: str) -> None:
    with ctx.sessions.begin() as session:
        world = World(session, FRESH)
        made, model = [world.problem(f"p{n}", day=FIRST, source="atcoder") for n in range(2)], world.model("orion")
        runs = {effort: world.run(model, configuration={"effort": effort}) for effort in ("low", "high")}
        for run in runs.values():
            world.answer(run, made[0])
            world.answer(run, made[1], Verdict.WRONG_ANSWER)
        world.count()
        ids, low = [problem.id for problem in made], runs["low"].id
    tasks.aggregate()
    withdraw_run(ctx, low)
    withdraw(ctx, ids[1], "its checker is wrong")
    tasks.aggregate()
    assert {line["before"]["configuration"]: line["reason"] for line in lines(url)} == {
        "low": "its maker asks for it; its checker is wrong", "high": "its checker is wrong",
    }  # fmt: skip


def test_answers_that_come_move_scores_without_a_word_and_a_cause_beside_them_is_told_alone(
    ctx: Context, url: str
) -> None:
    ids = four_problems(ctx)
    with ctx.sessions.begin() as session:
        world = World(session, FRESH)
        run = world.run("vega")
        world.answer(run, session.get_one(Problem, ids[0]), Verdict.WRONG_ANSWER)
        world.count()
        number = run.id
    tasks.aggregate()
    assert lines(url) == []
    with ctx.sessions.begin() as session:
        world = World(session, FRESH)
        world.answer(session.get_one(Run, number), session.get_one(Problem, ids[1]), Verdict.ACCEPTED)
        world.count()
    withdraw(ctx, ids[3], "its checker is wrong")
    tasks.aggregate()
    assert {line["subject"] for line in lines(url)} == {"orion", "lyra"}, "vega has no results on it"


def test_a_file_that_replaces_another_is_told(ctx: Context, url: str, tmp_path: Any) -> None:
    def bring(name: str, *passed: float) -> None:
        rows = [board_row("Orion", f"{place}", rate) for place, rate in enumerate(passed)]
        ctx.commit(imports.store_batch, read("lcb-board", write(tmp_path, name, board_text(rows))), now())
        tasks.aggregate()

    bring("first.json", 100.0, 0.0)
    assert lines(url) == []
    bring("second.json", 100.0, 100.0)
    [line] = lines(url)
    assert moved(line)[1:] == (50.0, 100.0, "imported: lcb-board")
    assert (line["before"]["trial"], line["after"]["trial"]) == (1, 2)
    bring("second.json", 100.0, 100.0)
    assert len(lines(url)) == 1, "a file that is here already changes nothing"


def test_a_wider_file_that_takes_or_gives_ranks_is_told_of_those_beside_it(
    ctx: Context, url: str, tmp_path: Any
) -> None:
    def bring(name: str, rows: list[dict[str, Any]]) -> None:
        ctx.commit(imports.store_batch, read("lcb-board", write(tmp_path, name, board_text(rows))), now())
        tasks.aggregate()

    bring("first.json", [board_row(model, f"{place}", 100.0) for model in ("Orion", "Vega") for place in range(2)])
    assert lines(url) == []
    for model in ("orion", "vega"):
        ctx.commit(
            models.edit_cutoff,
            model,
            CutoffFacts(date(2020, 1, 1), "https://example.com/card"),
            "its card",
            now(),
        )
    tasks.aggregate()
    before = len(lines(url))
    bring("wide.json", [board_row("Lyra", f"{place}", 100.0) for place in range(40)])
    told = lines(url)[before:]
    assert [(*moved(line), line["before"]["rank"], line["after"]["rank"]) for line in told] == [
        (model, 100.0, 100.0, "imported: lcb-board", 1, None) for model in ("orion", "vega")
    ]
    assert (told[0]["before"]["coverage"], told[0]["after"]["coverage"]) == (1.0, 0.05)
    [cause] = told[0]["after"]["because"]
    assert (cause["kind"], cause["subject"]) == ("model.added", "lyra")


def test_a_void_that_lets_a_ninth_configuration_in_is_told_of_that_one(ctx: Context, url: str) -> None:
    with ctx.sessions.begin() as session:
        world = World(session, FRESH)
        problem, model = world.problem("p", day=FIRST, source="atcoder"), world.model("orion")
        served_at = {
            "backend": "openai_chat",
            "remote_name": "x",
            "base_url": "https://a.example",
            "max_concurrency": 1,
        }
        endpoint = ensure_endpoint(session, model.id, served_at | {"max_concurrency": 1}).id
        for place in range(10):
            run = world.run(model, configuration={"effort": f"e{place}"})
            run.created_at = world.now + timedelta(minutes=place)
            run.endpoint_id, run.bound_at = endpoint, run.created_at
            world.answer(run, problem)
        world.count()
    tasks.aggregate()
    assert lines(url) == []
    ctx.commit(run_control.void, 1, "our template was wrong", now())
    tasks.aggregate()
    left, came = lines(url)
    assert [(line["before"]["configuration"], line["reason"]) for line in (left, came)] == [
        ("e0", "our template was wrong"), ("e8", "our template was wrong"),
    ]  # fmt: skip
    assert (left["before"]["run"], left["after"]["run"]) == (1, None)
    assert (came["before"]["rank"], came["after"]["rank"]) == (None, 1)
    assert came["after"]["because"][0]["kind"] == "score.voided"


def test_page_feed_and_export_show_it(ctx: Context, url: str) -> None:
    ids = four_problems(ctx)
    withdraw(ctx, ids[3], "its checker is wrong")
    tasks.aggregate()
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        page, seite = (client.get(f"/{locale}/changes?kind=score.changed").text for locale in ("en", "zh"))
        feeds = [client.get(f"/feeds/changes.{form}").text for form in ("atom", "json")]
    for word in ("score changed", "score 75.00 → 100.00", "rank 1", "problem withdrawn", "subject=atcoder%2Fp3"):
        assert word in page, word
    assert "成绩变动" in seite
    assert "得分 75.00 → 100.00" in seite
    assert all("75.00 → 100.00" in feed for feed in feeds)
    done = tidemark(ctx.settings, "export", "ledger")
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    [row] = [row for row in rows if (row["kind"], row["subject"]) == ("score.changed", "lyra")]
    assert (json.loads(row["before"])["score"], json.loads(row["after"])["score"]) == (75.0, 100.0)
    assert rows == sorted(rows, key=lambda row: row["id"])
