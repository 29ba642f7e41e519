"""Judging again on the maintainers' pages, without scripts: proposed, predicted, approved of by two, and counted."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from factories import NOW, World, web_app
from httpx import Client
from served import NO_AUTHORITIES, served
from sqlalchemy import select

from app.db.kernel.session import SessionMaker
from app.db.tables import AuditEntry, LedgerEntry, Problem, Rejudging
from app.domain.judging.verdicts import GradeResult, LimitMode, Verdict
from app.domain.rejudging.scope import RejudgingScope, ScopeKind
from app.domain.states import MAX_GRADING_ATTEMPTS
from app.services.boards.cubes import CubeStore
from app.services.operations.access import issue_login_link
from app.services.rejudging import grading_queue, rejudge

WRONG = GradeResult(Verdict.WRONG_ANSWER, 1, 3, (), LimitMode.RLIMIT, "judge-2")
BROKEN = GradeResult(Verdict.JUDGE_ERROR, 0, 3, (), LimitMode.RLIMIT, "judge-2", "no room")


@dataclass
class Desk:
    """Two maintainers' browsers over one board of two models, one of which is right on a problem."""

    world: World
    first: Client
    second: Client
    csrf: dict[Client, str]
    woken: list[tuple[str, ...]]
    folder: Path

    def act(self, who: Client, action: str, number: int | None = None, **more: str) -> tuple[int, str]:
        data = {"csrf": self.csrf[who], "action": action, "reason": "because", "id": str(number or "")} | more
        answer = who.post("/en/ops/rejudging", data=data, follow_redirects=False)
        return answer.status_code, answer.headers.get("location", answer.text)

    def judge(self, said: GradeResult = WRONG) -> None:
        """Judge what waits, again after every pause that follows a failure of ours."""
        session = self.world.session
        for moment in (NOW + timedelta(hours=attempt) for attempt in range(MAX_GRADING_ATTEMPTS)):
            while (job := grading_queue.claim(session, moment, timedelta(minutes=1), ["python"])) is not None:
                assert grading_queue.record(session, job, said, moment)
        assert grading_queue.predict_all(session, CubeStore(self.folder), NOW) == 1
        session.commit()


@pytest.fixture
def desk(world: World, sessions: SessionMaker, tmp_path: Path) -> Iterator[Desk]:
    problem = world.problem("p1", day=date(2026, 3, 1))
    for slug, verdict in (("orion", Verdict.ACCEPTED), ("tern", Verdict.WRONG_ANSWER)):
        world.answer(world.run(slug), problem, verdict)
    world.count()
    woken: list[tuple[str, ...]] = []

    def wake(*task: str) -> bool:
        woken.append(task)
        return True

    app = web_app(sessions, tmp_path)
    app.state.web = replace(app.state.web, wake=wake)
    tokens = [issue_login_link(world.session, NOW, f"{name}@example.test") for name in ("ada", "bob")]
    world.session.commit()
    with (
        served(app) as url,
        Client(base_url=url, verify=NO_AUTHORITIES) as first,
        Client(base_url=url, verify=NO_AUTHORITIES) as second,
    ):
        csrf = {}
        for client, token in zip((first, second), tokens, strict=True):
            client.post("/en/login", data={"token": token})
            csrf[client] = client.get("/en/ops/rejudging").text.split('name="csrf" value="')[1].split('"')[0]
        yield Desk(world, first, second, csrf, woken, tmp_path / "cubes")


def test_two_people_let_it_count(desk: Desk, client: Client) -> None:
    assert desk.act(desk.first, "propose", kind="problem", name="house/p1") == (303, _there(desk, "done=1"))
    [row] = desk.world.session.scalars(select(Rejudging))
    page = desk.first.get(f"/en/ops/rejudging/{row.id}").text
    assert "2 stored answers would be judged again." in page
    assert desk.act(desk.first, "begin", row.id)[0] == 303
    assert ("grade",) in desk.woken
    assert "0 of 2 answers judged." in desk.first.get(f"/en/ops/rejudging/{row.id}").text
    desk.judge()
    for locale, words in (("en", "two maintainers have to approve"), ("zh", "需要两位维护者批准")):
        page = desk.second.get(f"/{locale}/ops/rejudging/{row.id}").text
        assert words in page
        assert 'value="commit"' not in page, "nothing to press before two have approved"
    assert "<small>100.0</small>" in page
    assert desk.act(desk.first, "approve", row.id)[1].endswith("done=1")
    assert "refused=" in desk.act(desk.first, "approve", row.id)[1], "one person is one person"
    assert "refused=" in desk.act(desk.first, "commit", row.id)[1]
    assert desk.act(desk.second, "approve", row.id)[1].endswith("done=1")
    assert desk.act(desk.second, "commit", row.id)[1].endswith("done=1")
    assert "refused=" in desk.act(desk.second, "commit", row.id)[1], "once"
    page = desk.first.get(f"/en/ops/rejudging/{row.id}").text
    assert "Actual rank changes" in page
    desk.world.aggregate()
    desk.world.session.commit()
    scores = {each["model"]: each["score"] for each in client.get("/api/v1/boards/codegen").json()["rows"]}
    assert scores == {"orion": 0.0, "tern": 0.0}
    [line] = desk.world.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "rescored"))
    assert line.subject == "house/p1"
    entries = select(AuditEntry).where(AuditEntry.action.like("rejudging.%")).order_by(AuditEntry.id)
    assert [(entry.actor, entry.action) for entry in desk.world.session.scalars(entries)] == [
        ("ada@example.test", "rejudging.propose"), ("ada@example.test", "rejudging.begin"),
        ("ada@example.test", "rejudging.approve"), ("bob@example.test", "rejudging.approve"),
        ("bob@example.test", "rejudging.commit"),
    ]  # fmt: skip


def _there(desk: Desk, query: str) -> str:
    [row] = desk.world.session.scalars(select(Rejudging))
    return f"/en/ops/rejudging/{row.id}?{query}"


def test_a_receipt_says_that_it_was_judged_again(desk: Desk, client: Client) -> None:
    desk.act(desk.first, "propose", kind="model", name="orion", reason="the checker was mended")
    [row] = desk.world.session.scalars(select(Rejudging))
    desk.act(desk.first, "begin", row.id)
    desk.judge()
    for who in (desk.first, desk.second):
        desk.act(who, "approve", row.id)
    problem = client.get("/en/problems/house/p1").text
    place = "/en/samples/" + problem.split('href="/en/samples/')[1].split('"')[0]
    before = client.get(place).text
    assert "rejudged:" not in before, "not before it counts"
    desk.act(desk.second, "commit", row.id)
    after = client.get(place).text
    assert "the checker was mended" in after
    verdicts = after.partition("<tbody>")[2].partition("</tbody>")[0]
    assert verdicts.count('class="chip v-accepted"') == verdicts.count('class="chip v-wrong_answer"') == 1
    assert after.partition("</h1>")[2].lstrip().startswith('<span class="chip v-wrong_answer"'), (
        "the head has what counts"
    )


def test_what_would_change_nothing_can_only_be_dropped(desk: Desk) -> None:
    desk.act(desk.first, "propose", kind="problem", name="house/p1")
    [row] = desk.world.session.scalars(select(Rejudging))
    desk.act(desk.first, "begin", row.id)
    desk.judge(BROKEN)
    for locale, words in (("en", "This rejudging would change nothing"), ("zh", "不会带来任何改变")):
        page = desk.first.get(f"/{locale}/ops/rejudging/{row.id}").text
        assert words in page
        assert 'value="drop"' in page
        assert not [each for each in ("commit", "approve", "predict") if f'value="{each}"' in page]
    assert "refused=" in desk.act(desk.first, "commit", row.id)[1], "what the page does not offer is refused"
    assert desk.act(desk.first, "drop", row.id)[1].endswith("done=1")
    assert "This rejudging would change nothing" not in desk.first.get(f"/en/ops/rejudging/{row.id}").text


def test_new_tests_come_into_use_also_where_they_change_no_verdict(desk: Desk) -> None:
    session = desk.world.session
    problem = session.scalars(select(Problem)).one()
    made = desk.world.tests(problem, 2).id
    scope = RejudgingScope(ScopeKind.PROBLEM, "house/p1", made)
    number = rejudge.propose(session, scope, "better tests", "ada@example.test", NOW)
    session.commit()
    desk.act(desk.first, "begin", number)
    desk.judge(BROKEN)
    page = desk.first.get(f"/en/ops/rejudging/{number}").text
    assert f"Test set {made} would come into use." in page
    assert "This rejudging would change nothing" not in page
    assert 'value="approve"' in page
    problem.current_test_set_id = made
    session.commit()
    page = desk.first.get(f"/en/ops/rejudging/{number}").text
    assert "This rejudging would change nothing" in page, "they came into use otherwise"
    assert 'value="approve"' not in page


def test_nothing_is_done_without_the_form_of_a_session(desk: Desk, client: Client) -> None:
    for path in ("/en/ops/rejudging", "/en/ops/rejudging/1"):
        assert client.get(path).status_code == 401
    for csrf in ("", "guessed", "\U0001f600"):
        assert desk.act(desk.first, "propose", kind="problem", name="house/p1", csrf=csrf)[0] == 403
    data = {"csrf": "x", "action": "propose", "kind": "problem", "name": "house/p1", "reason": "x"}
    assert client.post("/en/ops/rejudging", data=data).status_code == 401
    assert desk.world.session.scalars(select(Rejudging)).all() == []


ODD: list[tuple[dict[str, str], int]] = [
    ({"kind": "planet", "name": "x"}, 422), ({"kind": "problem", "name": "p1"}, 422),
    ({"kind": "problem", "name": "house/p1", "reason": " "}, 422),
    ({"kind": "problem", "name": "house/p1", "reason": "x" * 501}, 422),
    ({"kind": "model", "name": "a\x00b"}, 422), ({"kind": "model", "name": "x" * 201}, 422),
    ({"action": "explode", "id": "1"}, 422), ({"kind": "model", "name": "nobody"}, 303),
    ({"action": "begin", "id": "9" * 17}, 303), ({"action": "begin", "id": "٣"}, 303),
]  # fmt: skip


def test_odd_forms_are_refused(desk: Desk) -> None:
    for form, status in ODD:
        values = dict(form)
        got, where = desk.act(desk.first, values.pop("action", "propose"), None, **values)
        assert got == status, form
        assert got == 422 or "refused=" in where, form
        assert desk.world.session.scalars(select(Rejudging)).all() == [], form
    assert desk.first.get("/en/ops/rejudging/999999").status_code == 404
