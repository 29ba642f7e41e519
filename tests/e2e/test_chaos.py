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

from app.db.runs import runs as run_store
from app.db.tables import Run
from app.services.runs import plan

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(1500)]
VICTIMS = ("web", "clock", "infer", "grade", "ingest", "demo", "valkey", "postgres")
ROUNDS = 2
OPEN = 320  # so that 200 are still open when the blow falls
OPEN_SQL = "SELECT count(*) FROM samples WHERE state NOT IN ('graded', 'gave_up', 'stuck')"


def extend(house: Installation, trial: int) -> None:
    """Another trial of every demo run: a hundred and fifty more samples."""
    with house.sessions.begin() as session:
        for run in session.query(Run).filter(Run.trial == 1, Run.endpoint_id.is_not(None)):
            assert run.endpoint_id is not None
            run_store.ensure_run(
                session, run.model_id, run.endpoint_id, run.protocol_id, run.configuration, trial=trial
            )
        plan.plan(session, datetime.now(UTC))


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
    with installation(tmp_path / "state", lease_s="10", sweep_s="3") as house:
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

        asked = "(SELECT count(*) FROM problems WHERE state = 'published' AND NOT canary) * (SELECT count(*) FROM runs)"
        with house.sessions() as session:
            counts = {
                "samples": "SELECT count(*) FROM samples",
                "wanted": f"SELECT {asked}",
                "graded": "SELECT count(*) FROM samples WHERE state = 'graded'",
                "verdicts": "SELECT count(*) FROM verdicts",
                "distinct": "SELECT count(DISTINCT sample_id) FROM verdicts WHERE counts",
                "cells": "SELECT sum(n) FROM cells",
            }
            found = {name: session.scalar(text(statement)) for name, statement in counts.items()}
        print(found)
        assert len(set(found.values())) == 1, found
        rows = house.get("/api/v1/boards/codegen").json()["rows"]
        assert all(row["coverage"] == 1.0 for row in rows)
