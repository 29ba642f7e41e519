"""Visits to fake sites through the scrape task, and what they leave in the database beside what the world holds."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from fakes.faults import PATIENT
from fakes.sites import atcoder, codeforces, leetcode
from fakes.sites.live import Answer, LiveSite
from fakes.world import FakeContest, calendar, smaller
from sqlalchemy import select

from app.config import Settings
from app.db.tables import Problem, ProblemVersion, ScrapeRun
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.sources.records import ScrapedProblem as Read
from app.source_settings import SourceSettings
from scrapers.client import FetchLimits
from scrapers.page_fetcher import SiteConnection
from scrapers.site import Site
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.sites import Sites

NOW = datetime(2026, 6, 17, 9, tzinfo=UTC)
SITES = ("atcoder", "codeforces", "leetcode")
MODULES = {"atcoder": atcoder, "codeforces": codeforces, "leetcode": leetcode}

Version = tuple[str, str, str, str, str, str, int | None, int | None]


class Hasty(Sites):
    """The sites, asked within the limits of a test."""

    limits: FetchLimits = PATIENT

    def connection(self, site: Site) -> SiteConnection:
        """The usual one, with those limits."""
        return replace(super().connection(site), limits=self.limits)


@dataclass
class Visits:
    """A fake site in the place of the real one, and visits to it. `answer` is what it serves, for now."""

    name: str
    world: Sequence[FakeContest]
    ctx: Context
    sites: Hasty
    site: LiveSite
    served: list[Answer] = field(repr=False)
    truth: Callable[[FakeContest, Any], Read] = field(repr=False)

    def serve(self, answer: Answer) -> None:
        """From now on the site answers so."""
        self.served[0] = answer

    def visit(self, *days: str) -> ScrapeRun:
        """One visit, or one backfill of some days; its run."""
        run_id = tasks.scrape(self.name, *days)
        assert run_id is not None
        with self.ctx.sessions() as session:
            return session.get_one(ScrapeRun, run_id)

    def stored(self) -> list[Version]:
        """Every version there is: (problem, locale, title, statement, form, examples, time, memory)."""
        with self.ctx.sessions() as session:
            rows = session.execute(
                select(Problem.external_id, ProblemVersion).join(Problem, Problem.id == ProblemVersion.problem_id)
            )
            return sorted(_stored(key, each) for key, each in rows)

    def dated(self) -> dict[str, datetime | None]:
        """When each problem was released."""
        with self.ctx.sessions() as session:
            return {each.external_id: each.released_on for each in session.scalars(select(Problem))}

    def authored(self) -> list[Version]:
        """Every version that the world holds."""
        return sorted({version for _, read in self._truth() for version in _versions(read)})

    def released(self) -> dict[str, datetime]:
        """When each problem of the world was first shown."""
        return {str(read.external_id): contest.starts_at for contest, read in reversed(self._truth())}

    def asked_for(self, since: int = 0) -> list[str]:
        """What was asked for, robots.txt left out; a question of GraphQL by its body."""
        return [
            asked.body.decode() if asked.path == "/graphql" else asked.path
            for _, asked in self.site.log[since:]
            if asked.path != "/robots.txt"
        ]

    def _truth(self) -> list[tuple[FakeContest, Read]]:
        return [(contest, self.truth(contest, problem)) for contest in self.world for problem in contest.problems]


def _stored(key: str, each: ProblemVersion) -> Version:
    examples = json.dumps(each.examples, sort_keys=True)
    form = str(each.form)
    return key, each.locale, each.title, each.statement, form, examples, each.time_ms, each.memory_mb


def _versions(read: Read) -> Iterator[Version]:
    examples = json.dumps(
        [{"expected": sample.output, "input": sample.input} for sample in read.samples], sort_keys=True
    )
    for locale, text in read.statements.items():
        yield (str(read.external_id), locale, str(read.title), text, str(read.form), examples,
               read.time_limit_ms, read.memory_limit_mb)  # fmt: skip


def small_world(name: str, contests: int = 2, problems: int = 2) -> tuple[FakeContest, ...]:
    """The last contests that are over and shown, with so many problems each."""
    made = calendar(name, NOW.date() - timedelta(days=21), 4)
    listed = [each for each in made if each.is_judged and not each.external_id.startswith("awc")]
    over = [each for each in listed if each.opens_at + CONTEST_MARGIN <= NOW]
    return smaller(over[-contests:], problems)


def fake(name: str, world: Sequence[FakeContest], edition: leetcode.Edition = "com") -> Answer:
    """The fake site of that name, its pages free for programs."""
    if name == "codeforces":
        return codeforces.Codeforces(world, lambda: NOW, noai=False)
    return atcoder.AtCoder(world, lambda: NOW) if name == "atcoder" else leetcode.LeetCode(world, lambda: NOW, edition)


@contextmanager
def visits(
    settings: Settings,
    name: str,
    world: Sequence[FakeContest],
    *,
    pace_s: float = 0.0,
    edition: leetcode.Edition = "com",
) -> Iterator[Visits]:
    """A running fake site that serves `world`, and a context whose source it is; `edition` is LeetCode's."""
    served = [fake(name, world, edition)]
    truth = partial(leetcode.truth, edition=edition) if name == "leetcode" else MODULES[name].truth
    with LiveSite(lambda asked: served[0](asked), lambda: NOW) as site:
        source = SourceSettings(base_url=site.url, pace_s=pace_s, fetch_statements=True,
                                edition=edition if name == "leetcode" else None)  # fmt: skip
        given = settings.model_copy(update={"sources": {name: source}, "contact": "operator@example.test"})
        ctx = use(replace(make_context(given), clock=lambda: NOW))
        sites = ctx.parts[Sites] = Hasty(ctx)
        try:
            yield Visits(name, world, ctx, sites, site, served, truth)
        finally:
            leave()
