"""Kill -9 everything, twice, while hundreds of samples are open: nothing is lost and nothing doubled."""

import os
import random
import signal
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from support.installation import Installation, installation
from support.small_league import small_league

from app.db.runs import runs as run_store
from app.db.tables import ProtocolRow, Run
from app.services.runs import plan

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(1500)]
VICTIMS = ("web", "clock", "infer", "grade", "ingest", "demo", "valkey", "postgres")
ROUNDS = 2
OPEN = 320  # so that 200 are still open when the blow falls
FEW = {"house-1": (), "house-2": (), "house-3": (), "house-4": (), "house-6": ()}
PLAYERS = ("tern-large", "heron-recall", "plover-busy")
OPEN_SQL = "SELECT count(*) FROM samples WHERE state NOT IN ('graded', 'gave_up', 'stuck')"


def extend(house: Installation, trial: int) -> None:
    """Another trial of every model under the league's first protocol: eighty more samples."""
    with house.sessions.begin() as session:
        first = session.query(Run).join(ProtocolRow).filter(ProtocolRow.slug == "house", Run.trial == 1)
        for run in first.filter(Run.endpoint_id.is_not(None)):
            assert run.endpoint_id is not None
            run_store.ensure_run(
                session, run.model_id, run.endpoint_id, run.protocol_id, run.configuration, trial=trial
            )
        plan.plan_samples(session, datetime.now(UTC))


def patiently(house: Installation, statement: str) -> int:
    """A count from a database that may be restarting at this moment."""
    for _attempt in range(60):
        try:
            return int(house.scalar(statement))
        except Exception:  # whatever a killed server makes its clients raise
            time.sleep(0.5)
    raise AssertionError("the database did not come back within 30 s")


def test_the_board_ends_complete(tmp_path: Path) -> None:
    seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(2**32))
    print(f"CHAOS_SEED={seed}")
    rng = random.Random(seed)
    victims = [name for name in VICTIMS for _round in range(ROUNDS)]
    rng.shuffle(victims)
    league = small_league(tmp_path / "league", FEW, models=PLAYERS)
    with installation(tmp_path / "state", lease_s="10", sweep_s="3", league_dir=str(league)) as house:
        house.wait("the first samples", 300, lambda: patiently(house, "SELECT count(*) FROM samples") >= 100)
        trial = 1
        for victim in victims:
            while patiently(house, OPEN_SQL) < OPEN:
                trial += 1
                extend(house, trial)
            time.sleep(rng.uniform(0.2, 2.5))
            house.wait(f"{victim} to run again", 300, lambda name=victim: name in house.pids())
            opened, pid = patiently(house, OPEN_SQL), house.pids()[victim]
            assert opened >= 200, "the work ran out before the blow"
            print(f"kill -9 {victim} ({pid}) with {opened} samples open")
            os.kill(pid, signal.SIGKILL)
        house.wait("every sample's end", 900, lambda: patiently(house, OPEN_SQL) == 0)
        house.wait("every cell", 300, lambda: patiently(house, "SELECT count(*) FROM dirty_cells") == 0)

        of_house = "runs r JOIN protocols p ON p.id = r.protocol_id AND p.slug = 'house'"
        published = "(SELECT count(*) FROM problems WHERE state = 'published' AND NOT canary)"
        with house.sessions() as session:
            every = {
                "samples": "SELECT count(*) FROM samples",
                "graded": "SELECT count(*) FROM samples WHERE state = 'graded'",
                "verdicts": "SELECT count(*) FROM verdicts",
                "distinct": "SELECT count(DISTINCT sample_id) FROM verdicts WHERE counts",
            }
            programs = {
                "wanted": f"SELECT {published} * count(*) FROM {of_house}",
                "samples": f"SELECT count(*) FROM samples s JOIN {of_house} ON r.id = s.run_id",
                "cells": f"SELECT sum(c.n) FROM cells c JOIN {of_house} ON r.id = c.run_id",
            }
            found = [
                {name: session.scalar(text(statement)) for name, statement in counts.items()}
                for counts in (every, programs)
            ]
        print(found)
        assert [len(set(counts.values())) for counts in found] == [1, 1], found
        rows = house.get("/api/v1/boards/codegen").json()["rows"]
        assert all(row["coverage"] == 1.0 for row in rows)
