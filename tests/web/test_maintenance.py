"""What maintainers do on their pages: every action with a reason, audited, and nothing without a session's form."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from factories import NOW, World, web_app
from httpx import Client
from served import NO_AUTHORITIES, served
from sqlalchemy import select
from support import atcoder_pages as pages

from app.db.kernel import blobs
from app.db.kernel.session import SessionMaker
from app.db.runs.runs import ensure_endpoint
from app.db.tables import Alert, AuditEntry, Capture, Contest, ExpectedDataRow, LedgerEntry, Problem, Source
from app.domain.judging.verdicts import Verdict
from app.domain.reasons import Reason
from app.domain.states import ContestState, ProblemState
from app.services.operations import alerts
from app.services.operations.access import issue_login_link


@dataclass
class Desk:
    """A signed-in maintainer's browser, and whom it woke."""

    client: Client
    csrf: str
    woken: list[tuple[str, ...]] = field(default_factory=list)

    def act(self, action: str, *subjects: object, reason: str = "because", **more: str) -> tuple[int, str]:
        data = {
            "csrf": self.csrf,
            "action": action,
            "reason": reason,
            "subject": [str(subject) for subject in subjects],
        }
        answer = self.client.post("/en/ops/act", data=data | more, follow_redirects=False)
        return answer.status_code, answer.headers.get("location", answer.text)


@pytest.fixture
def desk(world: World, sessions: SessionMaker, tmp_path: Path) -> Iterator[Desk]:
    woken: list[tuple[str, ...]] = []

    def wake(*task: str) -> bool:
        woken.append(task)
        return True

    app = web_app(sessions, tmp_path)
    app.state.web = replace(app.state.web, wake=wake)
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    with served(app) as url, Client(base_url=url, verify=NO_AUTHORITIES) as client:
        client.post("/en/login", data={"token": token})
        page = client.get("/en/ops").text
        yield Desk(client, page.split('name="csrf" value="')[1].split('"')[0], woken)


def contest(world: World, name: str = "abc901", *, ago: timedelta = timedelta(hours=5), **facts: object) -> Contest:
    """A contest of AtCoder that ended so long ago and owes its problems."""
    source = world.source("atcoder", demo=False)
    made = Contest(
        source_id=source.id, external_id=name, title=name.upper(), state=ContestState.ENDED,
        starts_at=NOW - ago - timedelta(hours=2), ends_at=NOW - ago,
    )  # fmt: skip
    world.session.add(made)
    world.session.flush()
    due = NOW - ago + timedelta(minutes=10)
    values = {"state": "open", "due_at": due, "late_at": NOW - ago + timedelta(hours=4)} | facts
    world.session.add(ExpectedDataRow(contest_id=made.id, purpose="problems", **values))
    world.session.commit()
    return made


def audited(world: World) -> list[tuple[str, str, str, str]]:
    rows = world.session.scalars(select(AuditEntry).where(AuditEntry.action.not_like("%log%")).order_by(AuditEntry.id))
    return [(row.actor, row.action, row.subject, row.reason) for row in rows if row.action != "session.opened"]


def test_nothing_is_done_without_the_form_of_a_session(world: World, desk: Desk, client: Client) -> None:
    made = contest(world)
    for csrf in ("", "guessed", "\U0001f600"):
        data = {"csrf": csrf, "action": "contest.close", "reason": "x", "subject": str(made.id)}
        assert desk.client.post("/en/ops/act", data=data).status_code == 403
    assert client.post("/en/ops/act", data={"action": "source.pause", "subject": "atcoder"}).status_code == 401
    assert client.get("/en/ops/drift/1").status_code == 401
    assert audited(world) == []


def test_an_action_needs_a_reason_a_subject_and_a_name(world: World, desk: Desk) -> None:
    made = contest(world)
    assert desk.act("contest.close", made.id, reason="  ")[0] == 422
    assert desk.act("contest.close")[0] == 422
    assert desk.act("contest.explode", made.id)[0] == 422
    assert desk.act("contest.close", made.id, reason="x" * 501)[0] == 422
    assert desk.act("contest.close", made.id, reason="a\x00b")[0] == 422
    assert desk.act("contest.close", *range(201))[0] == 422
    for odd in ("", "-1", "9" * 30, "٣", "1; DROP TABLE contests", "\U0001f600"):
        status, where = desk.act("contest.close", odd)
        assert status == 303
        assert "done=0" in where
    assert audited(world) == []


def test_a_late_contest_shows_to_maintainers_and_to_everybody(world: World, desk: Desk, client: Client) -> None:
    contest(world, ago=timedelta(hours=4, minutes=1), reason="could not be read: login 1", attempts=4)
    contest(world, "abc902", ago=timedelta(hours=3))
    page = desk.client.get("/en/ops").text
    assert "could not be read: login 1" in page
    status = client.get("/en/status").text
    late = status.partition('id="st-late"')[2].partition("</section>")[0]
    assert "atcoder/abc901" in late
    assert "abc902" not in late, "it is due, and not late yet"
    said = client.get("/api/v1/status").json()
    assert [each["external_id"] for each in said["late"]] == ["abc901"]
    assert said["sites"][0]["state"] == "never"
    assert "已于" in client.get("/zh/status").text


def test_contests_are_asked_again_and_closed(world: World, desk: Desk) -> None:
    made, met = contest(world), contest(world, "abc800", state="met", settled_at=NOW)
    assert desk.act("contest.again", met.id)[1] == "/en/ops?done=1"
    assert ("schedule",) in desk.woken
    assert desk.act("contest.close", made.id, reason="it was cancelled")[1] == "/en/ops?done=1"
    world.session.expire_all()
    lines = {each.contest_id: each for each in world.session.scalars(select(ExpectedDataRow))}
    assert (lines[met.id].state, lines[met.id].due_at) == ("open", NOW)
    assert (lines[made.id].state, lines[made.id].reason) == ("closed", "it was cancelled")
    status, where = desk.act("contest.close", made.id)
    assert status == 303
    assert "refused=" in where, "what is done is not done twice"
    assert audited(world) == [
        ("maintainer@localhost", "contest.again", "atcoder/abc800", "because"),
        ("maintainer@localhost", "contest.close", "atcoder/abc901", "it was cancelled"),
    ]


def test_sources_are_visited_paused_and_backfilled(world: World, desk: Desk) -> None:
    contest(world)
    assert desk.act("source.run", "atcoder")[0] == 303
    assert desk.act("source.count", "atcoder", **{"from": "2026-01-01", "to": "2026-02-01"})[0] == 303
    assert desk.act("source.backfill", "atcoder", **{"from": "2026-01-01", "to": "2026-02-01"})[0] == 303
    assert desk.act("source.replay", "atcoder")[0] == 303
    assert desk.woken == [
        ("scrape", "atcoder"),
        ("count", "atcoder", "2026-01-01", "2026-02-01"),
        ("scrape", "atcoder", "2026-01-01", "2026-02-01"),
        ("replay", "atcoder"),
    ]
    for days in ({}, {"from": "2026-01-01"}, {"from": "2026-02-01", "to": "2026-01-01"}, {"from": "soon", "to": "x"}):
        assert desk.act("source.backfill", "atcoder", **days)[0] == 422
    assert desk.act("source.pause", "atcoder")[0] == 303
    world.session.expire_all()
    assert world.session.scalars(select(Source.enabled).where(Source.slug == "atcoder")).one() is False
    assert "refused=" in desk.act("source.run", "atcoder")[1]
    assert "refused=" in desk.act("source.run", "nowhere")[1]
    assert desk.act("source.resume", "atcoder")[0] == 303
    assert [each[1] for each in audited(world)] == [
        "source.run", "source.count", "source.backfill", "source.replay", "source.pause", "source.resume"
    ]  # fmt: skip


def test_one_form_pauses_every_source_and_one_resumes_them(world: World, desk: Desk) -> None:
    contest(world)
    world.source("codeforces", demo=False)
    world.session.commit()
    form = desk.client.get("/en/ops").text.partition('id="o-sites"')[2].partition("</form>")[0]
    assert "Pause all sources" in form
    chosen = [part.partition('"')[0] for part in form.split('type="hidden" name="subject" value="')[1:]]
    assert sorted(chosen) == ["atcoder", "codeforces"]
    for action, enabled in (("source.pause", False), ("source.resume", True)):
        assert desk.act(action, *chosen, reason="a night of quiet")[1] == "/en/ops?done=2"
        world.session.expire_all()
        assert set(world.session.scalars(select(Source.enabled).where(Source.slug.in_(chosen)))) == {enabled}
    assert [each[1:] for each in audited(world)] == [
        (action, slug, "a night of quiet") for action in ("source.pause", "source.resume") for slug in chosen
    ]


def test_a_link_of_somebody_elses_puts_no_words_into_our_mouth(desk: Desk) -> None:
    link = "/en/ops?done=0&refused=Sign+in+again+at+evil.example"
    assert "Sign in again at evil.example" in desk.client.get(link, headers={"Sec-Fetch-Site": "same-origin"}).text
    for site in ("cross-site", "same-site", "none"):
        assert "Sign in again at evil.example" not in desk.client.get(link, headers={"Sec-Fetch-Site": site}).text


def test_rows_are_taken_in_one_order_however_a_form_names_them(world: World, desk: Desk) -> None:
    """Two forms with the same rows the other way round would each wait for what the other holds."""
    contest(world)
    world.source("codeforces", demo=False)
    world.session.commit()
    assert desk.act("source.pause", "codeforces", "atcoder")[1] == "/en/ops?done=2"
    assert [each[2] for each in audited(world)] == ["atcoder", "codeforces"]


def held(world: World, name: str, *, flags: list[str], reason: str) -> Problem:
    made = world.problem(name, source="atcoder", day=date(2026, 6, 1))
    made.flags, made.state, made.hold_reason = flags, ProblemState.HELD, reason
    world.session.commit()
    return made


def test_what_a_person_can_tell_is_released_and_the_rest_is_not(world: World, desk: Desk) -> None:
    image = held(world, "a", flags=["image"], reason=Reason("hold.image"))
    bare = held(world, "b", flags=[], reason=Reason("hold.no_tests", {"n": 1}))
    bare.current_test_set_id = None
    world.session.commit()
    page = desk.client.get("/en/ops/quarantine").text
    assert "Release the problem if the text is sufficient" in page
    status, where = desk.act("problem.release", "atcoder/a", "atcoder/b", reason="looked", back="/ops/quarantine")
    assert status == 303
    assert where.startswith("/en/ops/quarantine?done=1&refused=")
    world.session.expire_all()
    assert (image.state, image.waived, bare.state) == ("published", ["image"], "held")
    assert ("plan",) in desk.woken
    assert desk.act("problem.withdraw", "atcoder/b", reason="a duplicate")[0] == 303
    world.session.expire_all()
    assert bare.state == "withdrawn"
    ledger = [(each.kind, each.subject) for each in world.session.scalars(select(LedgerEntry))]
    assert ledger == [("problem.added", "atcoder/a")], "what was never public leaves without a public word"
    assert desk.client.get("/en/problems/atcoder/b").status_code == 404


def test_a_published_problem_is_withdrawn_in_public(world: World, desk: Desk, client: Client) -> None:
    world.problem("a", source="atcoder", day=date(2026, 6, 1))
    world.session.commit()
    assert desk.act("problem.withdraw", "atcoder/a", reason="its tests are wrong")[0] == 303
    world.session.expire_all()
    entry = world.session.scalars(select(LedgerEntry)).one()
    assert (entry.kind, entry.subject, entry.reason) == ("problem.withdrawn", "atcoder/a", "its tests are wrong")
    assert client.get("/en/problems/atcoder/a").status_code == 200, "what was public stays findable"
    assert "its tests are wrong" in client.get("/en/status").text


def test_readers_report_and_maintainers_answer_in_public(world: World, desk: Desk, client: Client) -> None:
    world.problem("a", source="atcoder", day=date(2026, 6, 1))
    held(world, "h", flags=[], reason="no statement")
    text = "Sample 2 is wrong: <script>alert(1)</script> 4 is not 5."
    where = "/en/problems/atcoder/a/reports"
    answer = client.post(where, data={"text": text}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/problems/atcoder/a?reported=1")
    page = client.get("/en/problems/atcoder/a").text
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert client.post("/en/problems/atcoder/h/reports", data={"text": text}).status_code == 404
    for bad in ("", "short", "x" * 4001):
        assert client.post(where, data={"text": bad}).status_code == 422
    assert client.post(where, data={"text": text, "website": "spam"}).status_code == 422
    assert client.post("/en/problems/nowhere/a/reports", data={"text": text}).status_code == 404
    for _each in range(9):
        assert client.post(where, data={"text": text}, follow_redirects=False).status_code == 303
    assert client.post(where, data={"text": text}).status_code == 429
    reports = desk.client.get("/en/ops/quarantine").text.partition('id="o-reports"')[2]
    number = reports.split('name="subject" value="')[1].split('"')[0]
    assert desk.act("dispute.uphold", number, reason="Right: the sample was cut.")[0] == 303
    assert "refused=" in desk.act("dispute.reject", number)[1]
    page = client.get("/en/problems/atcoder/a").text
    assert "Right: the sample was cut." in page


def test_alerts_are_told_once_and_again_after_a_day_and_end(world: World, desk: Desk) -> None:
    made = contest(world)
    world.workers()
    first = alerts.update_alerts(world.session, NOW)
    assert [each.key for each in first] == ["late:atcoder/abc901"]
    alerts.mark_posted(world.session, [each.id for each in first], NOW)
    world.session.commit()
    assert alerts.update_alerts(world.session, NOW + timedelta(minutes=1)) == []
    world.session.commit()
    number = world.session.scalars(select(Alert.id)).one()
    assert desk.act("alert.snooze", number)[0] == 303
    world.session.expire_all()
    world.workers(at=NOW + timedelta(days=2))
    assert alerts.update_alerts(world.session, NOW + timedelta(days=2)) == [], "a maintainer asked for silence"
    world.workers(at=NOW + timedelta(days=8))
    assert [each.id for each in alerts.update_alerts(world.session, NOW + timedelta(days=8))] == [number]
    world.session.execute(ExpectedDataRow.__table__.delete())  # type: ignore[attr-defined]  # a Table deletes
    assert alerts.update_alerts(world.session, NOW + timedelta(days=8)) == []
    assert world.session.scalars(select(Alert)).one().cleared_at == NOW + timedelta(days=8)
    assert made.id


def test_a_growing_quarantine_shows_in_both_languages(world: World, desk: Desk) -> None:
    source = world.source("atcoder", demo=False)
    for number in range(27):
        facts = {"state": "held", "hold_reason": "no full tests: 3 public samples only", "found_at": NOW}
        world.session.add(Problem(source_id=source.id, external_id=f"p{number}", title="P", **facts))
    world.workers()
    assert [each.key for each in alerts.update_alerts(world.session, NOW)] == ["quarantine:atcoder"]
    world.session.commit()
    assert "quarantine grows; problems held in two weeks: 27, most often:" in desk.client.get("/en/ops").text
    assert "隔离区题目增多；两周内隔离的题目：27，最常见原因：" in desk.client.get("/zh/ops").text


def test_drift_shows_the_bad_body_beside_the_last_good_one(world: World, desk: Desk) -> None:
    source = world.source("atcoder", demo=False)

    def capture(body: bytes, kind: str, shape: str, hours: int) -> int:
        digest = blobs.store_blob(world.session, body)
        made = Capture(
            source_id=source.id, url="https://atcoder.jp/contests/abc1/tasks/abc1_a", kind="task", http_status=200,
            classification=kind, records=0, shape=shape, body_sha256=digest, fetched_at=NOW - timedelta(hours=hours),
        )  # fmt: skip
        world.session.add(made)
        world.session.flush()
        return made.id

    good = capture(b'<div id="task-statement" class="old">good</div>', "ok", "one", 5)
    bad = capture(b'<div id="other" class="fresh">bad <script>alert(1)</script></div>', "format_changed", "two", 2)
    fresh = capture(b'<div id="task-statement" class="newer">fine</div>', "ok", "three", 1)
    world.session.commit()
    page = desk.client.get("/en/ops/drift").text
    assert f"/en/ops/drift/{bad}" in page
    assert f"/en/ops/drift/{fresh}" in page, "read well, and built as none before"
    assert f'/en/ops/drift/{good}"' not in page
    page = desk.client.get(f"/en/ops/drift/{bad}").text
    assert "div#task-statement.old" in page
    assert "div#other.fresh" in page
    assert "<script>alert" not in page
    assert desk.client.get("/en/ops/drift/999999").status_code == 404
    assert desk.act("capture.accept", fresh, back="/ops/drift")[1] == "/en/ops/drift?done=1"
    assert desk.act("capture.ignore", bad)[0] == 303
    assert "All responses have a known structure" in desk.client.get("/en/ops/drift").text


def test_each_body_is_read_by_its_own_address(world: World, desk: Desk) -> None:
    """The good body may be another task's, and a page that does not name its task is known by its address."""
    source = world.source("atcoder", demo=False)
    bodies = (("abc1", "ok", pages.task(pages.modern([("1\n", "2\n")]))), ("abc2", "format_changed", b"<p>Gone</p>"))
    for hours, (name, kind, body) in zip((5, 2), bodies, strict=True):
        made = Capture(
            source_id=source.id, url=f"https://atcoder.jp/contests/{name}/tasks/{name}_a", kind="task", http_status=200,
            classification=kind, records=0, shape=name, body_sha256=blobs.store_blob(world.session, body),
            fetched_at=NOW - timedelta(hours=hours),
        )  # fmt: skip
        world.session.add(made)
        world.session.flush()
    world.session.commit()
    page = desk.client.get(f"/en/ops/drift/{made.id}").text
    assert "&#34;abc1_a&#34;" in page
    assert "&#34;abc2_a&#34;" not in page, "the good body is not of that task"


def test_back_leads_to_our_own_pages_only(world: World, desk: Desk) -> None:
    contest(world)
    for back in ("https://evil.example", "//evil.example", "/ops/drift/../../x", "\r\nX: y"):
        assert desk.act("source.pause", "atcoder", back=back)[1] == "/en/ops?done=1"


def test_a_run_is_made_void_with_a_reason_that_everybody_reads(world: World, desk: Desk, client: Client) -> None:
    problem, model = world.problem("a"), world.model("tern")
    served_at = {"backend": "openai_chat", "remote_name": "tern", "base_url": "https://a.example", "max_concurrency": 1}
    endpoint = ensure_endpoint(world.session, model.id, served_at).id
    numbers = []
    for trial, verdict in ((1, Verdict.WRONG_ANSWER), (2, Verdict.ACCEPTED)):
        run = world.run(model, trial=trial)
        run.endpoint_id, run.bound_at = endpoint, NOW + timedelta(hours=trial)
        world.answer(run, problem, verdict)
        numbers.append(run.id)
    first, second = numbers
    waiting = world.run(model, configuration={"effort": "high"})
    waiting.endpoint_id = endpoint
    world.count()
    world.session.commit()
    pages = {locale: desk.client.get(f"/{locale}/ops/runs").text for locale in ("en", "zh")}
    for words in (">counts<", "later trial", "no answer yet", ">Void<", f"run {second}"):
        assert words in pages["en"], words
    for words in ("有效", "后续评测", "尚无回答", "作废"):
        assert words in pages["zh"], words
    assert pages["en"].count('type="checkbox"') == 2, "what nothing was sent for stands nowhere"
    assert desk.act("run.void", first, reason=" ", back="/ops/runs")[0] == 422
    status, where = desk.act("run.void", first, waiting.id, reason="our template was wrong", back="/ops/runs")
    assert (status, where.partition("?")[0]) == (303, "/en/ops/runs")
    assert "done=1" in where
    assert "no+answer" in where
    assert ("aggregate",) in desk.woken
    assert audited(world)[-1][1:] == ("run.voided", f"tern/{first}", "our template was wrong")
    line = world.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "score.voided")).one()
    assert (line.subject, line.reason) == ("tern", "our template was wrong")
    assert 'type="checkbox"' in desk.client.get("/en/ops/runs").text
    for locale, words in (("en", "Voided on"), ("zh", "作废日期")):
        page = client.get(f"/{locale}/models/tern").text
        assert words in page
        assert page.count("our template was wrong") == 1
    [board_row] = client.get("/api/v1/boards/codegen", params={"protocol": "house"}).json()["rows"]
    assert (board_row["run"], board_row["score"]) == (second, 100.0)
    runs = client.get("/api/v1/models/tern").json()["runs"]
    assert [run["voided"] and run["voided"]["reason"] for run in runs if not run["configuration"]] == [
        None, "our template was wrong",
    ]  # fmt: skip
    assert client.post("/en/ops/act", data={"action": "run.void", "subject": "2", "reason": "x"}).status_code == 401
