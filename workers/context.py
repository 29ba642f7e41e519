"""What a task needs, made once a process and never before its first use."""

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar

from billiard.process import current_process
from redis import Redis
from structlog import get_logger

from app.config import Settings
from app.db.kernel import leases
from app.db.kernel.session import Session, SessionMaker, make_engine, make_sessionmaker
from app.db.operations import heartbeats
from app.domain.addresses import Network
from app.domain.errors import SandboxUnavailable
from app.domain.problems import ProblemSpec
from app.domain.sources.schedule import Rounds
from app.services.boards.cubes import CubeStore
from app.services.runs.grade import GradingJob, spec
from app.services.runs.secrets import Vault
from app.services.sources.visits import SitePolicy
from scrapers.site import Site, all_sites, find_site
from workers.broker import Waker, make_app
from workers.grading.languages import Language
from workers.grading.producer import Producer
from workers.grading.toolchains import known_languages
from workers.inference.limiter import Paces
from workers.notify import Heartbeat
from workers.pace import host_pace

log = get_logger(__name__)

# A task gives its worker back after this long, so that proofs and answers share the graders.
TURN_S = 30.0
SELF_TEST_EVERY_S = 600.0
HEARD_EVERY_S = 30.0
KEPT_SPECS = 8
_FINDER_NICE = 10
P = ParamSpec("P")
T = TypeVar("T")


def _this_instant() -> datetime:
    return datetime.now(UTC)


def now() -> datetime:
    """The instant by the clock of this process's context, aware."""
    ctx = _PROCESS.context
    return _this_instant() if ctx is None else ctx.clock()


@dataclass
class Context:
    """Database, broker, judge and secrets of one worker process."""

    settings: Settings
    sessions: SessionMaker
    wake: Waker
    clock: Callable[[], datetime] = _this_instant
    _woken: dict[str, float] = field(default_factory=dict)
    _specs: dict[tuple[int, int, int | None], ProblemSpec] = field(default_factory=dict)
    _tested_at: float | None = None
    _heard_at: float = -HEARD_EVERY_S
    _finder: threading.Thread | None = None

    def close(self) -> None:
        """Close what this process holds open of the database."""
        if self._finder is not None:
            self._finder.join()
        self.sessions.kw["bind"].dispose()

    @property
    def lease(self) -> timedelta:
        """How long rows are taken for before they must be renewed."""
        return timedelta(seconds=self.settings.lease_s)

    @cached_property
    def vault(self) -> Vault:
        """Opens endpoint secrets."""
        return Vault(self.settings.secret_key_bytes())

    @cached_property
    def redis(self) -> "Redis":
        """The broker's database, for paces."""
        return Redis.from_url(self.settings.plain_redis_url())

    @cached_property
    def judge(self) -> Producer:
        """The judge of this process."""
        return Producer(self.settings.judge())

    @cached_property
    def cubes(self) -> CubeStore:
        """The cubes of this host, for boards that are frozen or predicted."""
        return CubeStore(self.settings.state_dir / "cubes")

    def go_on(self, name: str, *, unless: bool) -> None:
        """Wake the next turn of a task whose turn ended before its work did."""
        if not unless:
            self.wake(name)

    @cached_property
    def heartbeat(self) -> Heartbeat:
        """The sign of life this process gives, once a minute at most."""
        return Heartbeat()

    @cached_property
    def paces(self) -> Paces:
        """What this process learned of each endpoint's limits."""
        return Paces()

    @cached_property
    def allow(self) -> tuple[Network, ...]:
        """The operator's networks that endpoints may lie in though they are not public."""
        return tuple(self.settings.endpoint_allow)

    def site(self, name: str) -> Site:
        """The site of that name in the edition the operator chose, by its name or by its address.

        Raises NotFound for a site that there is not, InvalidInput for an edition.
        """
        given = self.settings.source(name)
        return find_site(name).in_edition(given.edition, given.base_url)

    def _instead(self, site: Site) -> str | None:
        """What takes the place of every host of a site; an address of its own takes none's, and ratings stay theirs."""
        given = self.settings.source(site.name).base_url
        return None if given is None or site.is_at(given) else given

    def policy(self, site: Site) -> SitePolicy:
        """How the operator wants a site to be treated; what is not set is the site's own default."""
        given = self.settings.source(site.name)
        fetch, show = given.fetch_statements, given.show_statements
        return SitePolicy(
            title=site.title,
            base_url=self._instead(site) or site.base_url,
            enabled=given.enabled,
            fetch_statements=site.fetch_statements if fetch is None else fetch,
            show_statements=site.show_statements if show is None else show,
            owed=site.owed if site.plan is not None else (),
        )

    def rounds(self) -> list[Rounds]:
        """How often each site is visited by itself: none before an operator has said whom its owner may write to."""
        if not self.settings.contact:
            return []
        return [
            Rounds(
                name,
                timedelta(seconds=self.settings.source(name).every_s),
                tuple((facts.name, facts.every) for facts in site.facts if facts.requests),
            )
            for name, site in all_sites().items()
            if site.plan is not None and self.settings.source(name).enabled
        ]

    def pace_of(self, site: Site) -> float:
        """Seconds between two requests to a host of the site."""
        given = self.settings.source(site.name).pace_s
        return site.pace_s if given is None else given

    def crawl_settings(self, site: Site) -> dict[str, Any]:
        """The keyword arguments of a crawl: pace, contact, and where the site is."""
        given = self.settings.source(site.name)
        return {
            "pace": host_pace(self.redis, self.pace_of(site), given.per_day),
            "contact": self.settings.contact or self.settings.public_url,
            "base_url": self._instead(site),
            "sign": self._signer(site),
        }

    def _signer(self, site: Site) -> Callable[[str], str] | None:
        """What adds the operator's key of a site to a path; None without one, or where none is of use."""
        given, sign = self.settings.source(site.name), site.sign
        if sign is None or given.api_key is None or given.api_secret is None:
            return None
        key, secret = given.api_key.get_secret_value(), given.api_secret.get_secret_value()
        return lambda path: sign(path, key, secret, now())

    def commit(self, step: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run one service step in one transaction."""
        with self.sessions.begin() as session:
            return step(session, *args, **kwargs)

    def wake_often(self, task: str) -> None:
        """Wake a task's workers, at most every 0.2 s: its loop takes all the rows there are."""
        moment = time.monotonic()
        if moment - self._woken.get(task, -1.0) >= 0.2:
            self._woken[task] = moment
            self.wake(task)

    @contextmanager
    def keep(self, lease: leases.Lease, queue: str) -> Iterator[None]:
        """Renew a lease in the background for as long as the block runs; who works on it is heard of all the time."""
        done = threading.Event()
        self._heard(queue)

        def renew() -> None:
            while not done.wait(self.settings.lease_s / 3):
                try:
                    self.commit(leases.renew, lease, now() + self.lease)
                    self._heard(queue)
                except Exception as error:  # the next turn tries again; a lost lease only means doing it twice
                    log.warning("lease.renewal_failed", error=str(error))

        thread = threading.Thread(target=renew, daemon=True, name="lease")
        thread.start()
        try:
            yield
        finally:
            done.set()

    def _heard(self, queue: str) -> None:
        """Beat, as the clock's own beats wait behind the work; at most every `HEARD_EVERY_S`."""
        moment = time.monotonic()
        if moment - self._heard_at >= HEARD_EVERY_S:
            self._heard_at = moment
            self.commit(heartbeats.beat, self.worker_name(queue), queue, now())

    def worker_name(self, queue: str) -> str:
        """This process among all workers."""
        return f"{queue}@{socket.gethostname()}/{getattr(current_process(), 'index', 0)}"

    def ready_judge(self, *, fresh: bool = False) -> Producer | None:
        """The judge, if its self-test passed lately and no alarm is up; else None, with the reason kept."""
        alarm = self.commit(heartbeats.alarm)
        if alarm is not None:
            self._say({"grading": "paused", "reason": alarm})
            return None
        moment = time.monotonic()
        if fresh or self._tested_at is None or moment - self._tested_at > SELF_TEST_EVERY_S:
            self._tested_at = moment if self._test() else None
        return None if self._tested_at is None else self.judge

    def _test(self) -> bool:
        """Try the sandbox; what needs no compiler can be judged at once, the other languages as they are found."""
        try:
            canaries = self.judge.self_test()
        except SandboxUnavailable as absent:
            word = self._packages_word()
            reason = f"{absent} ({word})" if word else str(absent)
            self._say({"grading": "paused", "reason": reason, "self_test": []})
            return False
        tested = [{"name": canary.name, "ok": canary.ok, "detail": canary.detail} for canary in canaries]
        languages = known_languages().values()
        self._find([language for language in languages if not language.compile], tested)
        compiled = [language for language in languages if language.compile]
        self._finder = threading.Thread(target=self._find, args=(compiled, tested), daemon=True, name="languages")
        self._finder.start()
        return True

    def _packages_word(self) -> str | None:
        """What whoever starts this service said of system packages that are not there."""
        try:
            told = json.loads((self.settings.state_dir / "packages.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        word = told.get("word")
        return None if word is None else str(word)

    def _find(self, languages: Iterable[Language], tested: list[dict[str, object]]) -> None:
        judge = self.judge
        if threading.current_thread() is self._finder:  # what is judged meanwhile goes first
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _FINDER_NICE)
        for language in languages:
            try:
                judge.find(language.name)
            except SandboxUnavailable:  # the next self-test says why
                return
        self._say({"grading": "ready", "reason": None, "self_test": tested, "languages": judge.languages()})
        self.wake("grade")

    def _say(self, detail: dict[str, object]) -> None:
        log.info("grading.state", **{key: value for key, value in detail.items() if key != "self_test"})
        self.commit(heartbeats.beat, self.worker_name("grade"), "grade", now(), detail)

    def spec(self, job: GradingJob) -> ProblemSpec:
        """The problem of a job; the last few are kept, since samples of one problem come together.

        What is judged again may be so because the problem was mended in place: a rejudging reads it afresh.
        """
        key = (job.test_set_id, job.version_id, job.rejudging_id)
        if key not in self._specs:
            if len(self._specs) >= KEPT_SPECS:
                self._specs.clear()
            self._specs[key] = self.commit(spec, job)
        return self._specs[key]


@dataclass
class _Process:
    context: Context | None = None


_PROCESS = _Process()


def context() -> Context:
    """The context of this process, made from the environment unless `use` gave one."""
    if _PROCESS.context is None:
        _PROCESS.context = make_context(Settings())
    return _PROCESS.context


def turn() -> Callable[[], bool]:
    """Whether a task may go on: for half a minute from now."""
    end = time.monotonic() + TURN_S
    return lambda: time.monotonic() < end


def sited(name: str) -> tuple[Context, Site]:
    """The context of this process, and a site as its operator wants it visited."""
    ctx = context()
    return ctx, ctx.site(name)


def use(ctx: Context) -> Context:
    """Let the tasks of this process run over a given context: for verbs that do the work themselves."""
    if _PROCESS.context is not None:
        _PROCESS.context.close()
    _PROCESS.context = ctx
    return ctx


def make_context(settings: Settings) -> Context:
    """A context over given settings; verbs that run without workers make their own."""
    sessions = make_sessionmaker(make_engine(settings.database_url))
    return Context(settings, sessions, Waker(make_app(settings.redis_url)))
