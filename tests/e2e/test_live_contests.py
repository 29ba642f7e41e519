"""The demo's first two contests by `up`, of which every process is killed meanwhile; then a person decides the rest."""

import os
import random
import re
import shutil
import signal
import time
import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from served import NO_AUTHORITIES
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from support.installation import Installation, installation
from support.small_league import LEAGUE, small_league
from support.waiting import patience

from app.db.tables import Capture, ConsensusRow, Problem, ProblemVersion, Sample, ScrapeRun, Setter, Source, TestSet
from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.records import Classification
from app.domain.states import ConsensusState, ProblemState
from app.services.operations import source_status
from app.services.runs.consensus import held_problems

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(2400)]
CONTESTS = 2
VICTIMS = ("infer", "ingest", "grade", "demo", "clock", "web", "postgres", "valkey")
MINUTE_S = 60.0
Value = TypeVar("Value")


def with_live_contests(folder: Path) -> Path:
    """A small league with the first live contests that are shipped, and all setters."""
    small_league(folder, {"house-3": ("ferry-split",)}, models=("pipit-mini", "tern-large"))
    head, *tables = LEAGUE.joinpath("live.toml").read_text(encoding="utf-8").split("[[contest]]")
    own = tables[:CONTESTS]
    folder.joinpath("live.toml").write_text("[[contest]]".join([head, *own]), encoding="utf-8")
    for slug in (slug for table in own for slug in tomllib.loads(table)["problems"]):
        shutil.copytree(LEAGUE / slug, folder / slug, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(LEAGUE / "setters", folder / "setters")
    return folder


def patiently(look: Callable[[], Value]) -> Value:
    """What is seen of an installation whose database, broker or site may be starting at this moment."""
    for _attempt in range(240):
        with suppress(SQLAlchemyError, httpx.HTTPError, ValueError, KeyError):
            return look()
        time.sleep(0.5)
    return look()


def states(house: Installation) -> dict[str, tuple[ProblemState, str | None]]:
    of_harbour = select(Problem).join(Source, Source.id == Problem.source_id).where(Source.slug == DEMO_SITE)
    with house.sessions() as session:
        return {each.external_id: (ProblemState(each.state), each.hold_reason) for each in session.scalars(of_harbour)}


def count_problems(house: Installation) -> int:
    return patiently(lambda: len(states(house)))


def is_settled(house: Installation) -> bool:
    """All problems of both contests are published and on the board, or held."""
    found = states(house)
    published = [slug for slug, (state, _) in found.items() if state is ProblemState.PUBLISHED]
    if len(found) < 6 or any(state not in (ProblemState.PUBLISHED, ProblemState.HELD) for state, _ in found.values()):
        return False
    board = house.get("/api/v1/boards/codegen?protocol=house").json()
    return bool(board["problems"] == 1 + len(published) and all(row["coverage"] == 1.0 for row in board["rows"]))


def kinds(names: Iterable[str]) -> set[str]:
    """The programs of these processes, some of which have several."""
    return {name.partition(":")[0] for name in names}


def kill(house: Installation, victim: str) -> None:
    """End one of its processes as a crash would."""
    for name, pid in house.pids().items():
        if name.partition(":")[0] == victim:
            print(f"kill -9 {name} ({pid})")
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class Maintainer:
    """A person who is signed in by the link of the command line, and presses buttons."""

    def __init__(self, house: Installation) -> None:
        self._client = httpx.Client(base_url=house.url, timeout=120, verify=NO_AUTHORITIES, follow_redirects=True)
        token = house.call("link").stdout.strip().rpartition("token=")[2]
        assert self._client.post("/en/login", data={"token": token}).status_code == 200
        found = re.search(r'name="csrf" value="([^"]+)"', self.read("/en/ops"))
        assert found is not None
        self._csrf = found[1]

    def read(self, path: str) -> str:
        shown = self._client.get(path)
        assert shown.status_code == 200, shown.text
        return shown.text

    def press(self, path: str, **fields: str) -> None:
        done = self._client.post(path, data={"csrf": self._csrf, "reason": "I looked at it", **fields})
        assert done.status_code == 200, done.text
        assert "done=1" in str(done.url), done.url


def test_two_contests_come_to_the_board_while_processes_are_killed(tmp_path: Path) -> None:
    seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(2**32))
    print(f"CHAOS_SEED={seed}")
    rng, league = random.Random(seed), with_live_contests(tmp_path / "league")
    settings = {"lease_s": "20", "sweep_s": "3", "schedule_s": "3", "demo_first_s": "45", "demo_pace_s": "60"}
    with installation(tmp_path / "state", league_dir=str(league), **settings) as house:
        house.wait("every process", patience(2 * MINUTE_S), lambda: {*VICTIMS} <= kinds(house.pids()), 1)
        names = house.pids().keys()
        for contest in range(CONTESTS):
            known = 3 * contest
            house.wait(
                "its problems",
                patience(5 * MINUTE_S),
                lambda least=known: patiently(lambda: len(states(house))) > least,
                2,
            )
            for victim in rng.sample(VICTIMS, len(VICTIMS)):
                kill(house, victim)
                house.wait("what was killed", patience(2 * MINUTE_S), lambda: house.pids().keys() >= names, 2)
        house.wait("both contests", patience(20 * MINUTE_S), lambda: patiently(lambda: is_settled(house)), 5)
        found = states(house)
        held = {slug: str(reason) for slug, (state, reason) in found.items() if state is ProblemState.HELD}
        assert sorted(held) == ["tow-order", "wave-crests"]
        assert "contradict each other" in held["wave-crests"]
        assert held["tow-order"] == "no statement"
        with house.sessions() as session:
            now = datetime.now(UTC)
            [drifted, *_others] = source_status.drifted_captures(session, now)
            assert (drifted.source, drifted.classification) == (DEMO_SITE, Classification.FORMAT_CHANGED)
            pair = source_status.capture_pair(session, drifted.id)
            assert pair.good is not None
            assert b"Tow Order" in pair.bad_body
            assert b'class="task"' in pair.good_body
            consensuses = session.scalars(select(ConsensusRow.state)).all()
            assert sorted(consensuses) == sorted([ConsensusState.HELD, *[ConsensusState.STORED] * 4])
            assert session.scalar(select(func.count()).select_from(Setter)) == 3
            tested = select(TestSet.problem_id).join(Problem, Problem.id == TestSet.problem_id).join(Source)
            suites = session.scalars(tested.where(Source.slug == DEMO_SITE)).all()
            assert len(suites) == len(set(suites)) == 4, "each has one suite"
            keys = select(Sample.run_id, Sample.problem_version_id, Sample.item, Sample.ordinal)
            rows = session.execute(keys).all()
            assert len(rows) == len(set(rows))
            captures = session.execute(select(Capture.url, Capture.body_sha256)).all()
            assert len(captures) == len(set(captures))
            [untested] = held_problems.untested_problems(session)
            assert untested.problem == f"{DEMO_SITE}/wave-crests"
        house.wait("the past", patience(10 * MINUTE_S), lambda: is_past_read(house), 2)
        replayed = house.call("replay", DEMO_SITE, "--json").stdout
        assert '"captures"' in replayed
        assert states(house) == found, "what was stored reads as before"
        decide(house, league)


def is_past_read(house: Installation) -> bool:
    """The site's past was visited, and its page of the imported problem confirmed it."""
    with house.sessions() as session:
        visits = session.scalars(select(ScrapeRun.state).where(ScrapeRun.backfill.is_not(None))).all()
        read = session.scalars(
            select(Capture.url).join(ProblemVersion, ProblemVersion.capture_id == Capture.id).join(
                Problem, Problem.id == ProblemVersion.problem_id).where(Problem.external_id == "ferry-split")
        ).all()  # fmt: skip
        return "succeeded" in visits and [url.rpartition("/")[2] for url in read] == ["ferry-split"]


def decide(house: Installation, league: Path) -> None:
    """A maintainer takes the page of the new form off the list, and says who is right in the quarantined problem."""
    person = Maintainer(house)
    drift = person.read("/en/ops/drift")
    rows = dict(re.findall(r'/en/ops/drift/([0-9]+)">.*?<small>([^<]+)</small>', drift))
    [held] = [number for number, url in rows.items() if url.endswith("/tasks/tow-order")]
    shown = person.read(f"/en/ops/drift/{held}")
    assert "article#tow-order.problem" in shown
    assert "main.task" in shown, "the good page is beside it"
    person.press("/en/ops/act", action="capture.ignore", subject=held, back="/ops/drift")
    others = [number for number in rows if number != held]
    for number in others[:1]:
        person.press("/en/ops/act", action="capture.accept", subject=number, back="/ops/drift")
    left = set(re.findall(r'/en/ops/drift/([0-9]+)"', person.read("/en/ops/drift")))
    assert left == {*others[1:]}
    quarantine = person.read("/en/ops/quarantine")
    for evidence in (f"{DEMO_SITE}/wave-crests", "contradict each other", '<pre class="raw">'):
        assert evidence in quarantine
    body = (league / "wave-crests" / "programs" / "ref_1.py").read_text(encoding="utf-8")
    person.press(
        "/en/ops/quarantine", problem=f"{DEMO_SITE}/wave-crests", kind="reference", language="python", body=body
    )
    decided = (ProblemState.PUBLISHED, None)
    house.wait("the decided problem", patience(15 * MINUTE_S), lambda: states(house)["wave-crests"] == decided, 2)
    house.wait("its ranks", patience(10 * MINUTE_S), lambda: is_settled(house), 5)
    assert f"{DEMO_SITE}/wave-crests" not in person.read("/en/ops/quarantine")
