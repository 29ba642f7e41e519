"""No Chinese page shows a reason of ours in English, wherever the reason comes from."""

import html
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from factories import NOW, World, web_app
from httpx import Client
from pipeline.flow import LEASE
from served import NO_AUTHORITIES, served
from sqlalchemy import update
from support.consensus import add_setter, asked, fresh, says, settle
from support.signing_in import sign_in

from app.config import Settings
from app.db.kernel import blobs
from app.db.kernel.session import SessionMaker
from app.db.tables import Capture, Endpoint, ScrapeRun, TestSet
from app.domain.asking.completions import FailureOwner
from app.domain.consensus.result import ConsensusResult
from app.domain.publishing.holds import ProofOutcome
from app.domain.reasons import CLASSED, LISTED, Reason, found_reason
from app.domain.sentences import SENTENCES
from app.domain.states import ProblemState, RunState, SampleState
from app.services.operations.access import issue_login_link
from app.services.problems import publishing
from app.services.runs.consensus import consensus_jobs
from app.services.runs.endpoint_secrets import Vault, new_key

# Parts of sentences long enough not to stand on a page by chance.
_PARTS = sorted(
    part
    for part in {part.strip() for sentence in SENTENCES.values() for part in re.split(r"\{\w+\}", sentence)}
    if len(part) > 9 and " " in part
)
ENDLESS = 1 << 40  # megabytes that no disk has
REASON = Reason("disputed_inputs", {"n": 4})


def check(page: str, *said: str) -> None:
    """Assert that a page says this, and nothing that is a part of an English sentence of ours."""
    text = html.unescape(re.sub(r"<[^>]*>", "", page))
    assert [part for part in _PARTS if part in text] == []
    assert [words for words in said if words not in text] == []


def test_parts_of_english_sentences_are_found() -> None:
    with pytest.raises(AssertionError):
        check(f"<p>{Reason('no_joint_checker')}</p>")


def test_why_setters_made_no_tests(world: World, client: Client) -> None:
    session = world.session
    problem = fresh(session)
    for vendor in ("acme", "birds"):
        add_setter(session, f"of-{vendor}", vendor)
    settle(session, problem)
    asked(session, lambda name: says(name.removeprefix("of-")))
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    told = {
        "setter": "of-acme", "vendor": "acme", "role": "brute", "ordinal": 0, "word": "refuted",
        "state": "refuted: it answers nothing in time", "why": {"code": "nothing_in_time"}, "witness": "1\n",
    }  # fmt: skip
    consensus_jobs.record(session, job, ConsensusResult(REASON, job.problem, (), {}, {"answers": [told]}), NOW)
    sign_in(world, client)
    page = client.get("/zh/ops/quarantine").text
    check(page, "各程序在 4 个小输入上互相矛盾，无法判断谁对", "被证伪：未能及时给出任何答案")
    answer = re.search(r'href="(/zh/ops/setters/\d+)"', page)
    assert answer is not None
    check(client.get(answer[1]).text, "被证伪：未能及时给出任何答案")
    check(client.get("/zh/ops/setters").text)
    assert "programs contradict each other on 4 small inputs" in client.get("/en/ops/quarantine").text
    assert "refuted: it answers nothing in time" in client.get(answer[1].replace("/zh/", "/en/")).text


def test_why_tests_are_not_proven(world: World, client: Client) -> None:
    helper = Reason("judge_failed", {"what": "HelperFailed"}, Reason("checker", cause=Reason("out_of_memory")))
    for name, reason, ours in (
        ("a", Reason("wrong_passes", {"what": "b.py"}), False),
        ("b", helper, True),
    ):  # fmt: skip
        problem = world.problem(name, state=ProblemState.CHECKED if ours else ProblemState.PUBLISHED)
        world.session.execute(
            update(TestSet).where(TestSet.problem_id == problem.id).values(proof="waiting", attempts=0)
        )
        world.session.commit()
        for _ in range(3 if ours else 1):
            job = publishing.claim_proof(world.session, NOW, LEASE)
            assert job is not None
            outcome = ProofOutcome(proven=False, reason=reason, references=1, wrong=1, ours=ours)
            assert publishing.record_proof(world.session, job, outcome, NOW - timedelta(days=1))
    sign_in(world, client)
    page = client.get("/zh/ops/quarantine").text
    check(page, "已知错误的程序 b.py 被接受", "评测故障（HelperFailed）： 检查器超出限制：所需内存超过允许的大小")
    check(client.get("/zh/problems/house/a").text, "已知错误的程序 b.py 被接受")


def test_why_an_endpoint_was_stopped_and_answers_are_missing(world: World, client: Client) -> None:
    model = world.model("tern")
    run = world.run(model)
    endpoint = Endpoint(
        backend="openai-chat", base_url="https://tern.example/v1", remote_name="tern", model_id=model.id,
        max_concurrency=4, stopped_at=NOW, stopped_reason=Reason("answered_with", {"n": 402}, "no money"),
    )  # fmt: skip
    world.session.add(endpoint)
    world.session.flush()
    run.endpoint_id = endpoint.id
    busy = Reason("machine_busy", {"without": 90, "total": 100})
    failures = (
        (Reason("judge_failed", {"what": "MachineBusy"}, Reason("interactor_waits", cause=busy)), FailureOwner.US),
        (Reason("no_reply", {"seconds": "600"}), FailureOwner.VENDOR),
        (Reason("our_network", cause=Reason("broke_connection", {"what": "OSError"})), FailureOwner.US),
    )
    for number, (reason, owner) in enumerate(failures):
        state = SampleState.STUCK if number == 0 else SampleState.GAVE_UP
        problem = world.problem(f"p{number}")
        sample = world.answer(run, problem, None, state=state, error=reason, error_owner=owner)
        check(client.get(f"/zh/samples/{sample.id}").text)
    failed = world.run(model, trial=2, state=RunState.FAILED)
    failed.state_reason = str(Reason("answered", {"n": 400}))
    world.workers()
    world.aggregate()
    sign_in(world, client)
    check(client.get("/zh/models/tern?trial=1").text, "返回 402： no money")
    check(
        client.get("/zh/ops/machinery").text, "返回 402： no money",
        "评测故障（MachineBusy）： 交互器： 机器繁忙：100 毫秒中有 90 毫秒没有分到 CPU", "600 秒内没有回答",
        "本站网络故障： 连接中断（OSError）",
    )  # fmt: skip
    assert "answered 402: no money" in html.unescape(re.sub("<[^>]*>", "", client.get("/en/ops/machinery").text))


def test_what_visits_found(world: World, client: Client) -> None:
    source = world.source("atcoder", demo=False)
    found = [
        {"code": "missing_title", "message": "the task has no title", "subject": "abc1_a", "in_context": False},
        {"code": "status", "message": "HTTP 503", "subject": None, "in_context": False},
    ]
    login = Reason(CLASSED, cause=(Reason("page.login"), found_reason("login", "the site asks to sign in")))
    pages = Reason(LISTED, cause=(Reason("pages", {"n": 3}, Reason("page.blocked")),))
    for number, (state, reason) in enumerate((("failed", login), ("partial", Reason("pages_unread", cause=pages)))):
        world.session.add(
            ScrapeRun(
                source_id=source.id, state=state, reason=Reason("list_unread", cause=reason),
                started_at=NOW + timedelta(minutes=number), finished_at=NOW + timedelta(minutes=number),
                counts={"contests": 3}, findings=found,
            )
        )  # fmt: skip
    capture = Capture(
        source_id=source.id, url="https://example.org/", kind="task", http_status=200, findings=found,
        classification="format_changed", records=0, fetched_at=NOW,
        body_sha256=blobs.store_blob(world.session, b"<html><body><p>Hello</p></body></html>"),
    )  # fmt: skip
    world.session.add(capture)
    world.workers()
    world.count()
    sign_in(world, client)
    said = "列表无法读取： 要求登录：网站要求登录", "未能读取：被拒绝 3 页"
    check(client.get("/zh/ops/machinery").text, *said, "missing_title： 缺少标题：abc1_a", "网站返回了错误状态码")
    check(client.get("/zh/ops/drift").text, "missing_title： 缺少标题：abc1_a")
    check(client.get(f"/zh/ops/drift/{capture.id}").text, "no_statement： 没有题面")
    check(client.get("/zh/status").text, "被拒绝 3 页")
    check(client.get("/zh/ops").text, "被拒绝 3 页")
    english = html.unescape(re.sub("<[^>]*>", "", client.get("/en/ops/machinery").text))
    assert "missing_title: the task has no title: abc1_a" in english
    assert "the list cannot be read: login: the site asks to sign in" in english


def test_why_work_is_paused(world: World, sessions: SessionMaker, tmp_path: Path) -> None:
    sealed, model = Vault(new_key()).seal("a"), world.model("orion")
    where = {"backend": "openai_chat", "remote_name": "a", "base_url": "https://a.invalid", "max_concurrency": 1}
    world.session.add(Endpoint(model_id=model.id, secret_encrypted=sealed, **where))
    world.workers(grading="paused", reason="seccomp is missing")
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    app = web_app(sessions, tmp_path)
    full = Settings(_env_file=None, state_dir=tmp_path, least_free_mb=ENDLESS)
    app.state.web = replace(app.state.web, shortage=full.shortage)
    with served(app) as url, Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        client.post("/zh/login", data={"token": token})
        check(client.get("/zh/ops").text, "无法解开 1 个端点的密钥")
        check(client.get("/zh/status").text)
