"""What a file of cells says of a model's cutoff counts with its evidence alone."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from pipeline.flow import NOW, answer_all, judge_one, standing
from sqlalchemy import select
from support.batches import batch, problem
from support.files import read, write

from app.db.kernel.session import Session
from app.db.tables import Model
from app.domain.exports import ExportTable
from app.domain.imports import ImportedModel
from app.domain.judging.verdicts import Verdict
from app.domain.known_models import with_known_dates
from app.services.boards.export import Format, lines
from app.services.runs import cell_updates, imports, plan

CARD = "https://example.com/card"
KNOWN = "Claude-3.5-Sonnet-20241022"


SAID: list[tuple[dict[str, Any], date | None]] = [
    ({"cutoff_basis": "declared", "cutoff_evidence": None}, None),
    ({"cutoff_basis": "declared", "cutoff_evidence": " "}, None),
    ({"cutoff_basis": "declared", "cutoff_evidence": "https://   "}, None),
    ({"cutoff_basis": "declared", "cutoff_evidence": "shipped with Tidemark", "demo": False}, None),
    ({"cutoff_basis": "estimated", "cutoff_evidence": CARD}, None),
    ({"cutoff_basis": "registered", "cutoff_evidence": None}, None),
    ({"cutoff_basis": "unknown", "cutoff_evidence": CARD}, None),
    ({"cutoff_basis": "declared", "cutoff_evidence": CARD}, date(2001, 1, 1)),
]


def test_a_date_in_a_file_needs_its_evidence(session: Session, tmp_path: Path) -> None:
    imports.store_batch(session, batch(*(problem(number) for number in range(2))), NOW)
    standing(session, "alpha")
    plan.plan_samples(session, NOW)
    answer_all(session)
    while judge_one(session, Verdict.ACCEPTED):
        pass
    while cell_updates.update_changed_cells(session):
        pass
    given = [json.loads(line) for line in "".join(lines(session, ExportTable.CELLS, Format.JSONL, None)).splitlines()]
    assert given
    rows = [
        row | {"model": f"new-{number}", "model_name": f"New {number}", "cutoff_on": "2001-01-01"} | said
        for number, (said, _) in enumerate(SAID)
        for row in given
    ]
    path = write(tmp_path, "cells.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    summary = imports.store_batch(session, read("results", path), NOW)
    for number, (said, expected) in enumerate(SAID):
        [model] = session.scalars(select(Model).where(Model.slug == f"new-{number}"))
        assert model.cutoff_on == expected, said
        words = f"new-{number}: its cutoff 2001-01-01 is the file's word, so look at {CARD}"
        assert (words in summary.notes) is (expected is not None), ("the operator hears of it", said)


def test_the_table_is_believed_before_a_file() -> None:
    """Of two dates the later one counts: a file makes no model older than its vendor says."""
    early, late = date(2001, 1, 1), date(2024, 12, 31)
    file = ImportedModel("sonnet", KNOWN, "Anthropic", cutoff_on=early, cutoff_evidence=CARD, released_on=early)
    found = with_known_dates(file)
    assert (found.cutoff_on, found.released_on) == (date(2024, 4, 30), date(2024, 10, 22))
    assert found.cutoff_evidence not in (None, CARD)
    assert with_known_dates(replace(file, cutoff_on=late)).cutoff_on == late
