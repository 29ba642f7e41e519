"""What pages say of codes, reasons, tiers and presets: true sentences, in the reader's language."""

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest
from factories import NOW, World
from httpx import Client

from app.db.kernel import logs
from app.db.tables import Capture, ProblemVersion
from app.domain.asking.protocols import LCB
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind
from app.domain.publishing.holds import Hold, PublicationFacts, admit
from app.domain.reasons import Reason
from app.domain.states import ProblemState, RunOrigin, SampleState
from app.domain.windows import Window
from app.services.operations.access import issue_login_link
from web.i18n import Locale, catalogue, translator
from web.reason_text import ReasonPiece, pieces, rule_of
from web.tideline import shift_day, tideline

GOOD = PublicationFacts(NOW, None, True, 2, frozenset(), "proven", None, CheckerKind.TOKENS)
HELD = (
    replace(GOOD, released_on=None),
    replace(GOOD, has_statement=False),
    replace(GOOD, proof=None),
    replace(GOOD, has_entry=False),
    replace(GOOD, flags={"interactive"}),
    replace(GOOD, flags={"multiple_answers"}),
    replace(GOOD, unknown_limits=["time"]),
    replace(GOOD, unknown_limits=["time", "memory"]),
    replace(GOOD, proof="waiting", proof_attempts=3),
    replace(GOOD, proof="refuted", proof_reason="reference 2 fails"),
)


@pytest.mark.parametrize("dossier", HELD, ids=range(len(HELD)))
def test_every_reason_of_the_rules_has_words(dossier: PublicationFacts) -> None:
    decided = admit(dossier, NOW)
    assert isinstance(decided, Hold)
    rule = rule_of(decided.reason)
    assert {rule, f"suggest.{rule}"} <= catalogue(Locale("zh")).messages.keys()


def test_a_limit_that_is_not_known_is_not_shown_as_if_it_were(world: World, client: Client) -> None:
    made = world.problem("bare")
    version = world.session.get_one(ProblemVersion, made.current_version_id)
    version.time_ms = None
    world.session.commit()
    page = client.get(f"/en/problems/house/{made.external_id}").text
    assert "unknown (judged with 10.0 s), 256 MB" in page
    version.time_ms, version.memory_mb = 1500, None
    world.session.commit()
    assert "1.5 s, 未知（按 1024 MB 评测）" in client.get(f"/zh/problems/house/{made.external_id}").text


def test_free_text_stays_as_it_is() -> None:
    t = translator(Locale("zh"))
    assert pieces("held by hand: looks odd", t) == (ReasonPiece("held by hand: looks odd", foreign=True),)
    assert pieces("no statement", t) == (ReasonPiece("no statement", foreign=True),), "a person may say so, too"
    assert pieces(None, t) == pieces("", t) == ()
    refuted = Reason("hold.refuted", cause="a\nb")
    assert pieces(refuted, t) == (
        ReasonPiece("测试数据未通过验证： ", foreign=False),
        ReasonPiece("a\nb", foreign=True),
    )
    assert [rule_of(reason) for reason in (None, "looks odd", "no statement", Reason("published"), refuted)] == [
        None, None, None, None, "hold.refuted",
    ]  # fmt: skip


def test_cutoffs_outside_the_strip_are_counted() -> None:
    days = {"a": date(2024, 1, 1), "b": date(2024, 1, 1), "c": date(2025, 3, 1), "d": date(2027, 1, 1), "e": None}
    found = tideline([(date(2025, 1, 6), 1), (date(2025, 6, 2), 2)], Window(), days, None)
    assert found is not None
    assert (found.earlier, found.later, [flag.models for flag in found.flags]) == (2, 1, ["c"])


def test_days_beyond_the_calendar_are_its_first_or_last_day() -> None:
    assert shift_day(date(9999, 12, 31), 1) == date.max
    assert shift_day(date(1, 1, 2), -5) == date.min
    assert shift_day(date(2026, 2, 28), 1) == date(2026, 3, 1)
    found = tideline([(date(9999, 12, 27), 1)], Window(date(9999, 12, 30)), {}, date.max)
    assert found is not None
    assert found.last == date.max


def old_board(world: World) -> None:
    run = world.run(
        "anchor", protocol=LCB, origin=RunOrigin.IMPORTED, provenance={"n_inferred": True, "file": "b.json"}
    )
    for n in range(10):
        world.imported(
            run, world.catalogued(f"abc{n}", day=date(2024, 12, 30) + timedelta(days=n), source="atcoder"), 10, n
        )
    world.count()
    world.session.commit()


def test_presets_of_a_board_that_ended_count_from_its_end(world: World, client: Client) -> None:
    old_board(world)
    page = client.get("/en/?protocol=lcb&from=").text
    href = re.search(r'href="(\S+)">3 months<span class="until"> to 2025-01-08</span></a>', page)
    assert href is not None
    assert "from=2024-10-09" in href[1]
    there = client.get(href[1].replace("&amp;", "&")).text
    assert "10 problems" in there
    assert '<span aria-current="true">3 months<span class="until"> to 2025-01-08</span></span>' in there
    assert '3 个月<span class="until">（至 2025-01-08）</span>' in client.get("/zh/?protocol=lcb").text


def test_presets_of_a_board_that_goes_on_count_from_today(world: World, client: Client) -> None:
    world.answer(world.run("orion"), world.problem("a", day=date(2026, 6, 1)))
    world.count()
    world.session.commit()
    page = client.get("/en/").text
    assert '>3 months<span class="until"> to 2026-06-01</span></a>' in page  # the last three months are empty
    assert ">6 months</a>" in page
    assert "from=2026-05-21" in page


def test_a_cutoff_at_the_end_of_the_calendar_is_no_preset(world: World, client: Client) -> None:
    world.answer(world.run("orion", cutoff_on=date(9999, 12, 31)), world.problem("a"))
    world.count()
    world.session.commit()
    answer = client.get("/en/")
    assert answer.status_code == 200
    assert "clean for all shown" not in answer.text
    assert "Cutoffs after the last week shown: 1." in answer.text


def test_tiers_say_what_was_compared(world: World, client: Client) -> None:
    problems = [world.problem(f"p{n}", day=date(2026, 3, 1) + timedelta(weeks=n), contest=f"c{n}") for n in range(12)]
    best, twin, worst = (world.run(name, cutoff_on=date(2026, 1, 1)) for name in ("orion", "lyra", "vega"))
    for n, problem in enumerate(problems):
        world.answer(best, problem, Verdict.ACCEPTED if n % 6 else Verdict.WRONG_ANSWER)
        world.answer(twin, problem, Verdict.ACCEPTED if n % 5 else Verdict.WRONG_ANSWER)
        world.answer(worst, problem, Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()
    page = client.get("/en/").text
    assert "Tier A: statistically tied" in page
    assert "Tier B: clearly apart" in page
    assert "Lyra leads with" in page or "Orion leads with" in page
    assert "but ranks 1 to 2 overlap" in page
    filtered = client.get("/en/?model=vega").text
    assert "Tier B: clearly apart" in filtered, "filters of rows change no row"
    assert "Vega is the best row shown, with 0.0 and rank 3 of 3" in filtered
    assert "the only ranked row" not in client.get("/en/?model=orion").text
    assert "第 B 档：与其他条目有明显差异" in client.get("/zh/").text


def test_the_split_is_shown_where_something_was_seen(world: World, client: Client) -> None:
    problems = [world.problem(f"p{n}", day=date(2026, 3, 1) + timedelta(weeks=n), contest=f"c{n}") for n in range(6)]
    for name, cutoff in (("orion", date(2026, 1, 1)), ("lyra", date(2026, 3, 10))):
        run = world.run(name, cutoff_on=cutoff)
        for problem in problems:
            world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get("/en/?exposure=split").text
    assert page.count("possibly seen 100.0 (n 2)") == 1


def test_imported_counts_are_said_to_be_imported(world: World, client: Client) -> None:
    old_board(world)
    page = client.get("/en/models/anchor").text
    assert "45 of 100 answers accepted on 10 problems, according to the imported file." in page
    assert "judged answers" not in page
    assert "n_inferred" not in page
    assert "The number of answers per problem is inferred." in page
    assert "45 个通过（据导入文件）" in client.get("/zh/models/anchor").text


def test_filters_and_protocols_are_named(world: World, client: Client) -> None:
    world.answer(world.run("orion"), world.problem("a"), Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get("/en/models/orion?protocol=house&configuration=&difficulty=medium&platform=house").text
    for said in ("House league: Python, one answer</b>", "difficulty: medium", "platform: House league"):
        assert said in page, said
    problem = client.get("/zh/problems/house/a").text
    assert "自建题库：Python，每题一个回答</b>" in problem
    assert "逐词比较" in problem
    assert "token by token" in client.get("/en/problems/house/a").text


def test_the_chinese_status_page_is_chinese(world: World, client: Client) -> None:
    world.problem("a")
    world.source("atcoder", demo=False)
    logs.write_ledger(world.session, NOW, "problem.added", "house/a", "published")
    logs.write_ledger(world.session, NOW, "problem.unheard_of", "house/a", "because of <b>")
    world.workers(grading="paused", reason="seccomp is missing")
    world.session.commit()
    page = client.get("/zh/status").text
    assert '发布题目 <b><a href="/zh/problems/house/a">house/a</a></b></li>' in page
    assert '<span lang="en">problem.unheard_of</span>' in page
    assert '<span lang="en">because of &lt;b&gt;</span>' in page
    assert "运行程序的沙箱未通过检查。" in page
    assert "seccomp" not in page
    assert page.count("从未抓取") == 1
    assert page.count("软件自带，无需抓取") == 1
    assert "抓取" in page


def test_the_chinese_ops_page_is_chinese(world: World, client: Client) -> None:
    source = world.source("atcoder", demo=False)
    for name, reason in (
        ("x", Reason("hold.no_tests", {"n": 1})), ("y", Reason("hold.refuted", cause="reference 2 fails")),
    ):  # fmt: skip
        world.problem(name, source="atcoder", state=ProblemState.HELD, hold_reason=reason)
    world.session.add(
        Capture(
            source_id=source.id, url="https://example.org/", kind="task", http_status=200,
            classification="format_changed", records=1, fetched_at=NOW,
        )
    )  # fmt: skip
    world.answer(
        world.run("orion"), world.problem("a"), None, state=SampleState.STUCK, error="it broke", error_owner="us"
    )
    logs.write_audit(world.session, NOW, "operator", "import.lcb-board", "b.json", "sha256 0")
    world.workers()
    world.count()
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    client.post("/zh/login", data={"token": token})
    page = client.get("/zh/ops/quarantine").text + client.get("/zh/ops/machinery").text
    for said in ("没有完整的测试数据，只有 1 个公开样例",
                 '测试数据未通过验证： <span lang="en">reference 2 fails</span>',
                 "格式已变化", "本站", '<span lang="en">it broke</span>', "导入 lcb-board",
                 "签发登录链接"):  # fmt: skip
        assert said in page, said
    assert "no full tests, 1 public sample only" in client.get("/en/ops/quarantine").text


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("from=x", "日期格式为 2026-01-31。"),
        ("difficulty=x", "可选值：easy"),
        ("exposure=x", "可选值：unrank"),
        ("rules=x", None),
    ],
)
def test_an_unreadable_field_is_explained_in_the_readers_language(client: Client, query: str, hint: str | None) -> None:
    page = client.get(f"/zh/?{query}").text
    assert "请求无效" in page
    assert '<code lang="en">' in page
    assert hint is None or hint in page


def test_no_row_with_a_rank_is_said_to_have_none(world: World, client: Client) -> None:
    """LiveCodeBench's rules rank a row however much of the window it lacks."""
    problems = [world.problem(f"p{n}", day=date(2026, 3, 1) + timedelta(days=n)) for n in range(2)]
    world.answer(world.run("orion"), problems[0], Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    pages = [client.get(f"/en/?rules={rules}").text for rules in ("tidemark", "lcb")]
    assert [page.count("so the row has no rank") for page in pages] == [1, 0]
    assert "None of the rows shown has a rank here (1 in all)." in pages[0]
    assert (
        "Orion has the highest score, 100.0, by LiveCodeBench’s rules, which state no uncertainty: 1 problem."
        in pages[1]
    )
    chinese = client.get("/zh/?rules=lcb").text
    assert "按 LiveCodeBench 的规则（不给出误差），Orion 得分最高，为 100.0（1 道题）。" in chinese
    assert "规则：LiveCodeBench 的规则" in chinese, "what removes them"
