"""AtCoder's real pages, served on loopback under their real paths, through the scrape task into the database."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes.fake_site import FakeSite, Reply, fake_site
from sqlalchemy import select
from support.scraping import FACTS, ask_everything_again, over, replay
from support.tables import rows_of

from app.config import Settings
from app.db.tables import Capture, Contest, Problem, ProblemVersion, ScrapeRun, Source
from app.domain.states import ProblemState, ScrapeState
from workers import tasks
from workers.context import Context, leave

BACKFILL = ("2018-06-01", "2018-09-01")


@pytest.fixture
def site(shared: Path) -> Iterator[FakeSite]:
    captures = shared / "captures" / "atcoder"
    archive = (captures / "archive/contests_archive_trimmed.html").read_text()
    row = re.findall(r"<tr>.*?</tr>", archive, re.DOTALL)[3]
    rows = ""
    for name, start in (("abc107", "2018-08-25 21:00:00+0900"), ("abc100", "2018-06-16 21:00:00+0900")):
        rows += row.replace("2019-09-28 21:00:00+0900", start).replace("142", name[3:])
    pages = {
        "/contests/archive": re.sub(r"<tbody>.*</tbody>", f"<tbody>{rows}</tbody>", archive, flags=re.DOTALL).encode(),
        "/contests/abc100/tasks": (captures / "tasks/abc100_tasks_2025.html").read_bytes(),
        "/contests/abc100/tasks/abc100_a": (captures / "task/abc100_a_raw.html").read_bytes(),
        "/contests/abc100/tasks/abc100_b": (captures / "task/abc100_b_raw.html").read_bytes(),
        "/contests/abc107/tasks": (captures / "tasks/abc107_tasks.html").read_bytes(),
    }
    with fake_site({path: Reply(body, headers={"ETag": f'"{len(body)}"'}) for path, body in pages.items()}) as made:
        yield made
    leave()


def test_real_pages_become_contests_and_problems_and_replay_to_the_same(settings: Settings, site: FakeSite) -> None:
    ctx = over(settings, site.url)
    tasks.scrape("atcoder", *BACKFILL)
    contests_and_problems_are_there(ctx)
    tasks.plan_runs()
    replays_to_the_same_rows(settings, ctx, site)


def contests_and_problems_are_there(ctx: Context) -> None:
    with ctx.sessions() as session:
        run = session.scalars(select(ScrapeRun)).one()
        assert run.state == ScrapeState.PARTIAL, "most task pages are not among the captures"
        assert (run.counts["contests"], run.counts["problems"], run.counts["not_found"]) == (2, 2, 6)
        contests = {each.external_id: each for each in session.scalars(select(Contest))}
        assert set(contests) == {"abc100", "abc107"}
        assert contests["abc100"].starts_at == datetime(2018, 6, 16, 12, tzinfo=UTC)
        assert contests["abc107"].ends_at == datetime(2018, 8, 25, 13, 40, tzinfo=UTC)
        assert contests["abc100"].title == "AtCoder Beginner Contest 100"
        problems = {each.external_id: each for each in session.scalars(select(Problem))}
        assert set(problems) == {f"abc100_{each}" for each in "abcd"} | {"abc107_a", "abc107_b", "arc101_a", "arc101_b"}
        assert {problem.released_on for name, problem in problems.items() if "abc100" in name} == {
            contests["abc100"].starts_at
        }
        assert {problem.released_on for name, problem in problems.items() if "abc100" not in name} == {
            contests["abc107"].starts_at
        }
        first = problems["abc100_a"]
        assert (first.title, first.flags, first.contest_id) == ("Happy Birthday!", ["image"], contests["abc100"].id)
        assert (first.state, first.hold_reason) == (ProblemState.HELD, "no full tests: 3 public samples only")
        assert problems["abc100_c"].state == ProblemState.FOUND, "its page was not there: known by its list only"
        versions = {
            each.locale: each
            for each in session.scalars(select(ProblemVersion).where(ProblemVersion.problem_id == first.id))
        }
        assert set(versions) == {"en", "ja"}
        assert first.current_version_id == versions["en"].id
        for version in versions.values():
            assert (version.time_ms, version.memory_mb) == (2000, 976)
            assert version.examples == [
                {"input": "5 4\n", "expected": "Yay!\n"},
                {"input": "8 8\n", "expected": "Yay!\n"},
                {"input": "11 4\n", "expected": ":(\n"},
            ]
        classes = [each.classification for each in session.scalars(select(Capture))]
        assert (classes.count("ok"), classes.count("not_found")) == (7, 6), (
            "two pages of the archive, one of a category, two lists, two tasks"
        )
        assert session.scalars(select(Source.show_statements)).one() is False, "statements are not republished"


def replays_to_the_same_rows(settings: Settings, ctx: Context, site: FakeSite) -> None:
    """From the captures, and when the site is asked again, which then sends nothing."""
    before = rows_of(ctx.sessions, *FACTS, Capture)
    counts = replay(settings)
    assert (counts["captures"], counts["ok"], counts["changed"]) == (13, 7, 0)
    assert rows_of(ctx.sessions, *FACTS, Capture) == before
    asked = len(site.asked)
    ask_everything_again(ctx)
    tasks.scrape("atcoder", *BACKFILL)
    conditional = [each for each in site.asked[asked:] if each.headers.get("if-none-match")]
    assert len(conditional) == 7
    after = rows_of(ctx.sessions, *FACTS)
    assert after == {name: rows for name, rows in before.items() if name in after}
