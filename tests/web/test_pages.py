"""Pages through HTTP: what they say, that every number leads on, and that hostile text stays text."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from factories import NOW, World, web_app
from httpx import Client
from served import NO_AUTHORITIES, served
from sqlalchemy import text
from support.facts import facts_may_change

from app.db.kernel.session import make_engine, make_sessionmaker
from app.domain.asking.protocols import FRESH, LCB
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState, RunOrigin, SampleState

HOSTILE = (
    """</pre></textarea><script>alert(1)</script><img src=x onerror="alert(2)">{{81*81*81}}'"><svg/onload=alert(3)>"""
)


class Elements(HTMLParser):
    """Names of elements and attributes on a page, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def links(self) -> list[str]:
        return [str(attrs["href"]) for tag, attrs in self.tags if tag == "a" and attrs.get("href")]


def league(world: World) -> None:
    """A small league: a clean row, an exposed one, a provisional one."""
    days = [date(2026, 3, 1) + timedelta(weeks=index) for index in range(12)]
    problems = [world.problem(f"p{n}", day=day, contest=f"c{n}", level=1 + n % 3) for n, day in enumerate(days)]
    clean = world.run("orion", configuration={"effort": "high"}, cutoff_on=date(2026, 1, 1), demo=True)
    exposed = world.run("lyra", cutoff_on=date(2026, 4, 1), demo=True)
    partial = world.run("vega", cutoff_on=date(2026, 1, 1), demo=True)
    for index, problem in enumerate(problems):
        world.answer(clean, problem, Verdict.ACCEPTED if index % 4 else Verdict.WRONG_ANSWER)
        world.answer(exposed, problem, Verdict.ACCEPTED if index % 2 else Verdict.TIME_LIMIT)
        if index < 8:
            world.answer(partial, problem, Verdict.RUNTIME_ERROR)
    world.workers()
    world.count()
    world.session.commit()


def test_the_board_says_how_sure_it_is(world: World, client: Client) -> None:
    league(world)
    page = client.get("/en/").text
    for said in ("Orion", "(high)", "75.0", "100%", "2026-01-01", "declared", "Tier A", "without a rank",
                 "may have seen 5", "provisional", "Showing 3 of 3 rows", "demo",
                 "Orion (high) is the only row with a rank, at 75.0: 12 problems, ±",
                 "2 rows without a rank: 1 may have seen problems, 1 under 95 % coverage", "Nothing new this week",
                 "No rank: the model may have seen some of these problems."):  # fmt: skip
        assert said in page, said
    assert "Judging is paused" not in page
    orion = client.get("/api/v1/boards/codegen").json()["rows"][0]
    assert f"±{(orion['ci_hi'] - orion['ci_lo']) / 2:.0f} points." in page
    marks = page.split('id="legend-title"')[1].split("</main>")[0]
    for mark in ("<dt>demo</dt>", "<dt>provisional</dt><dd>Less than 95%", "<dt>Verify</dt>"):
        assert mark in marks, mark
    columns = page.split('id="columns-title"')[1].split("</section>")[0]
    assert '<dt>E</dt><dd id="why-easy">easy, 4 problems' in columns
    assert '/en/method#score">' in columns
    assert "<title>Code generation · Tidemark</title>" in page
    assert "<title>Code generation · LiveCodeBench" in client.get("/en/?protocol=lcb").text, (
        "tabs have names of their own"
    )
    assert "It leads in 100 % of resamples." in page, "the only row with a rank, in twelve contests"


def test_every_score_leads_to_its_program_and_verdict(world: World, client: Client) -> None:
    league(world)
    board = Elements(client.get("/en/?from=2026-03-20&difficulty=medium").text)
    [cells] = [link for link in board.links() if link.startswith("/en/models/orion?") and "medium" in link][:1]
    model = client.get(cells)
    assert "/problems/house/p4" in model.text  # medium, inside the window
    assert '/problems/house/p1"' not in model.text  # medium, before it
    assert "/problems/house/p5" not in model.text  # hard
    *_newer, sample = [link for link in Elements(model.text).links() if "/samples/" in link]
    answer = client.get(sample).text
    for said in ("wrong answer", "42 ms", "9.0 MB", "rlimit", "judge-1", "test 2", "as plain text"):
        assert said in answer, said
    assert "SECRET" not in answer
    problem = next(link for link in Elements(answer).links() if "/problems/" in link)
    assert "Orion" in client.get(problem).text


def test_an_answer_says_that_its_tests_ran_beside_the_program(world: World, client: Client) -> None:
    problem = world.problem("inside")
    sample = world.answer(world.run("orion"), problem, None, state=SampleState.GRADED)
    world.verdict(sample, problem, Verdict.ACCEPTED, in_process=True)
    assert "tests run in the program&#39;s process" in client.get(f"/en/samples/{sample.id}").text
    assert client.get(f"/api/v1/samples/{sample.id}").json()["verdicts"][0]["in_process"]
    plain = world.answer(world.run("lyra"), problem)
    assert "tests run in the program" not in client.get(f"/en/samples/{plain.id}").text


def test_filters_are_counted_and_undone_by_a_link(world: World, client: Client) -> None:
    league(world)
    page = client.get("/en/?exposure=hide&cutoff_before=2026-03-01")
    assert "Showing 2 of 3 rows" in page.text
    assert "1 hidden by cutoff" in page.text
    undo = next(link for link in Elements(page.text).links() if "exposure=hide" in link and "cutoff_before" not in link)
    assert "Lyra" not in client.get("/en/?exposure=hide&cutoff_before=2026-03-01").text.split("Hidden rows")[0]
    assert "1 hidden because it may have seen problems" in client.get(undo).text


def test_controls_stand_in_the_url_and_in_the_form(world: World, client: Client) -> None:
    league(world)
    page = client.get("/en/?from=2026-03-20&to=2026-05-01&difficulty=easy&exposure=split&ref=orion:high").text
    assert 'name="from" value="2026-03-20"' in page
    assert 'name="to" value="2026-05-01"' in page
    assert re.search(r'value="easy" checked', page)
    assert re.search(r'<option value="split" selected', page)
    assert '<input type="hidden" name="ref" value="orion:high">' in page
    assert "/api/v1/boards/codegen.csv?from=2026-03-20" in page
    assert "reference" in page


def test_an_empty_form_field_is_no_filter(world: World, client: Client) -> None:
    league(world)
    assert "Showing 3 of 3" in client.get("/en/?from=&to=&cutoff_before=&exposure=unrank").text


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        ("nothing", "No model has public results under this protocol yet."),
        ("unjudged", "none of their answers has been judged yet"),
        ("outside", "No problem matches these dates and filters"),
        ("filtered", "The filters hide every model"),
    ],
)
def test_an_empty_board_says_why(world: World, client: Client, stage: str, said: str) -> None:
    query = {"outside": "?to=2020-01-01", "filtered": "?exposure=hide"}.get(stage, "")
    world.workers(grading="paused", reason="bubblewrap is not installed")
    if stage == "nothing":
        world.protocol_row()
    else:
        run = world.run("orion", cutoff_on=date(2026, 11, 1))
        world.answer(run, world.problem("a"), None if stage == "unjudged" else Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get(f"/en/{query}").text
    assert said in page
    assert "Judging is paused" in page
    assert "The sandbox that programs run in did not pass its check." in page
    assert "bubblewrap" not in page
    assert "<table" not in page


def test_hostile_text_is_only_text(world: World, client: Client) -> None:
    problem = world.problem("evil", title=HOSTILE, statement=HOSTILE, tags=[HOSTILE])
    model = world.model("orion", name=HOSTILE, organisation_name=HOSTILE, link="javascript:alert(1)",
                        cutoff_evidence=HOSTILE)  # fmt: skip
    run = world.run(model, configuration={"effort": HOSTILE}, provenance={"file": HOSTILE})
    sample = world.answer(
        run, problem, Verdict.COMPILE_ERROR, program=HOSTILE, response=HOSTILE, reasoning=HOSTILE, error=HOSTILE
    )
    with facts_may_change(world.session):
        world.session.execute(text("UPDATE verdicts SET message = :said"), {"said": HOSTILE})
    world.count()
    world.session.commit()
    for path in ("/en/", "/zh/models/orion", "/en/problems/house/evil", f"/en/samples/{sample.id}", "/en/status"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        found = Elements(answer.text)
        scripts = [attrs for tag, attrs in found.tags if tag == "script"]
        programs = [attrs for attrs in scripts if attrs.get("type") != "application/ld+json"]
        assert programs, path
        assert all(str(attrs.get("src")).startswith("/static/") for attrs in programs), path
        for tag, attrs in found.tags:
            assert tag != "img" or str(attrs.get("src")).startswith("/zh/badge/orion.svg?"), path
            assert not [name for name in attrs if name.startswith("on") or name == "style"], (path, tag, attrs)
        assert not [link for link in found.links() if link.startswith("javascript:")], path
        assert "531441" not in answer.text, path


def test_raw_text_is_served_as_text(world: World, client: Client) -> None:
    sample = world.answer(world.run("orion"), world.problem("a"), program=HOSTILE, response=HOSTILE)
    world.count()
    world.session.commit()
    for part in ("response", "answer"):
        answer = client.get(f"/en/samples/{sample.id}/{part}.txt")
        assert answer.text == HOSTILE
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]
    assert client.get(f"/en/samples/{sample.id}/reasoning.txt").status_code == 404


def test_statements_are_shown_only_where_the_source_allows(world: World, client: Client) -> None:
    world.source("leetcode", show=False)
    problem = world.problem("two-sum", source="leetcode", statement="A statement of theirs.")
    run = world.run("orion", protocol=FRESH)
    sample = world.answer(run, problem)
    world.count()
    world.session.commit()
    assert "A statement of theirs." not in client.get("/en/problems/leetcode/two-sum").text
    page = client.get(f"/en/samples/{sample.id}").text
    assert "A statement of theirs." not in page
    assert "does not allow us to republish" in page
    body = client.get(f"/api/v1/samples/{sample.id}").text
    assert "A statement of theirs." not in body
    assert "A statement of theirs." not in client.get("/api/v1/problems/leetcode/two-sum").text


def test_the_prompt_is_rendered_again_and_checked(world: World, client: Client) -> None:
    problem = world.problem("a", statement="Add the numbers.")
    run = world.run("orion")
    sample = world.answer(run, problem)
    world.count()
    world.session.commit()
    digest = client.get(f"/api/v1/samples/{sample.id}").json()["prompt"]["sha256"]
    with facts_may_change(world.session):
        sample.prompt_sha256 = digest
    world.session.commit()
    page = client.get(f"/en/samples/{sample.id}").text
    assert "Add the numbers." in page
    assert digest in page
    assert "matches the prompt sent" in page
    with facts_may_change(world.session):
        sample.prompt_sha256 = "0" * 64
    world.session.commit()
    assert "differs from the prompt sent" in client.get(f"/en/samples/{sample.id}").text


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (SampleState.STUCK, "The failure is ours"),
        (SampleState.GAVE_UP, "never responded"),
        (SampleState.PENDING, "Not sent"),
    ],
)
def test_an_answer_without_a_verdict_says_why(world: World, client: Client, state: SampleState, said: str) -> None:
    sample = world.answer(world.run("orion"), world.problem("a"), None, state=state)
    world.count()
    world.session.commit()
    assert said in client.get(f"/en/samples/{sample.id}").text


@pytest.mark.parametrize(
    "path",
    [
        "/en/nothing", "/models/nobody", "/en/models/%00", "/problems/house/none", "/problems/house/%00a",
        "/problems/house/a/b/c", "/samples/0", "/samples/99999999999999999999999999", "/samples/x",
        "/static/site.css", "/en/samples/1/answer.txt", "/login", "/" + "m" * 1900,
    ],
)  # fmt: skip
def test_what_is_not_there_is_a_404_in_both_forms(client: Client, path: str) -> None:
    page = client.get(path, headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    body = client.get(path, headers={"Accept": "application/json"})
    assert body.status_code == 404
    assert body.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("source", ["held", "found"])
def test_unpublished_problems_are_nobodys_business(world: World, client: Client, source: str) -> None:
    reason = "no full tests" if source == "held" else None
    problem = world.problem("secret", state=ProblemState(source), hold_reason=reason)
    sample = world.answer(world.run("orion"), problem)
    world.count()
    world.session.commit()
    assert client.get("/problems/house/secret").status_code == 404
    assert client.get(f"/samples/{sample.id}").status_code == 404
    assert "secret" not in client.get("/models/orion").text


def test_private_runs_are_nowhere(world: World, client: Client) -> None:
    problem = world.problem("a")
    sample = world.answer(world.run("hush", public=False), problem)
    world.count()
    world.session.commit()
    assert client.get("/models/hush").status_code == 404
    assert client.get(f"/samples/{sample.id}").status_code == 404
    assert client.get(f"/samples/{sample.id}/answer.txt").status_code == 404
    assert "ush" not in client.get("/problems/house/a").text.split("<main")[1]
    assert "Hush" not in client.get("/en/").text


def test_imported_rows_are_labelled_everywhere(world: World, client: Client) -> None:
    run = world.run("anchor", protocol=LCB, origin=RunOrigin.IMPORTED, provenance={"file": "board.json"})
    world.imported(run, world.catalogued("abc1_a", day=date(2025, 1, 1), source="atcoder"), 10, 4)
    world.count()
    world.session.commit()
    for path in ("/en/?protocol=lcb", "/en/models/anchor", "/en/problems/atcoder/abc1_a"):
        assert "imported" in client.get(path).text, path
    assert "board.json" in client.get("/en/models/anchor").text
    assert "4/10" in client.get("/en/problems/atcoder/abc1_a").text
    assert "LiveCodeBench" in client.get("/en/?protocol=house").text  # the switch offers it


def test_the_language_is_negotiated_or_chosen(world: World, client: Client) -> None:
    league(world)
    plain = client.get("/", headers={"Accept-Language": "fr, zh-CN;q=0.8, en;q=0.5"})
    assert '<html lang="zh-Hans">' in plain.text
    assert "Accept-Language" in plain.headers["vary"]
    assert "排行榜" in plain.text
    assert '<html lang="en">' in client.get("/", headers={"Accept-Language": "*"}).text
    chosen = client.get("/en/?from=2026-03-20", headers={"Accept-Language": "zh"})
    assert '<html lang="en">' in chosen.text
    assert 'hreflang="zh-Hans" href="/zh/?from=2026-03-20"' in chosen.text


def test_head_is_get_without_a_body(world: World, client: Client) -> None:
    league(world)
    got, head = client.get("/en/"), client.head("/en/")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["etag"] == got.headers["etag"]


def test_a_page_is_not_sent_again_until_something_changes(world: World, client: Client) -> None:
    league(world)
    tag = client.get("/en/").headers["etag"]
    assert client.get("/en/", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/zh/", headers={"If-None-Match": tag}).status_code == 200
    assert client.get("/en/?sort=hard", headers={"If-None-Match": tag}).status_code == 200
    assert "etag" not in client.get("/en/?tab=rating").headers, "ratings change without the board"
    world.workers(grading="paused", reason="the sandbox broke")
    world.session.commit()
    assert client.get("/en/", headers={"If-None-Match": tag}).status_code == 200


NOTHING = {"default-src", "base-uri", "frame-ancestors"}
OURS_ALONE = dict.fromkeys(("script-src", "style-src", "font-src", "connect-src", "form-action"), "'self'")
OURS_ALONE["img-src"] = "'self' data:"


def test_security_headers_are_on_every_answer(client: Client) -> None:
    for path in ("/en/nothing", "/healthz", "/api/v1/boards", "/robots.txt", "/api/v1/nothing"):
        headers = client.get(path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert {name for name, sources in policy.items() if sources == "'none'"} == NOTHING
        assert {name: sources for name, sources in policy.items() if name not in NOTHING} == OURS_ALONE
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert {"camera=()", "geolocation=()", "microphone=()"} <= set(headers["permissions-policy"].split(", "))
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-frame-options"] == "DENY"


def test_oversized_requests_are_refused(client: Client) -> None:
    assert client.post("/logout", content=b"x" * (1024 * 1024 + 1)).status_code == 413
    assert client.get("/en/?from=" + "2" * 20_000).status_code == 413

    def endless() -> Iterator[bytes]:  # a body without a length
        for _ in range(40):
            yield b"csrf=" + b"x" * 65_536

    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/logout", content=endless(), headers=form).status_code == 413
    assert client.post("/en/", content=b"").status_code == 405
    assert client.post("/logout", content=b"x" * 1024 * 1024).status_code == 401, "as large as may be"
    assert client.post("/logout", content=iter([b"a=" + b"x" * (1024 * 1024 - 2)]), headers=form).status_code == 401
    assert client.get("/" + "x" * 2047).status_code == 404
    assert client.get("/" + "x" * 2048).status_code == 413
    assert client.get("/robots.txt?" + "x" * 16_384).status_code == 200
    assert client.get("/robots.txt?" + "x" * 16_385).status_code == 413


def test_a_form_has_no_files_and_few_fields(client: Client) -> None:
    assert client.post("/en/login", files={"token": b"x"}).status_code == 400
    assert client.post("/en/login", files={f"f{n}": (None, "x") for n in range(51)}).status_code == 400
    assert client.post("/en/login", files={f"f{n}": (None, "x") for n in range(50)}).status_code == 404


def test_a_database_that_is_down_is_our_fault_and_no_trace(tmp_path: Path) -> None:
    app = web_app(make_sessionmaker(make_engine("postgresql+psycopg://x@127.0.0.1:1/x")), tmp_path)
    with served(app) as url, Client(base_url=url, timeout=120, verify=NO_AUTHORITIES) as client:
        page = client.get("/en/")
        assert page.status_code == 503
        assert "Traceback" not in page.text
        assert "postgresql" not in page.text
        assert "127.0.0.1:1/" not in page.text, "of the database; the site's own address is on every page"
        assert client.get("/healthz").status_code == 200
        ready = client.get("/readyz")
        assert ready.status_code == 503
        assert ready.json()["reasons"] == ["the database does not answer"], "and strangers learn no more"
        assert "tidemark_database_up 0.0" in client.get("/metrics").text


def test_what_is_shown_is_dated(world: World, client: Client) -> None:
    league(world)
    assert f"{NOW:%Y-%m-%d %H:%M}Z" in client.get("/en/").text
