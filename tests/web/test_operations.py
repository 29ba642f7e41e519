"""Health for anyone, and the maintainers' page behind a one-time link."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest
from factories import NOW, World, web_app
from httpx import Client
from served import NO_AUTHORITIES, served
from sqlalchemy import text, update
from support.signing_in import sign_in

from app.db.kernel.session import SessionMaker
from app.db.operations import heartbeats, status
from app.db.tables import Capture, ScrapeRun, User
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState, RunState, SampleState
from app.services.operations import alerts
from app.services.operations.access import issue_login_link


def test_ready_when_everything_was_heard_of(world: World, client: Client) -> None:
    world.workers()
    world.session.commit()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "reasons": []}


def test_not_ready_says_every_reason(world: World, sessions: SessionMaker, tmp_path: Path) -> None:
    world.workers(grading="paused", reason="bubblewrap is not installed")
    world.session.commit()
    with (
        served(web_app(sessions, tmp_path, broker=False)) as url,
        Client(base_url=url, verify=NO_AUTHORITIES) as client,
    ):
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == [
        "grading paused: the sandbox that programs run in did not pass its check",
        "the broker does not answer",
    ]


def test_silent_workers_and_alarms_are_not_ready(world: World, client: Client) -> None:
    world.workers(at=NOW - timedelta(hours=1))
    world.session.commit()
    reasons = client.get("/readyz").json()["reasons"]
    assert "grading paused: no judge has been heard of lately" in reasons
    assert "no worker of queue infer has been heard of lately" in reasons
    world.workers()
    heartbeats.raise_alarm(world.session, "an impossible problem was accepted", NOW)
    world.session.commit()
    assert client.get("/readyz").json()["reasons"] == [
        "grading paused: a check of the judge failed; a person must look at it"
    ]


def test_the_status_page_lists_the_languages_that_are_judged(world: World, client: Client) -> None:
    world.workers()
    detail = {
        "grading": "ready",
        "reason": None,
        "languages": {"python": "3.11.2", "go": "go-version-go1.19.8-linux-amd64", "c": "?"},
    }
    heartbeats.record_heartbeat(world.session, "grade@one/1", "grade", NOW, detail)
    world.session.commit()
    page = client.get("/en/status").text
    assert "python 3.11.2" in page
    assert "go 1.19.8<" in page
    assert "c ?" in page, "without a number it stands as it is"


def test_metrics_count_requests_by_route_and_queues(world: World, client: Client) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.workers()
    world.count()
    world.session.commit()
    client.get("/en/models/orion")
    client.get("/en/models/nobody")
    client.get("/wp-admin/secret-path")
    found = client.get("/metrics").text
    assert 'tidemark_samples{state="graded"} 1.0' in found
    assert "tidemark_grading_ready 1.0" in found
    assert 'tidemark_workers{queue="grade"} 1.0' in found
    assert 'route="model_page",status="200"' in found
    assert 'route="model_page",status="404"' in found
    assert "secret-path" not in found


def test_the_ops_page_is_for_maintainers_only(world: World, client: Client) -> None:
    answer = client.get("/en/ops", headers={"Accept": "text/html"})
    assert answer.status_code == 401
    assert "Quarantine" not in answer.text
    client.cookies.set("tidemark_session", "forged")
    assert client.get("/en/ops").status_code == 401


def test_a_link_signs_in_once_and_only_by_its_button(world: World, client: Client) -> None:
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    for _each in range(2):  # previews and prefetches spend nothing
        assert client.head(f"/login?token={token}").status_code == 200
        page = client.get(f"/login?token={token}", follow_redirects=False)
        assert page.status_code == 200
        assert "set-cookie" not in page.headers
        assert page.headers["cache-control"] == "no-store"
        assert f'<form method="post" action="/en/login"><input type="hidden" name="token" value="{token}">' in page.text
    assert client.get("/en/ops").status_code == 401
    answer = client.post("/en/login", data={"token": token}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/ops")
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "; secure" not in cookie
    assert f"expires={NOW + timedelta(days=14):%a, %d %b %Y %H:%M:%S} gmt".lower() in cookie
    assert client.get("/en/ops").status_code == 200
    client.cookies.clear()
    assert client.post("/login", data={"token": token}).status_code == 401
    assert client.get("/en/ops").status_code == 401


@pytest.mark.parametrize("token", ["", "\0", "x" * 201])
def test_what_is_no_link_is_not_found(client: Client, token: str) -> None:
    assert client.get("/login", params={"token": token}).status_code == 404
    assert client.post("/login", data={"token": token}).status_code == 404
    assert client.post("/login").status_code == 404


def test_signing_out_needs_the_form_of_the_session(world: World, client: Client) -> None:
    sign_in(world, client)
    assert client.post("/en/logout", data={"csrf": "guessed"}).status_code == 403
    assert client.post("/en/logout", data={}).status_code == 403
    assert client.post("/en/logout", data={"csrf": "\U0001f600"}).status_code == 403
    page = client.get("/en/ops").text
    csrf = page.split('name="csrf" value="')[1].split('"')[0]
    token = client.cookies["tidemark_session"]
    assert client.post("/en/logout", data={"csrf": csrf}, follow_redirects=False).status_code == 303
    assert "tidemark_session" not in client.cookies
    client.cookies.set("tidemark_session", token)
    assert client.get("/en/ops").status_code == 401, "nor is what somebody kept of it good any more"


def test_who_is_no_maintainer_any_more_is_signed_in_for_nothing(world: World, client: Client) -> None:
    sign_in(world, client)
    assert client.get("/en/ops").status_code == 200
    world.session.execute(update(User).values(role="vendor"))
    world.session.commit()
    assert client.get("/en/ops").status_code == 403


def test_the_cookie_of_a_safe_connection_goes_over_no_other(world: World, client: Client) -> None:
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    safe = {"X-Forwarded-Proto": "https"}
    answer = client.post("/en/login", data={"token": token}, headers=safe, follow_redirects=False)
    assert "; secure" in answer.headers["set-cookie"].lower()


def test_the_cookie_of_a_site_that_is_known_by_https_goes_over_nothing_else(
    world: World, sessions: SessionMaker, tmp_path: Path
) -> None:
    """Its proxy may be on another machine, which is not believed what it says of the connection."""
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    app = web_app(sessions, tmp_path)
    app.state.web = replace(app.state.web, public_url="https://bench.example")
    with served(app) as url, httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as made:
        answer = made.post("/en/login", data={"token": token})
    assert "; secure" in answer.headers["set-cookie"].lower()


def test_ops_shows_what_waits_what_failed_and_why(world: World, client: Client) -> None:
    source = world.source("atcoder", demo=False)
    world.problem("abc1_f", source="atcoder", state=ProblemState.HELD, hold_reason="no full tests")
    world.session.add(
        ScrapeRun(
            source_id=source.id, state="blocked", reason="the site refused us", started_at=NOW, finished_at=NOW,
            counts={"contests": 3},
            findings=[{"code": "count", "message": "fewer problems than last week", "in_context": False}],
        )
    )  # fmt: skip
    for kind, count in (("ok", 2), ("format_changed", 1)):
        for index in range(count):
            world.session.add(
                Capture(
                    source_id=source.id, url=f"https://example.org/{kind}/{index}", kind="task", http_status=200,
                    classification=kind, records=1, fetched_at=NOW,
                )
            )  # fmt: skip
    problem = world.problem("a", day=date(2026, 6, 1))
    run = world.run("orion")
    world.answer(run, problem, None, state=SampleState.STUCK, error="the judge broke", error_owner="us")
    world.answer(run, world.problem("b"), Verdict.ACCEPTED)
    world.workers(grading="paused", reason="seccomp is missing")
    world.count()
    sign_in(world, client)
    page = "".join(client.get(f"/en/ops{path}").text for path in ("", "/quarantine", "/drift", "/machinery"))
    for said in ("atcoder/abc1_f", "no full tests", "the site refused us", "fewer problems than last week",
                 "format_changed", "the judge broke", "seccomp is missing", "0 of 1 passed", "one-time link",
                 "grade@test/0", "contests read 3"):  # fmt: skip
        assert said in page, said
    assert "fewer problems than last week: False" not in page, "a flag without its name says nothing"
    assert client.get("/zh/ops").status_code == 200


def test_a_worker_that_is_silent_is_not_called_ready(world: World, client: Client) -> None:
    detail = {"grading": "ready", "reason": None, "languages": {"python": "3.11.2"}}
    heartbeats.record_heartbeat(world.session, "grade@one/1", "grade", NOW - timedelta(hours=1), detail)
    sign_in(world, client)
    row = client.get("/en/ops/machinery").text.partition("grade@one/1")[2].partition("</tr>")[0]
    assert "no heartbeat" in row
    assert "ready" not in row


def test_status_is_public_and_holds_no_secrets(world: World, client: Client) -> None:
    world.problem("abc1_f", source="atcoder", state=ProblemState.HELD, hold_reason="no full tests")
    world.workers()
    world.count()
    world.session.commit()
    page = client.get("/en/status").text
    assert "Judging is running" in page
    assert "Atcoder" in page
    assert "abc1_f" not in page
    assert client.get("/api/v1/status").json()["held"] == 1


def test_what_a_stopped_run_has_not_asked_waits_for_nothing(world: World) -> None:
    going, stopped = world.run("orion"), world.run("lyra")
    stopped.state = RunState.PAUSED
    for run in (going, stopped):
        world.answer(run, world.problem(f"{run.id}"), None, state=SampleState.PENDING)
        world.answer(run, world.problem(f"{run.id}-answered"), None)
    found = {depth.state: depth.count for depth in status.depths(world.session)}
    assert (found[SampleState.PENDING], found[SampleState.ANSWERED]) == (1, 2)


def test_answers_that_are_too_many_to_count_are_told_in_two_figures(world: World) -> None:
    """Nobody who looks at the site waits until every answer of years is counted."""
    run, problem = world.run("orion"), world.problem("a")
    for number in range(124):
        world.answer(run, problem, Verdict.ACCEPTED, ordinal=number)
    world.answer(run, world.problem("waits"), None)
    world.session.flush()
    world.session.execute(text("ANALYZE samples"))
    for most_counted, told in ((1000, 124), (100, 120)):
        found = {depth.state: depth for depth in status.depths(world.session, most_counted)}
        assert (found[SampleState.GRADED].count, found[SampleState.GRADED].oldest) == (told, None)
        assert (found[SampleState.ANSWERED].count, found[SampleState.ANSWERED].oldest) == (1, NOW)


def test_a_checker_that_failed_on_answers_alarms(world: World) -> None:
    problem = world.problem("a")
    sample = world.answer(world.run("orion"), problem, None)
    world.verdict(sample, problem, Verdict.WRONG_ANSWER, checker_failed=True)
    world.session.flush()
    words = alerts.find_causes(world.session, NOW)[f"checker:house/{problem.external_id}"]
    assert "failed on 1 answers, which count as wrong" in words


def test_gpu_workers_are_shown_and_counted(world: World, client: Client) -> None:
    detail = {
        "device": "0", "engine": "vllm", "version": "0.32", "model": "tern", "state": "busy", "running": 48.0,
        "waiting": 3.0, "cache": 0.25, "tokens_per_s": 1428.4, "restarts": 2, "trouble": None,
    }  # fmt: skip
    failed = {"engine": "vllm", "state": "failed", "restarts": 1, "trouble": "no kernel image <b>"}
    heartbeats.record_heartbeat(world.session, "gpu.one.0@one/0", "gpu.one.0", NOW, detail)
    heartbeats.record_heartbeat(world.session, "gpu.one.1@one/0", "gpu.one.1", NOW - timedelta(hours=1), failed)
    world.session.commit()
    found = client.get("/metrics").text
    assert 'tidemark_gpu_tokens_per_s{model="tern",worker="one.0"} 1428.4' in found
    assert 'tidemark_gpu_restarts{model="tern",worker="one.0"} 2.0' in found
    assert "one.1" not in found, "who is silent counts nothing"
    assert client.get("/en/ops/gpus").status_code == 401
    sign_in(world, client)
    for locale, busy in (("en", "busy"), ("zh", "忙碌")):
        page = client.get(f"/{locale}/ops/gpus").text
        for shown in ("tern", busy, "48", "25 %", "1428", "vllm 0.32", "no kernel image &lt;b&gt;"):
            assert shown in page


def test_our_own_words_on_an_answer_are_for_maintainers(world: World, client: Client) -> None:
    words = "SandboxUnavailable: cannot start /usr/bin/bwrap"
    ours, theirs = (
        world.answer(world.run(name), world.problem(name), None, state=SampleState.STUCK, error=said, error_owner=owner)
        for name, said, owner in (("orion", words, "us"), ("lyra", "answered 503: busy", "vendor"))
    )
    world.session.commit()
    for sample, said in ((ours, "on our side failed"), (theirs, "answered 503: busy")):
        for path in (f"/en/samples/{sample.id}", f"/api/v1/samples/{sample.id}"):
            page = client.get(path).text
            assert said in page
            assert "bwrap" not in page
    assert "本站的评测程序、机器或网络出了故障" in client.get(f"/zh/samples/{ours.id}").text
    sign_in(world, client)
    assert words in client.get("/en/ops/machinery").text


def test_strangers_read_a_sentence_and_maintainers_the_judges_words(world: World, client: Client) -> None:
    said = "canary: /usr/bin/bwrap: No such file or directory"
    world.answer(world.run("orion"), world.problem("a"), None)
    for change in ("paused", "alarm"):
        if change == "alarm":
            heartbeats.raise_alarm(world.session, said, NOW)
        world.workers(grading="paused", reason=said)
        world.count()
        world.session.commit()
        for path in ("/en/", "/zh/", "/en/status", "/zh/status", "/readyz", "/api/v1/status", "/metrics"):
            page = client.get(path)
            assert page.status_code < 500 or path == "/readyz"
            assert "bwrap" not in page.text, path
        assert "The sandbox that" in client.get("/en/").text or change == "alarm"
        assert "A check of the judge failed" in client.get("/en/status").text or change == "paused"
    sign_in(world, client)
    assert "/usr/bin/bwrap" in client.get("/en/ops").text
    assert "bwrap" not in client.get("/en/").text
