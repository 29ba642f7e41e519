"""A maintainer's package stays what is asked, whatever the site's pages say, and is of the problem it is said to be."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes.fake_site import FakeSite, Page, fake_site
from pipeline.test_import_command import run
from pipeline.test_ingest import NEW, STARTS, tokyo, world
from sqlalchemy import select
from support import atcoder_pages as pages
from support.batches import batch, problem
from support.packages import POLYGON_XML, as_folder, polygon, polygon_interactive
from support.scraping import FACTS, ask_everything_again, over
from support.scraping import replay as read_again
from support.servers import Servers
from support.tables import rows_of

from app.config import Settings
from app.db.tables import AuditEntry, Contest, LedgerEntry, Problem, ProblemVersion, TestSet
from app.domain.imports import ImportedContest, ImportedProblem, ImportedStatement
from app.domain.problems import Limits, Test
from app.domain.publishing.origins import Origin
from app.domain.states import ProblemState
from app.services.runs import imports
from workers import tasks
from workers.context import Context, leave, now, use

TASK = "abc901_a"


def page(points: int, text: str = "Count.") -> bytes:
    body = pages.modern([("3\n", "6\n")], text=text).replace("<var>100</var>", f"<var>{points}</var>")
    start, end = tokyo(STARTS[NEW]), tokyo(STARTS[NEW] + timedelta(minutes=100))
    return pages.task(body, start=start, end=end, heading=f"A - Task {TASK}")


@pytest.fixture(scope="module")
def running() -> Iterator[FakeSite]:
    with fake_site() as made:
        yield made


@pytest.fixture(scope="module")
def visited(servers: Servers, running: FakeSite) -> Iterator[tuple[str, dict[str, Page]]]:
    """A database after a site's task was read three times, with two texts; and the site's pages since."""
    running.pages = dict(world())
    with servers.database() as url:
        ctx = over(Settings(_env_file=None, database_url=url, redis_url=servers.valkey_url()), running.url)
        for points, text in ((100, "Count."), (150, "Count all."), (200, "Count.")):
            running.pages[f"/contests/{NEW}/tasks/{TASK}"] = page(points, text)
            ask_everything_again(ctx)
            tasks.scrape("atcoder")
        leave()
        yield url, dict(running.pages)


@pytest.fixture
def fresh_database(servers: Servers, visited: tuple[str, dict[str, Page]]) -> Iterator[str]:
    with servers.database(visited[0]) as url:
        yield url


@pytest.fixture
def site(running: FakeSite, visited: tuple[str, dict[str, Page]]) -> FakeSite:
    running.pages = dict(visited[1])
    return running


@pytest.fixture
def ctx(settings: Settings, site: FakeSite) -> Context:
    """Over that database and site."""
    return over(settings, site.url)


def package(ctx: Context, folder: Path, name: str = TASK, *words: str) -> tuple[int, str]:
    done = run(ctx.settings, "package", folder, "--source", "atcoder", "--problem", name, "--no-wait", *words)
    leave()
    use(ctx)  # the verb works over a context of its own
    return done.exit_code, done.stderr


def copied(name: str, **facts: Any) -> ImportedProblem:
    """A problem of the site as a fixed set has it."""
    return replace(problem(0, source="atcoder"), external_id=name, title="Copied", **facts)


FORCED = ("--force", "--reason", "the author's own")


def in_use(ctx: Context, name: str) -> tuple[str, str, int | None, str, str]:
    with ctx.sessions() as session:
        found = session.scalars(select(Problem).where(Problem.external_id == name)).one()
        text = session.get_one(ProblemVersion, found.current_version_id)
        return found.title, found.state, text.time_ms, text.origin, text.form


def everything(ctx: Context) -> dict[str, list[str]]:
    return rows_of(ctx.sessions, *FACTS, TestSet, LedgerEntry, without=("id", "at"))


def test_a_replay_after_packages_changes_nothing_and_says_so(ctx: Context, tmp_path: Path) -> None:
    slow = as_folder(tmp_path, "slow", polygon(**{"problem.xml": POLYGON_XML.replace("1500<", "10000<")}))
    talks = as_folder(tmp_path, "talks", polygon_interactive())
    assert package(ctx, slow, TASK, *FORCED) == (0, "")
    assert package(ctx, talks, "abc901_b", *FORCED) == (0, "")
    assert in_use(ctx, TASK) == ("Two Tides", ProblemState.CHECKED, 10_000, "package", "stdin")
    before, held = everything(ctx), in_use(ctx, "abc901_b")
    assert held[4] == "interactive"
    counts = read_again(ctx.settings)
    assert (counts["changed"], counts["reclassified"]) == (0, 0)
    assert everything(ctx) == before
    assert in_use(ctx, "abc901_b") == held


def test_pages_and_fixed_sets_that_come_later_change_nothing_of_a_package(
    ctx: Context, site: FakeSite, tmp_path: Path
) -> None:
    package(ctx, as_folder(tmp_path, "a", polygon()), TASK, *FORCED)
    before = in_use(ctx, TASK)
    site.pages[f"/contests/{NEW}/tasks/{TASK}"] = page(250, "Count otherwise.")
    ask_everything_again(ctx)
    tasks.scrape("atcoder")
    assert in_use(ctx, TASK) == before
    file = batch(copied(TASK), source="atcoder")
    ctx.commit(imports.store_batch, file, now())
    assert in_use(ctx, TASK) == before


def test_a_fixed_set_fills_in_what_no_page_has_said(ctx: Context) -> None:
    before = in_use(ctx, TASK)
    assert before[3] == "page"
    ctx.commit(imports.store_batch, batch(copied(TASK, tags=("math",)), source="atcoder"), now())
    assert in_use(ctx, TASK) == (before[0], ProblemState.PUBLISHED, *before[2:]), "it brought tests"
    with ctx.sessions() as session:
        assert session.scalars(select(Problem.tags).where(Problem.external_id == TASK)).one() == ["math"]
    stored = everything(ctx)
    assert read_again(ctx.settings)["changed"] == 0
    assert everything(ctx) == stored


def test_a_fixed_set_moves_no_contest_that_the_site_has_listed(ctx: Context) -> None:
    before = rows_of(ctx.sessions, Contest)["contests"]
    other = ImportedContest(NEW, "As copied", STARTS[NEW] + timedelta(days=1), STARTS[NEW] + timedelta(days=2))
    own = replace(other, external_id="abc777")
    batches = batch(copied("x_1", contest=other), copied("x_2", contest=own), source="atcoder")
    ctx.commit(imports.store_batch, batches, now())
    after = rows_of(ctx.sessions, Contest)["contests"]
    assert [row for row in after if "abc777" not in row] == before
    assert len(after) == len(before) + 1, "what no page has said is filled in"
    stored = everything(ctx)
    assert read_again(ctx.settings)["changed"] == 0
    assert everything(ctx) == stored


def test_of_one_text_the_limits_are_those_of_the_package(ctx: Context) -> None:
    with ctx.sessions() as session:
        found = session.scalars(select(Problem).where(Problem.external_id == TASK)).one()
        text = session.get_one(ProblemVersion, found.current_version_id)
        words = {"en": ImportedStatement(text.title, text.statement)}
    same = copied(TASK, statements=words, titles={"en": text.title}, limits=Limits(10_000), tests=(Test("3", "6"),))
    file = replace(batch(same, source="atcoder"), origin=Origin.PACKAGE)
    ctx.commit(imports.store_batch, file, now())
    before = everything(ctx)
    assert in_use(ctx, TASK)[2:4] == (10_000, "package")
    assert read_again(ctx.settings)["changed"] == 0
    assert everything(ctx) == before
    with ctx.sessions() as session:
        assert session.get_one(ProblemVersion, text.id).in_use, "it is the same version, with the answers it has"


def test_what_a_replay_changes_is_counted(ctx: Context, site: FakeSite) -> None:
    with ctx.sessions.begin() as session:
        for found in session.scalars(select(Problem)):
            found.title = "Read badly"
    assert read_again(ctx.settings)["changed"] == 3
    assert read_again(ctx.settings)["changed"] == 0


def test_a_package_of_another_problem_is_refused_in_words(ctx: Context, tmp_path: Path) -> None:
    folder, before = as_folder(tmp_path, "a", polygon()), everything(ctx)
    code, said = package(ctx, folder)
    assert code == 1
    for words in (
        f"this is not atcoder/{TASK} as it is known here",
        f'the title is "Task {TASK}", the package\'s "Two Tides" or "两次潮汐"',
        'sample 1 ("3") is no test of the package',
        "the package's sample \"1 2\" is none of the page's",
        "--force --reason",
    ):
        assert words in said
    assert everything(ctx) == before
    assert package(ctx, folder, TASK, *FORCED)[0] == 0
    with ctx.sessions() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "import.forced")).one()
        assert (entry.subject, entry.reason, len((entry.after or {})["differences"])) == (
            f"atcoder/{TASK}", "the author's own", 3,
        )  # fmt: skip


def test_a_package_of_the_very_problem_needs_no_reason(ctx: Context, tmp_path: Path) -> None:
    files = polygon(**{
        "problem.xml": POLYGON_XML.replace("Two Tides", f"Task {TASK}".upper()),
        "tests/01": "3 \r\n", "tests/01.a": "6\n",
    })  # fmt: skip
    assert package(ctx, as_folder(tmp_path, "a", files)) == (0, "")
    files["tests/01.a"] = "7\n"
    code, said = package(ctx, as_folder(tmp_path, "b", files))
    assert (code, 'sample 1 is answered "6", in the package "7"' in said) == (1, True)


def test_force_and_reason_go_together(ctx: Context, tmp_path: Path) -> None:
    folder = as_folder(tmp_path, "a", polygon())
    for words in (("--force",), ("--reason", "x")):
        done = run(ctx.settings, "package", folder, *words, "--no-wait")
        assert done.exit_code != 0
        assert "go together" in done.stderr or "go together" in str(done.exception)
