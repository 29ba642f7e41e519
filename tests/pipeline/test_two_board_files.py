"""Two board files that date one model's training otherwise: LiveCodeBench's rules go by each file's own date."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pipeline.flow import NOW
from support.files import board_row, board_text, read, write

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery, Rules
from app.domain.windows import Window
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.runs import cell_updates, imports

FEBRUARY, APRIL = date(2026, 2, 1), date(2026, 4, 1)


def dated(cutoff: date) -> list[dict[str, Any]]:
    instant = datetime.combine(cutoff, datetime.min.time(), UTC)
    return [{"model_name": "a-1", "model_repr": "a", "release_date": int(instant.timestamp() * 1000)}]


def test_each_file_is_ranked_by_its_own_dates(session: Session, tmp_path: Path) -> None:
    rows = [board_row(model, f"p{each}", share) for model, share in (("a", 100.0), ("b", 50.0)) for each in range(3)]
    notes = []
    for board, cutoff in (("codegen", date(2025, 12, 1)), ("repair", APRIL)):
        path = write(tmp_path, f"{board}.json", board_text(rows, models=dated(cutoff)))
        notes.append(imports.store_batch(session, read("lcb-board", path, board=board), NOW).notes)
    while cell_updates.update_changed_cells(session):
        pass
    said = "a: its cutoff here stays 2026-11-01; LiveCodeBench's rules take the file's, "
    assert notes == [(said + "2025-12-01",), (said + "2026-04-01",)]
    cubes = CubeStore(tmp_path / "cubes")

    def places(board: str, protocol: str, rules: Rules) -> dict[str, tuple[int | None, date | None]]:
        query = BoardQuery(board=board, protocol=protocol, window=Window(FEBRUARY, None), rules=rules)
        found = board_views.board(session, query, cubes)
        return {row.model: (row.rank, row.fact.cutoff_on) for row in found.rows}

    assert places("codegen", "lcb", Rules.LCB) == {"a": (1, date(2025, 12, 1)), "b": (2, None)}
    assert places("repair", "lcb-repair", Rules.LCB) == {"a": (None, APRIL), "b": (1, None)}
    assert places("repair", "lcb-repair", Rules.TIDEMARK) == {"a": (None, NOW.date()), "b": (None, NOW.date())}, (
        "there is one truth of a model, and no file's is evidence"
    )
