"""Importing other people's results: every good row, once, with nothing guessed silently."""

import gzip
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import World
from pipeline.flow import NOW
from sqlalchemy import func, select
from support import files
from support.files import bad_rows, board_row, board_text, read, stored_date, write

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import CellRow, Difficulty, ImportedResult, Model, Problem, Run
from app.domain.errors import InvalidImport
from app.domain.imports import ImportedModel
from app.domain.slugs import model_slug
from app.domain.states import ProblemState, RunOrigin
from app.services.runs import cell_updates, imports


def results(session: Session) -> dict[tuple[str, int, str], tuple[int, int, str]]:
    """(model, trial, problem) -> (n, c, the value as stored)."""
    rows = session.execute(
        select(Model.slug, Run.trial, Problem.external_id, ImportedResult.n, ImportedResult.c, ImportedResult.value)
        .join(Run, Run.id == ImportedResult.run_id)
        .join(Model, Model.id == Run.model_id)
        .join(Problem, Problem.id == ImportedResult.problem_id)
    )
    return {(row[0], row[1], row[2]): (row[3], row[4], row[5]) for row in rows}


def count(session: Session, table: type[Any]) -> int:
    return session.scalar(select(func.count()).select_from(table)) or 0


def refused_rows(kind: str, path: Path) -> list[tuple[int, str]]:
    """Of a file without any good row."""
    with pytest.raises(InvalidImport) as refused:
        read(kind, path)
    assert all(row.file == path.name for row in refused.value.bad_rows)
    return [(row.line, row.reason) for row in refused.value.bad_rows]


def test_n_is_the_smallest_that_makes_every_count_whole(session: Session, tmp_path: Path) -> None:
    shares = {"one": (0.0, 100.0), "two": (50.0, 100), "five": (20.0, 60.0), "ten": (30.0, 50.0), "both": (20.0, 50.0)}
    rows = [board_row(model, f"p{index}", share) for model, pair in shares.items() for index, share in enumerate(pair)]
    batch = read("lcb-board", write(tmp_path, "board.json", board_text(rows)))
    assert all(model.n_inferred for model in batch.models)
    summary = imports.store_batch(session, batch, NOW)
    assert (summary.protocol, summary.models, summary.problems, summary.rows) == ("lcb", 5, 2, 10)
    assert {key[0]: value[0] for key, value in results(session).items()} == {
        "one": 1,
        "two": 2,
        "five": 5,
        "ten": 10,
        "both": 10,
    }
    assert results(session)["five", 1, "p1"] == (5, 3, "60.0")
    assert results(session)["two", 1, "p1"] == (2, 2, "100"), "the value as the file spells it"
    assert {run.origin for run in session.scalars(select(Run))} == {RunOrigin.IMPORTED}
    assert all(run.provenance["n_inferred"] for run in session.scalars(select(Run)))


def test_dates_are_the_contests_and_the_earliest_wins(session: Session, tmp_path: Path) -> None:
    early, late = stored_date(date(2026, 2, 1)), stored_date(date(2026, 2, 3))
    rows = [
        board_row("a", "p", 100.0, date=late),
        board_row("b", "p", 0.0, date=early),
        board_row("a", "q", 0.0, date=late),
    ]
    summary = imports.store_batch(session, read("lcb-board", write(tmp_path, "b.json", board_text(rows))), NOW)
    dates = {row[0]: row[1] for row in session.execute(select(Problem.external_id, Problem.released_on))}
    assert dates == {"p": datetime(2026, 2, 1, tzinfo=UTC), "q": datetime(2026, 2, 3, tzinfo=UTC)}
    assert len(summary.notes) == 1
    assert "leetcode/p" in summary.notes[0]
    assert set(session.scalars(select(Problem.state))) == {ProblemState.CATALOGUED}
    again = [board_row("c", "q", 0.0, date=early), board_row("c", "p", 0.0, date=late)]
    imports.store_batch(session, read("lcb-board", write(tmp_path, "c.json", board_text(again))), NOW)
    session.expire_all()
    assert set(session.scalars(select(Problem.released_on))) == {datetime(2026, 2, 1, tzinfo=UTC)}


def test_the_same_file_twice_changes_nothing_and_another_makes_a_trial(session: Session, tmp_path: Path) -> None:
    rows = [board_row("O3 (High)", f"p{index}", 100.0 * (index % 2)) for index in range(6)]
    models = [{"model_repr": "O3 (High)", "release_date": stored_date(date(2025, 6, 1)), "link": "javascript:alert(1)"}]
    first = read("lcb-board", write(tmp_path, "first.json.gz", board_text(rows, models=models)))
    imports.store_batch(session, first, NOW)
    before = results(session)
    cell_updates.update_changed_cells(session)
    imports.store_batch(session, first, NOW)
    cell_updates.update_changed_cells(session)
    assert results(session) == before
    assert (count(session, Run), count(session, CellRow), count(session, Difficulty)) == (1, 6, 6)
    rows[0]["pass@1"] = 100.0
    second = read("lcb-board", write(tmp_path, "second.json", board_text(rows)))
    imports.store_batch(session, second, NOW)
    assert {key[1] for key in results(session)} == {1, 2}
    assert results(session)["o3-high", 1, "p0"][1] == 0
    assert results(session)["o3-high", 2, "p0"][1] == 1
    provenances = [run.provenance for run in session.scalars(select(Run).order_by(Run.trial))]
    assert [provenance["file"] for provenance in provenances] == ["first.json.gz", "second.json"]
    assert len({provenance["sha256"] for provenance in provenances}) == 2
    model = session.scalars(select(Model)).one()
    assert (model.name, model.link) == ("O3 (High)", None)
    assert (model.cutoff_on, model.released_on) == (None, date(2025, 4, 16)), "the table's, whatever a file lists"


def test_a_board_names_who_makes_a_model_and_never_against_a_person(session: Session, tmp_path: Path) -> None:
    """Models that an older import left without an organisation get one; what a person said of one stays."""
    makers = {
        "Asked as others are": ("org/gpt-4", "OpenAIChat"), "Fine": ("Qwen/Qwen2.5-32B-Instruct", "LLaMa3"),
        "Named": ("gpt-4o-2024-08-06", "OpenAIChat"), "Another's": ("claude-3-haiku", "OpenAIChat"),
        "Unheard of": ("kestrel-1", "Kestrel"), "By a person": ("grok-3", "Grok"), "By its vendor": ("o1-mini", "Grok"),
        "Odd": (["gpt-4"], {"a": 1}),
    }  # fmt: skip
    rows = [board_row(name, "p", 100.0) for name in makers]
    models = [
        {"model_repr": name, "model_name": called, "model_style": style} for name, (called, style) in makers.items()
    ]
    imports.store_batch(session, read("lcb-board", write(tmp_path, "old.json", board_text(rows))), NOW)
    assert set(session.scalars(select(Model.organisation_name))) == {""}
    session.scalars(select(Model).where(Model.slug == "by-a-person")).one().organisation_name = "X AI Corp."
    whole = read("lcb-board", write(tmp_path, "new.json", board_text(rows, models=models)))
    for _again in range(2):
        imports.store_batch(session, whole, NOW)
    named = {model.name: model.organisation_name for model in session.scalars(select(Model))}
    assert named == dict.fromkeys(makers, "") | {"Fine": "Alibaba", "Named": "OpenAI", "By a person": "X AI Corp."}
    imports.store_batch(session, read("lcb-board", write(tmp_path, "old.json", board_text(rows))), NOW)
    assert "OpenAI" in set(session.scalars(select(Model.organisation_name))), "a file that says nothing takes nothing"


def test_the_repair_board_has_a_protocol_of_its_own(session: Session, tmp_path: Path) -> None:
    path = write(tmp_path, "repair.json", board_text([board_row("a", "p", 100.0)]))
    assert imports.store_batch(session, read("lcb-board", path, board="repair"), NOW).protocol == "lcb-repair"
    assert imports.store_batch(session, read("lcb-board", path), NOW).protocol == "lcb"
    assert count(session, Run) == 2


GOOD = board_row("a", "p", 100.0)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"pass@1": "100"}, "pass@1"),
        ({"pass@1": True}, "pass@1"),
        ({"pass@1": None}, "pass@1"),
        ({"pass@1": 100.5}, "pass@1"),
        ({"pass@1": -1}, "pass@1"),
        ({"pass@1": float("nan")}, "pass@1 is nan"),
        ({"pass@1": float("inf")}, "pass@1"),
        ({"pass@1": 12.49}, "no n up to 10"),
        ({"pass@1": 33}, "no n up to 10"),
        ({"date": "2026-02-01"}, "date"),
        ({"date": -5}, "date"),
        ({"date": 1e300}, "date"),
        ({"model": ""}, "model is missing"),
        ({"model": ["a"]}, "model is missing"),
        ({"model": "x\0"}, "NUL"),
        ({"question_id": "\ud800"}, "surrogate"),
        ({"platform": "topcoder"}, "topcoder"),
        ({"platform": {"a": 1}}, "platform is missing"),
        ({"difficulty": "extreme"}, "extreme"),
        ({"question_id": "p"}, "appears twice"),
    ],
)
def test_a_bad_row_is_named_and_costs_no_other(tmp_path: Path, row: dict[str, Any], reason: str) -> None:
    rows = [GOOD, board_row("a", "q", 0.0) | row, board_row("b", "q", 100.0)]
    text = board_text(rows)
    where = [number for number, line in enumerate(text.split("\n"), 1) if '"question_id"' in line]
    batch = read("lcb-board", write(tmp_path, "board.json", text))
    [bad] = batch.bad_rows
    assert (bad.file, bad.line) == ("board.json", where[1])
    assert reason in bad.reason
    kept = [("b", "q")] if row.get("question_id") == "p" else [("a", "p"), ("b", "q")]
    assert [(cell.model, cell.problem) for cell in batch.cells] == kept, (
        "of rows that contradict each other none counts"
    )
    minified = json.dumps(json.loads(text))
    [bad] = read("lcb-board", write(tmp_path, "flat.json", minified)).bad_rows
    assert (bad.line, bad.reason.startswith("row 2: ")) == (1, True)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (b"", 1),
        (b"[]", 1),
        (b'{"performances": []}', 1),
        (b'{"performances": {}}', 1),
        (b'{"performances": [1, 2]}', 1),
        (board_text([GOOD] * 2).encode()[:-120], 16),
        (b'{\n "performances": [\n  {"a": 1,}\n]}', 3),
        (b'{\n "performances":\n "\xff\xfe"}', 3),
        (b"[" * 100_000, 1),
        (b'{"performances": ' + b"9" * 5000 + b"}", 1),
    ],
)
def test_a_file_that_is_no_board_names_a_line(tmp_path: Path, body: bytes, line: int) -> None:
    assert refused_rows("lcb-board", write(tmp_path, "board.json", body))[0][0] == line
    assert refused_rows("lcb-board", write(tmp_path, "board.json.gz", body))[0][0] == line


def test_a_damaged_gzip_file_names_the_line_it_breaks_off_at(tmp_path: Path) -> None:
    text = board_text([board_row("a", f"p{index}", 100.0) for index in range(3000)]).encode()
    packed = gzip.compress(text)
    [(line, reason)] = refused_rows("lcb-board", write(tmp_path, "cut.json", packed[: len(packed) // 2]))
    assert "cut off" in reason
    assert 1000 < line < text.count(b"\n")
    damaged = packed[:-8] + b"\0" * 8  # its own checksum says so
    [(_, reason)] = refused_rows("lcb-board", write(tmp_path, "damaged.json", damaged))
    assert "damaged" in reason
    trailing = refused_rows("lcb-board", write(tmp_path, "trailing.json", packed + b"more"))
    assert "damaged" in trailing[0][1]
    both = write(tmp_path, "members.json", gzip.compress(text[:5000]) + gzip.compress(text[5000:]))
    assert len(read("lcb-board", both).cells) == 3000


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "none.json", "no such file"), (tmp_path, "cannot be read")):
        with pytest.raises(InvalidImport, match=said):
            read("lcb-board", path)


def test_models_that_cannot_be_spelt_here_stay_apart(tmp_path: Path) -> None:
    rows = [board_row("通义", "p", 100.0), board_row("文心", "p", 0.0)]
    batch = read("lcb-board", write(tmp_path, "b.json", board_text(rows)))
    assert len({model.slug for model in batch.models}) == 2


NAMES = ("Command-R", "Command-R+", "GPT-4O", "gpt-4o", "C#", "C+", "C", "o1 (high)", "o1-high", "GPT-4", "GPT-4*",
         "通义-72B", "文心-72B")  # fmt: skip


def test_models_of_different_names_stay_apart(session: Session, tmp_path: Path) -> None:
    """Also where an older version gave one of them a slug that others would get now; that one keeps it."""
    old = {"command-r": "Command-R+", "gpt-4o": "gpt-4o", "72b": "通义-72B", "gpt-4": "GPT-4 of ours"}
    for slug, name in old.items():
        run_store.ensure_model(session, ImportedModel(slug, name), NOW)
    rows = [board_row(name, "p", 100.0 * (place % 2)) for place, name in enumerate(NAMES)]
    for text in (board_text(rows), board_text(rows[::-1]), board_text(rows)):
        imports.store_batch(session, read("lcb-board", write(tmp_path, "board.json", text)), NOW)
    models = {model.name: model.slug for model in session.scalars(select(Model))}
    assert {slug: name for name, slug in models.items()}.items() >= old.items()
    assert set(models) == {*NAMES, "GPT-4 of ours"} - {"GPT-4"}, "a slug that was given is joined"
    of_two = [model.name for model, runs in _runs_by_model(session) if runs != 2]
    assert of_two == [], "the same file again finds its runs"


def _runs_by_model(session: Session) -> list[tuple[Model, int]]:
    return [
        (model, session.scalar(select(func.count()).select_from(Run).where(Run.model_id == model.id)) or 0)
        for model in session.scalars(select(Model))
    ]


def test_a_board_of_another_scenario_is_refused_in_one_line(tmp_path: Path) -> None:
    row = {"question_id": 2730, "sample_id": 3, "model": "a", "Pass@1": 40.0, "date": stored_date(date(2026, 2, 1))}
    path = write(tmp_path, "execution.json", board_text([row, row]))
    assert refused_rows("lcb-board", path) == [(1, "no row is one of the board codegen; these may be of execution")]


def test_a_row_that_is_repeated_counts_once(tmp_path: Path) -> None:
    """Files of a time list a model twice; rows that disagree are refused all the same."""
    rows = [GOOD, board_row("b", "p", 0.0), GOOD]
    batch = read("lcb-board", write(tmp_path, "b.json", board_text(rows)))
    assert [(cell.model, cell.row_number) for cell in batch.cells] == [("a", 1), ("b", 2)]
    rows.append(GOOD | {"pass@1": 0.0})
    assert "other facts" in bad_rows("lcb-board", write(tmp_path, "b.json", board_text(rows)))[0].reason


def test_a_model_that_was_evaluated_twice_has_the_answers_of_both(tmp_path: Path) -> None:
    """Of one problem alone, or of some, nothing tells that from a slip; the facts of a problem are the same in both."""
    first = [board_row("a", "p", 100.0), board_row("a", "q", 0.0), board_row("a", "r", 50.0)]
    again = [row | {"pass@1": 50.0} for row in first]
    batch = read("lcb-board", write(tmp_path, "b.json", board_text([*first, board_row("b", "p", 0.0), *again])))
    assert [(cell.model, cell.problem, cell.c, cell.n, cell.value) for cell in batch.cells] == [
        ("a", "p", 3, 4, "100.0, 50.0"), ("a", "q", 1, 4, "0.0, 50.0"), ("a", "r", 2, 4, "50.0, 50.0"),
        ("b", "p", 0, 1, "0.0"),
    ]  # fmt: skip
    assert batch.notes == ("a is listed 2 times with other values; the answers of all count",)
    for odd in (again[:2], [*again[:2], again[2] | {"difficulty": "hard"}], [*again, again[0]]):
        bad = bad_rows("lcb-board", write(tmp_path, "c.json", board_text([*first, board_row("b", "p", 0.0), *odd])))
        assert "appears twice, with other facts" in bad[0].reason


def test_a_board_row_leaves_a_fuller_problem_as_it_is(session: Session, tmp_path: Path) -> None:
    """The dataset's problem keeps its title, date and level when a board names it, and is named by it."""
    full = read("leetcode-dataset", write(tmp_path, "d.jsonl", files.lines(files.dataset_row("add-all"))))
    imports.store_batch(session, full, NOW)
    row = board_row("a", "add-all", 100.0, difficulty="hard", date=stored_date(date(2020, 1, 1)))
    imports.store_batch(session, read("lcb-board", write(tmp_path, "b.json", board_text([row]))), NOW)
    session.expire_all()
    problem = session.scalars(select(Problem)).one()
    assert (problem.title, problem.released_on) == ("Add All", datetime(2026, 2, 1, tzinfo=UTC))
    assert problem.state != ProblemState.CATALOGUED
    assert session.scalars(select(Difficulty.value)).all() == [1.0]
    assert len(results(session)) == 1


def test_a_catalogued_problem_is_filled_in_later(session: Session, tmp_path: Path) -> None:
    row = board_row("a", "add-all", 100.0)
    imports.store_batch(session, read("lcb-board", write(tmp_path, "b.json", board_text([row]))), NOW)
    full = read("leetcode-dataset", write(tmp_path, "d.jsonl", files.lines(files.dataset_row("add-all"))))
    imports.store_batch(session, full, NOW)
    session.expire_all()
    problem = session.scalars(select(Problem)).one()
    assert problem.state == ProblemState.FOUND, "its tests wait for their proof"
    assert problem.current_test_set_id is not None


def test_n_is_told_row_by_row(session: Session, tmp_path: Path) -> None:
    """Of some problems a file has fewer answers than its 10: 12.5 is one of 8, 22.2 two of 9."""
    shares = [30.0, 50.0, 100.0, 12.5, 22.2, 22.22222222222222, 90.0, 37.3]
    rows = [board_row("a", f"p{place}", share) for place, share in enumerate(shares)]
    thirds = [board_row("b", f"p{place}", share) for place, share in enumerate((33.33333333333333, 66.7, 100.0))]
    batch = read("lcb-board", write(tmp_path, "b.json", board_text([*rows, *thirds])))
    assert [(cell.problem, cell.c, cell.n) for cell in batch.cells if cell.model == "a"] == [
        ("p0", 3, 10), ("p1", 5, 10), ("p2", 10, 10), ("p3", 1, 8), ("p4", 2, 9), ("p5", 2, 9), ("p6", 9, 10),
    ]  # fmt: skip
    assert [(cell.c, cell.n) for cell in batch.cells if cell.model == "b"] == [(1, 3), (2, 3), (3, 3)]
    assert batch.notes == ("a: its rows are of 10 answers, but for 1 of 8, 2 of 9",)
    [bad] = batch.bad_rows
    assert bad.reason == "row 8: no n up to 10 makes the count of a whole"
    for _again in range(2):
        summary = imports.store_batch(session, batch, NOW)
        assert (summary.rows, summary.bad_rows) == (10, batch.bad_rows)
    assert len(results(session)) == 10


def test_a_bad_row_of_a_model_that_was_evaluated_twice_costs_no_other(tmp_path: Path) -> None:
    first = [board_row("a", "p", 100.0), board_row("a", "q", 0.0), board_row("a", "r", 50.0)]
    again = [row | {"pass@1": 50.0} for row in first]
    again[1]["pass@1"] = "x"
    batch = read("lcb-board", write(tmp_path, "b.json", board_text([*first, *again])))
    assert [(cell.problem, cell.c, cell.n) for cell in batch.cells] == [("p", 3, 4), ("q", 0, 2), ("r", 2, 4)]
    assert [bad.reason for bad in batch.bad_rows] == ["row 5: pass@1 is 'x', not a number from 0 to 100"]


def test_one_model_under_several_spellings_is_one(session: Session, tmp_path: Path) -> None:
    """Each file is a trial of its own; slugs that are here stay, and two names of one file stay two."""
    first = ["Claude-3-Haiku", "O1-Mini-2024-09-12 (N=1)", "gpt-3.5-turbo"]
    other = ["claude-3-haiku-20240307", "o1-Mini-2024-09-12 (temperature=1)", "GPT-3.5-Turbo-0125"]
    batches = [
        read("lcb-board", write(tmp_path, f"{place}.json", board_text([board_row(name, "p", 100.0) for name in names])))
        for place, names in enumerate((first, other, [first[0], other[0]]))
    ]
    joined = [f"{name} is the model {model_slug(first[place])} here" for place, name in enumerate(other[:2])]
    for _again in range(2):
        notes = [imports.store_batch(session, batch, NOW).notes for batch in batches[:2]]
        assert [[note for note in each if "is the model" in note] for each in notes] == [[], joined]
    trials = {model.name: runs for model, runs in _runs_by_model(session)}
    assert trials == {"Claude-3-Haiku": 2, "O1-Mini-2024-09-12 (N=1)": 2, "gpt-3.5-turbo": 1, "GPT-3.5-Turbo-0125": 1}
    names = [run.provenance["name_in_file"] for run in session.scalars(select(Run).order_by(Run.id))]
    assert names == [*first, *other]
    imports.store_batch(session, batches[2], NOW)
    assert {model.name: runs for model, runs in _runs_by_model(session)}[other[0]] == 1, "two of one file stay two"
    scores = {"pass@1": {"complete": 50.0, "instruct": None}}
    results_text = json.dumps({"Claude-3-Haiku-20240307": scores, "o1-mini-2024-09-12": scores})
    published = read("bigcodebench-results", write(tmp_path, "results.json", results_text))
    imports.store_batch(session, published, NOW)
    trials = {model.slug: runs for model, runs in _runs_by_model(session)}
    assert (trials["o1-mini-2024-09-12-n-1"], "o1-mini-2024-09-12" in trials) == (3, False)


def test_a_vendors_model_is_joined_by_its_own_name_alone(session: Session, tmp_path: Path) -> None:
    world = World(session)
    organisation = run_store.ensure_organisation(session, "anthropic", "Anthropic")
    world.model("claude-3-haiku", name="Claude-3-Haiku", organisation_id=organisation.id)
    file = write(tmp_path, "b.json", board_text([board_row("claude-3-haiku-20240307", "p", 100.0)]))
    imports.store_batch(session, read("lcb-board", file), NOW)
    assert set(session.scalars(select(Model.slug))) == {"claude-3-haiku", "claude-3-haiku-20240307"}


NAMED = ("Claude-3-Haiku", "GPT-3.5-Turbo-0125", "Kestrel 1", "Claude-3-Haik")


def test_names_that_no_model_has_are_told_with_the_nearest(session: Session, tmp_path: Path) -> None:
    rows = [
        board_row(name, "p", 100.0) for name in ("Claude-3-Haiku", "GPT-3.5-Turbo-0125", "Kestrel 1", "Claude-3-Haik")
    ]
    summary = imports.store_batch(session, read("lcb-board", write(tmp_path, "b.json", board_text(rows))), NOW)
    assert set(summary.unknown_models) == {"kestrel-1", "claude-3-haik"}
    assert summary.nearest["claude-3-haik"][0].startswith("Claude-3-Haiku")
    scores = "model,score\nclaude-3-haiku-20240307,70\ngpt-3.5-turbo,60\nkestrel-1,50\nxwin,40\n"
    told = imports.store_batch(session, read("external-scores", write(tmp_path, "table.csv", scores)), NOW)
    assert told.unmatched_models == ("gpt-3.5-turbo", "xwin")
    assert told.nearest == {"gpt-3.5-turbo": ("GPT-3.5-Turbo-0125",), "xwin": ()}
