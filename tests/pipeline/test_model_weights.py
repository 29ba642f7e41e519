"""Open or closed, how large, and tuned from what: said by maintainers, shown on boards, never ranked by."""

import json
from pathlib import Path
from typing import Any

import pytest
from factories import NOW, World
from sqlalchemy import select
from support.files import board_row, board_text, read, write

from app.cli.boards.text import format_board
from app.db.kernel.session import Session
from app.db.tables import AuditEntry, Model
from app.domain.boards.board import Board
from app.domain.cube.facts import WeightsAccess
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import shipped_protocols
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.runs import imports, models
from app.services.runs.models import WeightFacts


def test_boards_show_what_is_said_of_weights(session: Session, tmp_path: Path) -> None:
    world = World(session)
    problems = [world.problem(f"{number}/A", source="codeforces") for number in range(1, 5)]
    for slug, protocol, passed in (("tern-base", "fresh-base", 1), ("tern", "fresh", 3), ("gull", "fresh", 2)):
        run = world.run(slug, protocol=shipped_protocols()[protocol])
        for number, problem in enumerate(problems):
            world.answer(run, problem, Verdict.ACCEPTED if number < passed else Verdict.WRONG_ANSWER)
    world.count()
    cubes = CubeStore(tmp_path)

    def board(*params: tuple[str, str]) -> Board:
        return board_views.board(session, parse_query([("protocol", "fresh"), *params], "codegen"), cubes)

    before = board_views.board_json(board())["rows"]
    assert "tuning" not in format_board(board()), "nobody has said anything"
    models.edit_weights(session, "tern", WeightFacts(WeightsAccess.OPEN, 7.5, "tern-base"), "its card", NOW)
    models.edit_weights(session, "gull", WeightFacts(WeightsAccess.CLOSED), "its card", NOW)
    rows = {row["model"]: row for row in board_views.board_json(board())["rows"]}
    tuned, closed = rows["tern"]["columns"], rows["gull"]["columns"]
    assert (tuned["size_b"], tuned["base"], tuned["tuning"]) == (7.5, 25.0, 50.0)
    assert (tuned["tuning_lo"], tuned["tuning_hi"]) == (None, None), "all problems are of one day"
    assert set(closed.values()) == {None}
    assert (rows["tern"]["weights"], rows["tern"]["tuned_from"]) == ("open", "tern-base")
    assert (rows["gull"]["weights"], "tuned_from" in rows["gull"]) == ("closed", False)
    assert not {"weights", "tuned_from"} & before[0].keys()
    assert "open weights" in format_board(board())
    assert [(row["model"], row["rank"]) for row in rows.values()] == [(row["model"], row["rank"]) for row in before]
    assert "tuning" in format_board(board())
    of_closed = board_views.board_json(board(("weights", "closed")))
    assert [(row["model"], row["rank"]) for row in of_closed["rows"]] == [("gull", 2)]
    assert of_closed["hidden"] == [{"model": "tern", "configuration": "", "reason": "weights"}]


def test_the_board_of_contests_shows_sizes_too(session: Session, tmp_path: Path) -> None:
    world = World(session)
    run = world.run("tern", protocol=shipped_protocols()["codeelo-4k"])
    world.answer(run, world.problem("1/A", source="codeforces"), Verdict.ACCEPTED)
    world.count()
    models.edit_weights(session, "tern", WeightFacts(size_b=32.0), "its card", NOW)
    query = parse_query([("protocol", "codeelo-4k")], "codeelo")
    [row] = board_views.board_json(board_views.board(session, query, CubeStore(tmp_path)))["rows"]
    assert row["columns"]["size_b"] == 32.0


def test_what_is_said_of_weights_is_checked_and_kept(session: Session) -> None:
    world = World(session)
    for slug in ("tern", "gull"):
        world.model(slug)
    said = WeightFacts(WeightsAccess.OPEN, 7.5, "gull")
    models.edit_weights(session, "tern", said, "its card", NOW)
    with pytest.raises(Conflict):
        models.edit_weights(session, "tern", said, "its card", NOW)
    for wrong, error in (
        (WeightFacts(size_b=0.0), InvalidInput),
        (WeightFacts(size_b=float("nan")), InvalidInput),
        (WeightFacts(tuned_from="tern"), InvalidInput),
        (WeightFacts(tuned_from="nobody"), NotFound),
    ):
        with pytest.raises(error):
            models.edit_weights(session, "tern", wrong, "its card", NOW)
    with pytest.raises(NotFound):
        models.edit_weights(session, "nobody", said, "its card", NOW)


def test_files_say_what_nobody_has_said_yet(session: Session, tmp_path: Path) -> None:
    """What a maintainer wrote down stays, and so does what an earlier file said."""
    world = World(session)
    world.model("gull")
    models.edit_weights(session, "gull", WeightFacts(WeightsAccess.CLOSED, 9.0), "its card", NOW)
    lists: list[dict[str, Any]] = [
        {
            "model_repr": "GPT-4o-2024-08-06",
            "model_name": "gpt-4o-2024-08-06",
            "model_style": "OpenAIChat",
            "link": None,
        },
        {"model_repr": "Tern", "model_name": "org/tern", "link": "https://huggingface.co/org/tern"},
        {"model_repr": "Mistral", "model_name": "mistral-large", "model_style": "MistralWeb"},
    ]
    rows = [board_row(each["model_repr"], "p", 100.0) for each in lists]
    board = read("lcb-board", write(tmp_path, "board.json", board_text(rows, models=lists)))
    scores: dict[str, Any] = {"pass@1": {"complete": 50.0, "instruct": None}, "open-data": "None"}
    size: dict[str, Any] = {"link": "https://huggingface.co/org/gull", "size": 7, "date": "2024-04-16"}
    results = {
        "Tern": scores | size,
        "gull": scores | size,
        "Mistral": scores | {"link": "https://a.example", "size": None},
    }
    published = read("bigcodebench-results", write(tmp_path, "results.json", json.dumps(results)))
    for _again in range(2):
        for batch in (board, published):
            imports.store_batch(session, batch, NOW)
    found = {row.slug: (row.open_weights, row.size_b) for row in session.scalars(select(Model))}
    assert found == {
        "gpt-4o-2024-08-06": (False, None), "tern": (True, 7.0), "mistral": (False, None), "gull": (False, 9.0),
    }  # fmt: skip
    tern = session.scalars(select(Model).where(Model.slug == "tern")).one()
    assert (tern.link, str(tern.released_on)) == ("https://huggingface.co/org/tern", "2024-04-16")
    written = (
        select(AuditEntry.subject, AuditEntry.after).where(AuditEntry.action == "model.weights").order_by(AuditEntry.id)
    )
    assert [tuple(row) for row in session.execute(written)][1:] == [
        ("tern", {"size_b": 7.0}),
        ("gull", {"link": "https://huggingface.co/org/gull"}),
        ("mistral", {"open_weights": False, "link": "https://a.example"}),
    ]
    world.aggregate()
    query = parse_query([("protocol", "bcb-complete-published"), ("weights", "open")], "bigcode")
    [row] = board_views.board_json(board_views.board(session, query, CubeStore(tmp_path / "cubes")))["rows"]
    assert (row["model"], row["weights"], row["columns"]["size_b"]) == ("tern", "open", 7.0)
