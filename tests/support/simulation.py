"""A fake calendar in fast time: fake sites, a clock that jumps to what is due next, and workers that do it at once.

The tasks, the database and the broker are real. A maintainer gives every problem that lacks tests its own.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any

import httpx
from fakes.fake_site import Asked, Reply
from fakes.faults import Fault
from fakes.sites import atcoder, codeforces, leetcode
from fakes.sites.live import Answer, LiveSite
from fakes.world import Clock, FakeContest, FakeProblem, calendar
from served import NO_AUTHORITIES
from sqlalchemy import cast, func, select
from sqlalchemy.dialects.postgresql import JSONB

from app.config import Settings
from app.db.kernel.session import Session
from app.db.sources import expected_data
from app.db.tables import Contest, ExpectedDataRow, Problem, Source
from app.domain.imports import ImportedProgram
from app.domain.judging.problem_file import parse_problem
from app.domain.problems import ProblemSpec
from app.domain.publishing.holds import ProofOutcome
from app.domain.sources.schedule import PROBLEMS, PollingIntervals
from app.domain.states import ExpectedDataState, ProblemState
from app.services.problems import publishing, testgen
from app.services.sources import schedule
from app.source_settings import SourceSettings
from scrapers.client import FetchLimits
from scrapers.page_fetcher import SiteConnection
from scrapers.site import Site
from workers import tasks
from workers.context import Context, context, leave, make_context, use
from workers.pace import host_pace
from workers.sites import Sites

SITES = ("atcoder", "codeforces", "leetcode")
# A site without a past answers with pages that nobody can tell from broken ones.
PAST_WEEKS = 1
TICK = timedelta(seconds=30)
_QUICK = FetchLimits(timeout_s=5, total_s=10, retries=0, backoff_s=0.01, max_wait_s=0.1)
_PROVEN = ProofOutcome(proven=True, reason=None, references=1, wrong=0)
_REFERENCE = ImportedProgram("reference.py", "python", "print(0)\n", reference=True)


def _next_moment(session: Session, rounds: Sequence[PollingIntervals], now: datetime) -> datetime | None:
    """When a visit is due next; None when a source was never visited, so that now is the time."""
    last, access = expected_data.last_visits(session), expected_data.source_access(session, now)
    rows = session.execute(
        select(Source.slug, ExpectedDataRow.purpose, func.min(ExpectedDataRow.due_at))
        .join(Contest, Contest.source_id == Source.id)
        .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
        .where(ExpectedDataRow.state == ExpectedDataState.OPEN)
        .group_by(Source.slug, ExpectedDataRow.purpose)
    )
    owed = {(slug, purpose): moment for slug, purpose, moment in rows}
    repeated = {
        (each.source, name): every for each in rounds for name, every in ((PROBLEMS, each.calendar), *each.facts)
    }
    if not repeated.keys() <= last.keys():
        return None
    rest = {slug: each.rests_until for slug, each in access.items()}
    regular = [(slug, last[slug, name] + every) for (slug, name), every in repeated.items()]
    by_contest = [(slug, moment) for (slug, _), moment in owed.items()]
    return min(max(moment, rest.get(slug) or moment) for slug, moment in regular + by_contest)


@dataclass(frozen=True, slots=True)
class Trouble:
    """From `start` until `end` every answer of these sites is spoiled."""

    sites: Sequence[str]
    start: datetime
    end: datetime
    fault: Fault


class _Simulated(Sites):
    """The sites, whose days are the simulated ones for the pace too, asked without waiting."""

    def connection(self, site: Site) -> SiteConnection:
        """The usual one, with the real pace under a name of the site and its simulated day."""
        per_day, prefix = self.per_day(site), f"pace:{site.name}:{self._ctx.clock().date()}:"
        return replace(
            super().connection(site),
            limits=_QUICK,
            pace=host_pace(self._ctx.redis, 0.0, per_day, prefix),
            transport=httpx.AsyncHTTPTransport(verify=NO_AUTHORITIES),
        )


@dataclass
class Simulation:
    """Fake sites from a midnight on, and what asks them. `calm` counts the wake-ups that found nothing due."""

    start: datetime
    end: datetime
    settings: Settings
    troubles: Sequence[Trouble]
    worlds: Mapping[str, Sequence[FakeContest]]
    now: datetime
    sites: dict[str, LiveSite] = field(default_factory=dict)
    visits: int = 0
    calm: int = 0
    _woken: datetime = datetime.min.replace(tzinfo=UTC)

    @cached_property
    def _problems(self) -> dict[tuple[str, str], FakeProblem]:
        return {
            (name, problem.external_id): problem
            for name, world in self.worlds.items()
            for contest in world
            for problem in contest.problems
        }

    @property
    def ctx(self) -> Context:
        """What the tasks run over."""
        return context()

    def run(self, until: datetime) -> None:
        """Let everything happen that is due before then."""
        while True:
            moment = self.ctx.commit(_next_moment, self.ctx.part(Sites).polling_intervals(), self.now) or self.now
            wake = max(_tick(moment), self._woken + TICK)
            self.now = min(wake, until)
            if wake >= until:
                return
            self._woken = wake
            self._step()

    def restart(self) -> None:
        """Forget everything that a process holds, and begin with another one."""
        ctx = use(replace(make_context(self.settings), clock=lambda: self.now))
        ctx.parts[Sites] = _Simulated(ctx)

    def problems(self, name: str) -> dict[str, tuple[FakeContest, FakeProblem]]:
        """The problems that a site's contests owe us, each with the contest that shows it first.

        Divisions that begin together share problems under different names: those of one title are one.
        """
        found: dict[tuple[str, datetime], tuple[FakeContest, FakeProblem]] = {}
        names: dict[str, tuple[FakeContest, FakeProblem]] = {}
        for contest in self.wanted(name):
            for problem in contest.problems:
                if found.setdefault((problem.title, contest.starts_at), (contest, problem))[1] is problem:
                    names.setdefault(problem.external_id, (contest, problem))
        return names

    def wanted(self, name: str) -> list[FakeContest]:
        """The contests of a site whose problems have right answers, oldest first."""
        return [world for world in self.worlds[name] if world.is_judged]

    def _step(self) -> None:
        """One wake-up of the schedule, with the workers' part and the maintainer's done at once."""
        due = self.ctx.commit(schedule.due_visits, self.ctx.part(Sites).polling_intervals(), self.now)
        self.calm += not due
        self.visits += len(due)
        for source, purpose in due:
            tasks.visit(source, purpose)
        if any(purpose == "problems" for _, purpose in due):
            self.ctx.commit(self._bring_tests)

    def _bring_tests(self, session: Session) -> None:
        """What `testgen --into` does for problems that lack only tests, and the proof of what it brought."""
        code = cast(Problem.hold_reason, JSONB)["code"].astext
        held = session.execute(
            select(Source.slug, Problem.external_id)
            .join(Problem, Problem.source_id == Source.id)
            .where(Problem.state == ProblemState.HELD, code.in_(("hold.no_tests", "hold.unsent", "hold.unset")))
        ).all()
        for slug, key in held:
            made = _suite(slug, self._problems[slug, key])
            testgen.store_suite(session, f"{slug}/{key}", made, [_REFERENCE], {}, self.now)
        while held and (job := publishing.claim_proof(session, self.now, self.ctx.lease)) is not None:
            publishing.record_proof(session, job, _PROVEN, self.now)


@contextmanager
def simulation(
    settings: Settings, first_day: date, weeks: int, troubles: Sequence[Trouble], **sources: Any
) -> Iterator[Simulation]:
    """The three sites from that Monday on, so many weeks long, with nothing read yet; `sources` are settings."""
    start = datetime.combine(first_day, time(), UTC)
    past = timedelta(weeks=PAST_WEEKS)
    worlds = {name: calendar(name, first_day - past, PAST_WEEKS + weeks) for name in SITES}
    made = Simulation(start, start + timedelta(weeks=weeks), settings, troubles, worlds, start)
    with ExitStack() as stack:
        for name in SITES:
            answer = _troubled(_fake(name, worlds[name], lambda: made.now), name, made)
            made.sites[name] = stack.enter_context(LiveSite(answer, lambda: made.now))
        there = {
            name: SourceSettings(base_url=site.url, pace_s=0.0, fetch_statements=True, **sources)
            for name, site in made.sites.items()
        }
        made.settings = settings.model_copy(update={"sources": there, "contact": "operator@example.test"})
        stack.callback(leave)
        made.restart()
        yield made


def _fake(name: str, world: Sequence[FakeContest], clock: Clock) -> Answer:
    if name == "codeforces":
        return codeforces.Codeforces(world, clock, noai=False)
    return (atcoder.AtCoder if name == "atcoder" else leetcode.LeetCode)(world, clock)


def _troubled(answer: Answer, name: str, made: Simulation) -> Answer:
    def reply(asked: Asked) -> Reply:
        given = answer(asked)
        for trouble in made.troubles:
            if name in trouble.sites and trouble.start <= made.now < trouble.end:
                return trouble.fault.spoil(given)
        return given

    return reply


def _tick(moment: datetime) -> datetime:
    """The schedule's first wake-up at or after a moment."""
    seconds = TICK.total_seconds()
    return datetime.fromtimestamp(math.ceil(moment.timestamp() / seconds) * seconds, UTC)


def _suite(slug: str, problem: FakeProblem) -> ProblemSpec:
    """Tests of a problem, their answers by whoever made it."""
    if slug != "leetcode":
        tests = [{"input": given, "expected": expected} for given, expected in problem.examples()]
        return parse_problem({"id": problem.external_id, "tests": tests})
    entry = {
        "name": problem.function, "class": "Solution", "returns": "integer",
        "params": [{"name": "nums", "type": "integer[]"}, {"name": "k", "type": "integer"}],
    }  # fmt: skip
    tests_of_call = [{"input": [list(row), k], "expected": answer} for row, k, answer in problem.samples]
    return parse_problem({"id": problem.external_id, "form": "function", "entry": entry, "tests": tests_of_call})
