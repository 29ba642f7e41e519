"""What a file of cells says of a model's cutoff counts with its evidence alone."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import NOW, answer_all, judge_one, standing
from sqlalchemy import select
from support.batches import batch, problem
from support.files import read, write

from app.db.kernel.session import Session
from app.db.tables import Model
from app.domain.exports import Table
from app.domain.judging.verdicts import Verdict
from app.services.boards.export import Format, lines
from app.services.runs import aggregate, imports, plan

CARD = "https://example.com/card"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"cutoff_basis": "declared", "cutoff_evidence": None}, None),
        ({"cutoff_basis": "declared", "cutoff_evidence": " "}, None),
        ({"cutoff_basis": "declared", "cutoff_evidence": "https://   "}, None),
        ({"cutoff_basis": "declared", "cutoff_evidence": "shipped with Tidemark", "demo": False}, None),
        ({"cutoff_basis": "estimated", "cutoff_evidence": CARD}, None),
        ({"cutoff_basis": "registered", "cutoff_evidence": None}, None),
        ({"cutoff_basis": "unknown", "cutoff_evidence": CARD}, None),
        ({"cutoff_basis": "declared", "cutoff_evidence": CARD}, date(2001, 1, 1)),
    ],
)
def test_a_date_in_a_file_needs_its_evidence(
    session: Session, tmp_path: Path, said: dict[str, Any], expected: date | None
) -> None:
    imports.store_batch(session, batch(*(problem(number) for number in range(2))), NOW)
    standing(session, "alpha")
    plan.plan(session, NOW)
    answer_all(session)
    while judge_one(session, Verdict.ACCEPTED):
        pass
    while aggregate.aggregate(session):
        pass
    given = [json.loads(line) for line in "".join(lines(session, Table.CELLS, Format.JSONL, None)).splitlines()]
    rows = [row | {"model": "new", "model_name": "New", "cutoff_on": "2001-01-01"} | said for row in given]
    assert rows
    path = write(tmp_path, "cells.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    imports.store_batch(session, read("results", path), NOW)
    [model] = session.scalars(select(Model).where(Model.slug == "new"))
    assert model.cutoff_on == expected
