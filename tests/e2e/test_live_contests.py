"""The demo's first two contests by `up` with its own workers and clock, of which every one is killed meanwhile."""

import os
import random
import shutil
import signal
import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select
from support.installation import Installation, installation
from support.small_league import LEAGUE, small_league
from support.waiting import patience

from app.db.tables import ConsensusRow, Problem, Sample, Setter, Source, TestSet
from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.records import Classification
from app.domain.states import ConsensusState, ProblemState
from app.services.operations import source_status
from app.services.runs.consensus import held_problems

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(2400)]
CONTESTS = 2
WORKERS = ("infer", "ingest", "grade", "demo", "clock", "web")
MINUTE_S = 60.0


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


def states(house: Installation) -> dict[str, tuple[ProblemState, str | None]]:
    of_harbour = select(Problem).join(Source, Source.id == Problem.source_id).where(Source.slug == DEMO_SITE)
    with house.sessions() as session:
        return {each.external_id: (ProblemState(each.state), each.hold_reason) for each in session.scalars(of_harbour)}


def is_settled(house: Installation) -> bool:
    """All problems of both contests are published and on the board, or held."""
    found = states(house)
    published = [slug for slug, (state, _) in found.items() if state is ProblemState.PUBLISHED]
    if len(found) < 6 or any(state not in (ProblemState.PUBLISHED, ProblemState.HELD) for state, _ in found.values()):
        return False
    board = house.get("/api/v1/boards/codegen?protocol=house").json()
    return bool(board["problems"] == 1 + len(published) and all(row["coverage"] == 1.0 for row in board["rows"]))


def kill(house: Installation, victim: str) -> None:
    """End one of its processes as a crash would."""
    for name, pid in house.pids().items():
        if name.partition(":")[0] == victim:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_two_contests_come_to_the_board_while_processes_are_killed(tmp_path: Path) -> None:
    seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(2**32))
    print(f"CHAOS_SEED={seed}")
    rng, league = random.Random(seed), with_live_contests(tmp_path / "league")
    settings = {"lease_s": "20", "sweep_s": "3", "schedule_s": "3", "demo_first_s": "45", "demo_pace_s": "60"}
    with installation(tmp_path / "state", league_dir=str(league), **settings) as house:
        for contest in range(CONTESTS):
            known = 3 * contest
            house.wait("its problems", patience(5 * MINUTE_S), lambda least=known: len(states(house)) > least, 2)
            for victim in rng.sample(WORKERS, len(WORKERS)):
                kill(house, victim)
                house.wait("what was killed", patience(MINUTE_S), lambda: len(house.pids()) >= len(WORKERS), 2)
        house.wait("both contests", patience(20 * MINUTE_S), lambda: is_settled(house), 5)
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
            [untested] = held_problems.untested_problems(session)
            assert untested.problem == f"{DEMO_SITE}/wave-crests"
        replayed = house.call("replay", DEMO_SITE, "--json").stdout
        assert '"captures"' in replayed
        assert states(house) == found, "what was stored reads as before"
