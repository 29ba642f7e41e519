"""A results file says nothing of when a model was trained: the table of known models does, or the row says that nobody
has."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy import select
from support.files import board_row, board_text, read, stored_date, write

from app.cli.boards.text import format_board
from app.db.tables import AuditEntry, CutoffEdit, LedgerEntry, Model, Organisation
from app.domain.boards.board import BoardQuery
from app.services.boards import board_views, results_file
from app.services.runs import cell_updates, imports

PLACEHOLDER = date(2023, 4, 30)
KNOWN, UNKNOWN = "Claude-3.5-Sonnet-20241022", "Kestrel 1"
PROBLEMS = {"early": date(2024, 4, 30), "late": date(2024, 5, 1), "later": date(2024, 6, 1)}


def board_file(folder: Path, *names: str, **changes: Any) -> Any:
    """A file that lists every model as trained before the first problem."""
    rows = [
        board_row(name, problem, 100.0, date=stored_date(day)) for name in names for problem, day in PROBLEMS.items()
    ]
    models = [{"model_repr": name, "release_date": stored_date(PLACEHOLDER)} for name in names]
    return read("lcb-board", write(folder, "board.json", board_text(rows, models=models, **changes)))


def stored(world: World, batch: Any) -> Any:
    summary = imports.store_batch(world.session, batch, NOW)
    while cell_updates.update_changed_cells(world.session):
        pass
    world.session.commit()
    return summary


def rows(client: Client, **params: str) -> dict[str, Any]:
    body = client.get("/api/v1/boards/codegen", params={"protocol": "lcb", **params}).json()
    return {row["model"]: row for row in body["rows"]}


def test_the_table_dates_what_it_knows_and_the_row_says_what_it_does_not(
    world: World, client: Client, tmp_path: Path
) -> None:
    summary = stored(world, board_file(tmp_path, KNOWN, UNKNOWN))
    assert summary.unknown_models == ("kestrel-1",)
    listed = PLACEHOLDER + timedelta(days=1)
    said = f"its cutoff here stays {NOW.date()}; LiveCodeBench's rules take the file's, {listed}"
    assert f"kestrel-1: {said}" in summary.notes
    found = rows(client)
    known, unknown = found["claude-3-5-sonnet-20241022"], found["kestrel-1"]
    assert (known["cutoff"], known["exposed"]) == ({"date": "2024-04-30", "basis": "declared"}, 1)
    assert (unknown["cutoff"], unknown["exposed"]) == ({"date": NOW.date().isoformat(), "basis": "registered"}, 3)
    assert [row["rank"] for row in found.values()] == [None, None]
    assert (known["unknown_model"], unknown["unknown_model"]) == (False, True)
    late = rows(client, **{"from": "2024-05-01"})
    assert (late["claude-3-5-sonnet-20241022"]["rank"], late["kestrel-1"]["rank"]) == (1, None)
    by_file = rows(client, rules="lcb", **{"from": "2023-05-02"})
    assert {name: (row["rank"], row["cutoff"]["basis"]) for name, row in by_file.items()} == {
        "claude-3-5-sonnet-20241022": (1, "listed"), "kestrel-1": (2, "listed"),
    }, "the site's rules are the site's"  # fmt: skip
    assert client.get("/en/?protocol=lcb&from=").text.count(">not in the table of known models<") == 2, (
        "once as a mark, and once where marks are explained"
    )
    assert client.get("/zh/?protocol=lcb&from=").text.count(">不在已知模型表中<") == 2
    with_database = board_views.board(
        world.session, BoardQuery(protocol="lcb"), board_views.CubeStore(tmp_path / "cubes")
    )
    alone = results_file.board_of(board_file(tmp_path, KNOWN, UNKNOWN), BoardQuery(protocol="lcb"), NOW.date())
    for board in (with_database, alone):
        assert format_board(board, width=160).count("not in the table of known models") == 1
        assert {row.model: row.fact.unknown_model for row in board.rows} == {
            "claude-3-5-sonnet-20241022": False, "kestrel-1": True,
        }  # fmt: skip
    [created] = world.session.scalars(select(AuditEntry).where(AuditEntry.subject == "claude-3-5-sonnet-20241022"))
    assert (created.after or {})["date"] == "2024-04-30", "what the table says is accepted at once, with a line"


def test_a_model_that_was_here_without_a_date_gets_the_tables_in_the_open(
    world: World, client: Client, tmp_path: Path
) -> None:
    world.run(world.model("claude-3-5-sonnet-20241022", name=KNOWN, created_at=NOW))
    for _twice in range(2):
        stored(world, board_file(tmp_path, KNOWN))
    assert rows(client)["claude-3-5-sonnet-20241022"]["cutoff"] == {"date": "2024-04-30", "basis": "declared"}
    [edit] = world.session.scalars(select(CutoffEdit))
    assert (edit.old_on, edit.old_basis, edit.new_on) == (NOW.date(), "registered", date(2024, 4, 30))
    [line] = world.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "model.cutoff"))
    assert ((line.before or {})["date"], (line.after or {})["date"]) == (NOW.date().isoformat(), "2024-04-30")


@pytest.mark.parametrize("name", [KNOWN, UNKNOWN])
def test_a_vendors_model_is_dated_by_no_file(world: World, tmp_path: Path, name: str) -> None:
    """Else a vendor would take a known name, and have its dates."""
    acme = Organisation(slug="acme", name="Acme")
    world.session.add(acme)
    world.session.flush()
    slug = "claude-3-5-sonnet-20241022" if name == KNOWN else "kestrel-1"
    world.model(slug, name=name, organisation_id=acme.id, created_at=NOW)
    stored(world, board_file(tmp_path, name))
    [model] = world.session.scalars(select(Model))
    assert (model.cutoff_on, model.cutoff_evidence, model.released_on) == (None, None, None)
