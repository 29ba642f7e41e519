"""The scrape task against a site on loopback: what is stored, what is not asked twice, what stops it."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fakes.fake_site import FakeSite, Reply, fake_site
from sqlalchemy import select, update
from support import atcoder_pages as pages
from support.files import board_row, board_text, read, write
from support.scraping import FACTS, ask_everything_again, over, replay
from support.tables import rows_of
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.kernel import revision
from app.db.runs import results
from app.db.tables import Capture, Contest, Difficulty, Problem, ProblemVersion, ScrapeRun, Source
from app.domain.asking.protocols import LCB
from app.domain.boards.board import BoardQuery
from app.domain.sources.crawl_events import CrawlFinished
from app.domain.states import ContestState, ProblemState, ScrapeState
from app.services.boards import board_views
from app.services.runs import cell_updates, imports
from app.services.sources import visits
from scrapers.site import find_site
from workers import tasks
from workers.context import Context, leave, now
from workers.visiting import site_policy

NEW, SHARED = "abc901", "arc801"
TASKS = {NEW: ["abc901_a", "abc901_b"], SHARED: ["abc901_b", "arc801_b"]}


def starts(days_ago: int) -> datetime:
    """Nine in the evening in Tokyo, so many days ago."""
    day = (datetime.now(UTC) - timedelta(days=days_ago)).date()
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def tokyo(instant: datetime) -> str:
    return (instant + timedelta(hours=9)).strftime("%Y-%m-%d %H:%M:%S+0900")


STARTS = {NEW: starts(9), SHARED: starts(8), "abc902": starts(-2)}


def world() -> dict[str, Reply]:
    """A small site with validators: two contests that are over, one task in common, one still to come."""
    rows = [(name, tokyo(STARTS[name]), "01:40") for name in ("abc902", SHARED, NEW)]
    found = {"/contests/archive": pages.archive(rows), "/contests/": pages.archive(rows[:1])}
    for contest, names in TASKS.items():
        start, end = tokyo(STARTS[contest]), tokyo(STARTS[contest] + timedelta(minutes=100))
        found[f"/contests/{contest}/tasks"] = pages.tasks(contest, names, start, end)
        for letter, name in zip("AB", names, strict=True):
            image = '<img src="x.png">' if name == "abc901_a" else ""
            body = pages.modern([("3\n", "6\n"), (f"{len(name)}\n", "1\n")], text=f"Count {name}. {image}")
            found[f"/contests/{contest}/tasks/{name}"] = pages.task(
                body, start=start, end=end, heading=f"{letter} - Task {name}"
            )
    return {path: Reply(body, headers={"ETag": f'"{hash(body) & 0xFFFF}"'}) for path, body in found.items()}


@pytest.fixture
def site() -> Iterator[FakeSite]:
    with fake_site(dict(world())) as made:
        yield made
    leave()


def last_run(ctx: Context) -> ScrapeRun:
    with ctx.sessions() as session:
        return session.scalars(select(ScrapeRun).order_by(ScrapeRun.id.desc())).first() or pytest.fail("no scrape")


def test_contests_and_problems_are_stored_with_their_facts(settings: Settings, site: FakeSite) -> None:
    ctx = over(settings, site.url)
    run_id = tasks.scrape("atcoder")
    run = last_run(ctx)
    assert (run.id, run.state, run.reason, run.lease_token) == (run_id, ScrapeState.SUCCEEDED, None, None)
    with ctx.sessions() as session:
        contests = {each.external_id: each for each in session.scalars(select(Contest))}
        assert set(contests) == {NEW, SHARED, "abc902"}
        assert {name: contest.starts_at for name, contest in contests.items()} == STARTS
        assert contests[NEW].ends_at == STARTS[NEW] + timedelta(minutes=100)
        assert {name: contest.state for name, contest in contests.items()} == {
            NEW: ContestState.ENDED,
            SHARED: ContestState.ENDED,
            "abc902": ContestState.UPCOMING,
        }
        problems = {each.external_id: each for each in session.scalars(select(Problem))}
        assert set(problems) == {"abc901_a", "abc901_b", "arc801_b"}
        assert problems["abc901_b"].contest_id == contests[NEW].id, "a shared task belongs to whoever showed it first"
        assert problems["abc901_b"].released_on == STARTS[NEW]
        assert problems["arc801_b"].released_on == STARTS[SHARED]
        first = problems["abc901_a"]
        assert (first.state, first.hold_reason) == (ProblemState.HELD, "no full tests: 2 public samples only")
        assert first.flags == ["image"]
        assert first.title == "Task abc901_a"
        assert first.url == "https://atcoder.jp/contests/abc901/tasks/abc901_a"
        version = session.get_one(ProblemVersion, first.current_version_id)
        assert (version.time_ms, version.memory_mb, version.locale, version.form) == (2000, 1024, "en", "stdin")
        assert version.examples[0] == {"input": "3\n", "expected": "6\n"}
        assert version.capture_id is not None
        assert session.scalars(select(Difficulty.value)).all() == [100.0] * 3
        source = session.scalars(select(Source)).one()
        assert source.cursor["at"].endswith(SHARED)
        captures = {
            each.url.removeprefix(site.url).partition("?")[0]: each for each in session.scalars(select(Capture))
        }
        assert {capture.classification for capture in captures.values()} == {"ok"}
        assert {path.count("/") for path in captures} == {2, 3, 4}
        assert captures[f"/contests/{NEW}/tasks"].kind == "tasks"
        assert captures[f"/contests/{NEW}/tasks"].http_status == 200


def test_a_second_visit_goes_on_from_the_cursor_and_without_one_asks_conditionally(
    settings: Settings, site: FakeSite
) -> None:
    ctx = over(settings, site.url)
    tasks.scrape("atcoder")
    before = rows_of(ctx.sessions, *FACTS, Capture)
    asked, lists = len(site.asked), ["/contests/archive", "/contests/archive", "/contests/"]
    tasks.scrape("atcoder")
    assert [each.path.partition("?")[0] for each in site.asked[asked:] if each.path != "/robots.txt"] == lists
    asked = len(site.asked)
    ask_everything_again(ctx)
    tasks.scrape("atcoder")
    run = last_run(ctx)
    assert run.state == ScrapeState.SUCCEEDED, run.reason
    again = [each for each in site.asked[asked:] if each.path != "/robots.txt"]
    assert len(again) == run.counts["not_modified"] == 8
    assert all(each.headers.get("if-none-match") for each in again)
    assert rows_of(ctx.sessions, *FACTS, Capture) == before, "and nothing has changed"


def test_a_replay_equals_the_first_parse(settings: Settings, site: FakeSite) -> None:
    """Facts that changed between visits and pages that were not there are replayed to the same rows."""
    ctx = over(settings, site.url)
    path = f"/contests/{NEW}/tasks/abc901_a"
    site.pages["/contests/archive"] = pages.archive([(NEW, tokyo(STARTS[NEW]), "01:40")])
    gone = site.pages.pop(path)
    tasks.scrape("atcoder")
    for points in (100, 250, 100):
        text = pages.modern([("3\n", "6\n")], text="Count.").replace("<var>100</var>", f"<var>{points}</var>")
        start, end = tokyo(STARTS[NEW]), tokyo(STARTS[NEW] + timedelta(minutes=100))
        site.pages[path] = pages.task(text, start=start, end=end, heading="A - Task abc901_a")
        ask_everything_again(ctx)
        tasks.scrape("atcoder")
    assert gone is not None
    before = rows_of(ctx.sessions, *FACTS, Capture)
    assert len([each for each in before["difficulties"] if "250.0" in each]) == 1
    counts = replay(settings)
    assert counts["changed"] == 0
    assert counts["captures"] == len(before["captures"])
    assert counts["ok"] == counts["captures"] - 1, "one page was not found"
    assert rows_of(ctx.sessions, *FACTS, Capture) == before


def test_a_refusal_stops_the_visit_and_is_kept(settings: Settings, site: FakeSite) -> None:
    challenge = b"<html><head><title>Just a moment...</title></head><body>_cf_chl_opt</body></html>"
    site.pages[f"/contests/{NEW}/tasks/abc901_b"] = Reply(challenge, 403)
    ctx = over(settings, site.url)
    tasks.scrape("atcoder")
    run = last_run(ctx)
    assert run.state == ScrapeState.BLOCKED
    assert run.reason
    assert not any(SHARED in path for path in site.paths()), "nothing is asked after a refusal"
    with ctx.sessions() as session:
        blocked = session.scalars(select(Capture).where(Capture.classification == "blocked")).one()
        assert blocked.http_status == 403
        assert session.scalars(select(Problem.external_id).where(Problem.current_version_id.is_not(None))).all() == [
            "abc901_a"
        ]
        assert session.scalars(select(Source.cursor)).one() == {}


def test_a_visit_that_cannot_begin_ends_as_failed(settings: Settings, site: FakeSite) -> None:
    """A fault of ours leaves no scrape that seems to run, and the next one may start at once."""
    ctx = over(settings, site.url)
    with ctx.sessions.begin() as session:
        session.add(Source(slug="atcoder", name="AtCoder", kind="site", cursor={"at": "not a cursor"}))
    with pytest.raises(Exception, match="is not a cursor"):
        tasks.scrape("atcoder")
    run = last_run(ctx)
    assert run.state == ScrapeState.FAILED
    assert "is not a cursor" in (run.reason or "")
    assert run.lease_token is None
    assert site.asked == []


def test_hostile_text_can_be_stored(settings: Settings, site: FakeSite) -> None:
    path = f"/contests/{NEW}/tasks/abc901_a"
    start, end = tokyo(STARTS[NEW]), tokyo(STARTS[NEW] + timedelta(minutes=100))
    body = pages.task(
        pages.modern([("1\0\n", "\0\n")], text="NUL \0 &#0; &#xD800;"),
        start=start,
        end=end,
        heading="A - La\0mps &#xDFFF;",
    )
    site.pages[path] = body
    listed = pages.tasks(NEW, TASKS[NEW], start, end)
    site.pages[f"/contests/{NEW}/tasks"] = listed.replace(b"Task abc901_a", b"La\0mps &#xDFFF;")
    ctx = over(settings, site.url)
    tasks.scrape("atcoder")
    assert last_run(ctx).state in (ScrapeState.SUCCEEDED, ScrapeState.PARTIAL), last_run(ctx).reason
    with ctx.sessions() as session:
        problem = session.scalars(select(Problem).where(Problem.external_id == "abc901_a")).one()
        assert problem.title.startswith("Lamps")
        assert problem.current_version_id is not None


def test_one_visit_at_a_time(settings: Settings, site: FakeSite) -> None:
    """While one walks, another is refused; a source that is switched off is not visited."""
    ctx = over(settings, site.url)
    inside, go_on = threading.Event(), threading.Event()

    def slow(_asked: object) -> Reply:
        inside.set()
        assert go_on.wait(20)
        return world()["/contests/archive"]

    site.pages["/contests/archive"] = slow
    thread = threading.Thread(target=tasks.scrape, args=("atcoder",))
    thread.start()
    try:
        assert inside.wait(20)
        assert tasks.scrape("atcoder") is None
        assert last_run(ctx).state == ScrapeState.RUNNING
    finally:
        go_on.set()
        thread.join(30)
    assert last_run(ctx).state == ScrapeState.SUCCEEDED
    over(settings, site.url, enabled=False)
    assert tasks.scrape("atcoder") is None


def test_a_dead_visit_does_not_block_the_next(settings: Settings, site: FakeSite) -> None:
    ctx = over(settings, site.url)
    wanted = site_policy(ctx, find_site("atcoder"))
    dead = ctx.commit(visits.open_scrape, "atcoder", wanted, now() - timedelta(minutes=10), timedelta(minutes=2))
    assert dead is not None
    assert tasks.scrape("atcoder") is not None
    with ctx.sessions() as session:
        first, second = session.scalars(select(ScrapeRun).order_by(ScrapeRun.id))
        assert (first.state, first.reason) == (ScrapeState.FAILED, "its worker died")
        assert second.state == ScrapeState.SUCCEEDED
    assert not ctx.commit(visits.finish, dead, CrawlFinished(ScrapeState.SUCCEEDED, None, {}), now())
    assert not ctx.commit(visits.move_cursor, dead, "2020-01-01T00:00:00Z x")


def test_a_backfill_does_not_move_the_cursor(settings: Settings, site: FakeSite) -> None:
    ctx = over(settings, site.url)
    day = STARTS[NEW].date()
    tasks.scrape("atcoder", day.isoformat(), (day + timedelta(days=1)).isoformat())
    with ctx.sessions() as session:
        assert session.scalars(select(Source.cursor)).one() == {}
        assert {each.external_id for each in session.scalars(select(Problem))} == {"abc901_a", "abc901_b"}


def test_a_rehearsal_stores_nothing(settings: Settings, site: FakeSite, tmp_path: Path) -> None:
    ctx = over(settings, site.url)
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
             "TIDEMARK_STATE": str(tmp_path), "TIDEMARK_SOURCES__ATCODER__BASE_URL": site.url,
             "TIDEMARK_SOURCES__ATCODER__PACE_S": "0", "TIDEMARK_CONTACT": "operator@example.test"}  # fmt: skip
    done = CliRunner(env=names).invoke(build_parser(["scrape"]), ["scrape", "atcoder", "--dry-run", "--json"])
    assert done.exit_code == 0, done.output
    assert ((outcome := json.loads(done.stdout))["state"], outcome["counts"]["problems"]) == ("succeeded", 3)
    assert all(not value for value in rows_of(ctx.sessions, Source, Capture, Problem).values())
    ctx.close()  # the verb's own context took its place
    site.pages["/contests/archive"] = Reply(b"<html><title>Just a moment...</title></html>", 403)
    done = CliRunner(env=names).invoke(build_parser(["scrape"]), ["scrape", "atcoder", "--json"])
    refusal = (done.exit_code, (outcome := json.loads(done.stdout))["state"], outcome["findings"][0]["code"])
    assert refusal == (3, "blocked", "challenge")


def page_of(letter: str, name: str, *, start: str = "", end: str = "", head: str = "") -> bytes:
    """A task page of the second contest whose text is new, dated as its contest unless told."""
    over = STARTS[SHARED] + timedelta(minutes=100)
    return pages.task(
        pages.modern([("9\n", "9\n")], text="Another text."), heading=f"{letter} - Task {name}", head=head,
        start=start or tokyo(STARTS[SHARED]), end=end or tokyo(over),
    )  # fmt: skip


def half(body: bytes, *, after: bytes) -> bytes:
    return body[: body.index(after) + len(after)]


FIRST, TASK = f"/contests/{SHARED}/tasks/abc901_b", f"/contests/{SHARED}/tasks/arc801_b"
LIST, ARCHIVE = f"/contests/{NEW}/tasks", "/contests/archive"
OTHER = f'<meta property="og:url" content="https://atcoder.jp{TASK}">'
LONG_AGO = {"start": "2005-03-29 21:00:00+0900", "end": "2005-03-29 22:40:00+0900"}
ROWS = world()[ARCHIVE].body
LISTED = world()[LIST].body
# What each visit is shown: the list of one contest, and tasks of the other.
UNTRUE: tuple[dict[str, tuple[str, Reply, str]], ...] = (
    {
        "half a list": (LIST, Reply(half(LISTED, after=b"abc901_a</a></td>")), "cut"),
        "a task of long ago": (FIRST, Reply(page_of("A", "abc901_b", **LONG_AGO)), "dates_differ"),
        "led on to another task": (TASK, Reply(b"", 302, {"Location": f"{FIRST}?lang=en"}), "another_page"),
    },
    {
        "another contest's list": (LIST, Reply(LISTED.replace(b"/contests/abc901", b"/contests/abc900")),
                                   "another_page"),
        "headed as another task": (FIRST, Reply(page_of("B", "arc801_b")), "another_page"),
        "with another letter": (TASK, Reply(page_of("C", "arc801_b")), "another_page"),
    },
    {
        "a list of long ago": (LIST, Reply(pages.tasks(NEW, TASKS[NEW], **LONG_AGO)), "dates_differ"),
        "naming itself another task": (FIRST, Reply(page_of("A", "abc901_b", head=OTHER)), "another_page"),
        "half a task": (TASK, Reply(half(page_of("B", "arc801_b"), after=b"Another")), "cut"),
    },
    {"half an archive": (ARCHIVE, Reply(half(ROWS, after=b"Contest arc801")), "cut")},
)  # fmt: skip


def test_a_page_that_cannot_be_the_one_asked_for_changes_nothing(settings: Settings, site: FakeSite) -> None:
    """One visit after another: each leaves what was there before it."""
    ctx = over(settings, site.url)
    tasks.scrape("atcoder")
    before = rows_of(ctx.sessions, *FACTS)
    for shown in UNTRUE:
        site.pages = {**world(), **{path: reply for path, reply, _code in shown.values()}}
        ask_everything_again(ctx)
        tasks.scrape("atcoder")
        run = last_run(ctx)
        assert run.state == (ScrapeState.FAILED if "half an archive" in shown else ScrapeState.PARTIAL), shown.keys()
        assert rows_of(ctx.sessions, *FACTS) == before, shown.keys()
        with ctx.sessions() as session:
            assert session.scalars(select(Source.cursor)).one() == {}, f"{shown.keys()}: they are asked for again"
            for case, (path, _reply, code) in shown.items():
                of_page = select(Capture).where(Capture.url.contains(f"{path}?"), Capture.scrape_run_id == run.id)
                newest = session.scalars(of_page.order_by(Capture.id.desc())).first()
                assert newest is not None, f"{case}: it was captured"
                assert newest.classification == "format_changed", case
                assert code in {finding["code"] for finding in newest.findings}, case
    assert replay(settings)["changed"] == 0
    assert rows_of(ctx.sessions, *FACTS) == before


def test_a_task_found_under_a_wrong_page_has_no_text(settings: Settings, site: FakeSite) -> None:
    site.pages[f"{LIST}/abc901_b"] = Reply(b"", 302, {"Location": f"{LIST}/abc901_a?lang=en"})
    ctx = over(settings, site.url)
    tasks.scrape("atcoder")
    for again in (False, True):
        if again:
            replay(settings)
        with ctx.sessions() as session:
            problem = session.scalars(select(Problem).where(Problem.external_id == "abc901_b")).one()
            text = session.get(ProblemVersion, problem.current_version_id or 0)
            assert problem.title == "Task abc901_b"
            assert text is None or "Count abc901_b" in text.statement, "only its own page, of the other contest"


def test_a_start_that_cannot_be_true_is_no_fact(settings: Settings, site: FakeSite) -> None:
    rows = [("abc999", "2099-01-01 21:00:00+0900", "01:40"), ("abc000", "1899-01-01 21:00:00+0900", "01:40"),
            (NEW, tokyo(STARTS[NEW]), "01:40")]  # fmt: skip
    site.pages[ARCHIVE] = Reply(pages.archive(rows))
    ctx = over(settings, site.url)
    tasks.scrape("atcoder")
    run = last_run(ctx)
    assert ("implausible_date", "abc999") in {(finding["code"], finding["subject"]) for finding in run.findings}
    assert ("missing_date", "abc000") in {(finding["code"], finding["subject"]) for finding in run.findings}
    with ctx.sessions() as session:
        dated = {each.external_id for each in session.scalars(select(Contest)) if each.starts_at is not None}
        assert dated == {NEW, "abc902"}


def test_a_visit_changes_nothing_of_an_imported_board(settings: Settings, site: FakeSite, tmp_path: Path) -> None:
    """Problems known by another board's file count from that file, with or without their text."""
    ctx = over(settings, site.url)
    names = ("abc901_a", "abc901_b", "arc801_b")
    rows = [board_row(model, name, share, platform="atcoder")
            for model, shares in (("one", (0.0, 100.0, 0.0)), ("two", (100.0, 100.0, 0.0)))
            for name, share in zip(names, shares, strict=True)]  # fmt: skip
    ctx.commit(imports.store_batch, read("lcb-board", write(tmp_path, "b.json", board_text(rows))), now())
    ctx.commit(cell_updates.update_changed_cells)

    def shown() -> tuple[int, list[dict[str, object]]]:
        with ctx.sessions() as session:
            found = board_views.board(session, BoardQuery(protocol=LCB.slug), board_views.CubeStore(tmp_path / "cubes"))
            return found.problems, board_views.board_json(found)["rows"]

    before = shown()
    assert (before[0], [row["n_problems"] for row in before[1]]) == (3, [3, 3])
    tasks.scrape("atcoder")
    with ctx.sessions() as session:
        assert set(session.scalars(select(Problem.state))) == {ProblemState.HELD}
        assert all(results.problem_by_name(session, "atcoder", name) for name in names)
    assert shown() == before
    for change in ({"canary": True}, {"state": ProblemState.WITHDRAWN, "canary": False, "hold_reason": None}):
        with ctx.sessions.begin() as session:
            session.execute(update(Problem).where(Problem.external_id == names[0]).values(**change))
            revision.mark_axes_changed(session)
        assert shown()[0] == 2
