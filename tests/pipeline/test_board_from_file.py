"""`tidemark board NAME --results FILE`: the rows that the database has, from a file alone."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import NOW, answer_all, judge_one, offer
from support.batches import START, batch, problem
from support.commands import tidemark
from support.files import board_row, board_text, read, write
from support.servers import Servers

from app.cli.__main__ import main
from app.config import Settings
from app.db.kernel.session import Session, make_engine, make_sessionmaker
from app.domain.asking.protocols import FRESH, HOUSE, LCB_RECORDED
from app.domain.imports import ImportedContest
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import shipped_protocols
from app.services.runs import cell_updates, imports, plan
from workers.context import Context

# What no file knows: ids and revisions of the database, what answers took and when they came, who began a run and when,
# and the names of contests, in whose order they are drawn again.
NOT_IN_FILES = (
    "run", "tokens", "seconds_per_problem", "cost_per_solve", "lag_days", "started_by", "registered_at",
    "p_first",
)  # fmt: skip
LUCK = (Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.ACCEPTED, Verdict.TIME_LIMIT, Verdict.ACCEPTED)


class Door:
    """The command line, with a database and without."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._capsys, self._monkeypatch, self._folder = capsys, monkeypatch, folder

    def call(self, names: Mapping[str, str], words: Sequence[str]) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of a verb."""
        self._capsys.readouterr()
        with self._monkeypatch.context() as patched:
            for name, value in names.items():
                patched.setenv(name, value)
            try:
                code = main(words)
            except SystemExit as ended:
                code = int(ended.code or 0)
        return (code, *self._capsys.readouterr())

    def asked(self, settings: Settings, *words: str) -> str:
        """What a verb prints over the database."""
        names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_STATE": str(settings.state_dir)}
        code, out, err = self.call(names, words)
        assert code == 0, err
        return out

    def from_file(self, path: Path, *words: str, board: str = "codegen") -> tuple[int, str, str]:
        """What `board` says of a file, where there is no installation."""
        names = {"TIDEMARK_STATE": str(self._folder / "no-state")}
        return self.call(names, ["board", board, "--results", str(path), *words])

    def board(self, path: Path, *words: str, board: str = "codegen") -> dict[str, Any]:
        """The board of a file."""
        code, out, err = self.from_file(path, "--json", *words, board=board)
        assert (code, err) == (0, "")
        found: dict[str, Any] = json.loads(out)
        return found

    def refused(self, path: Path, *words: str, board: str = "codegen") -> str:
        """What is said of a file that no board is made of."""
        code, out, err = self.from_file(path, *words, board=board)
        assert (code, out) == (2, "")
        return err


@pytest.fixture
def door(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Door:
    """The command line."""
    return Door(capsys, monkeypatch, tmp_path)


def known(found: dict[str, Any]) -> dict[str, Any]:
    """What a file carries of a board."""
    rows = [{name: value for name, value in row.items() if name not in NOT_IN_FILES} for row in found["rows"]]
    for row in rows:
        if row["cutoff"]["basis"] == "registered":  # where the file is of others, on the day on which it is read
            row["cutoff"] = {"basis": "registered"}
        assert row["speed_vs_reference"] is None, "nothing here is timed"
    facets = {name: values for name, values in found["facets"].items() if name not in NOT_IN_FILES}
    return found | {"rows": rows, "facets": facets, "revision": 0}


def count(session: Session) -> None:
    while cell_updates.update_changed_cells(session):
        pass


@pytest.fixture(scope="module")
def house(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Four rows over eight problems, two of them of two contests of one day; of the last no answer is judged.

    Nothing here writes to it.
    """
    late = START + timedelta(weeks=5, hours=3)
    other = replace(problem(6), released_on=late, contest=ImportedContest("late", "Late", late))
    with servers.database() as url:
        engine = make_engine(url)
        with make_sessionmaker(engine).begin() as session:
            imports.store_batch(session, batch(*(problem(number) for number in range(6)), other), NOW)
            offers = offer("alpha", {}, {"effort": "high"}), offer("beta"), offer("gamma")
            plan.register_demo(session, offers, HOUSE, NOW)
            plan.plan_samples(session, NOW)
            answer_all(session)
            for turn in range(28):
                assert judge_one(session, LUCK[turn % 5])
            imports.store_batch(session, batch(problem(7)), NOW)
            plan.plan_samples(session, NOW)
            count(session)
        engine.dispose()
        yield Settings(_env_file=None, state_dir=tmp_path_factory.mktemp("house"), database_url=url)


@pytest.fixture(scope="module")
def cells(house: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its export."""
    return write(tmp_path_factory.mktemp("export"), "cells.jsonl", tidemark(house, "export", "cells").stdout)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "--to 2026-04-19",
        "--rules lcb",
        "--rules lcb --from 2026-03-08 --to 2026-04-05",
        "--exposure split --difficulty easy --difficulty hard",
        "--exposure hide --platform house",
        "--model alpha --ref alpha:high",
        "--to 2020-01-01",
        "--cutoff-before 2026-01-01",
    ],
)
def test_an_export_makes_the_board_it_came_from(door: Door, house: Settings, cells: Path, words: str) -> None:
    before = json.loads(door.asked(house, "board", "codegen", "--json", *words.split()))
    assert known(door.board(cells, *words.split())) == known(before)
    assert bool(before["rows"]) == (words != "--to 2020-01-01")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--model Bet", "unknown model 'Bet' on this board; did you mean beta?"),
        ("--model beta --model nobody", "unknown model 'nobody' on this board; known: alpha, beta, gamma"),
        ("--platform hose", "unknown platform 'hose' on this board; did you mean house?"),
        ("--language cobol", "unknown language 'cobol' on this board; known: python"),
        ("--difficulty hrad", "unknown difficulty 'hrad'; did you mean hard?"),
        ("--ref alpha:hihg", "unknown row 'alpha:hihg' on this board; did you mean alpha:high or alpha?"),
    ],
)
def test_an_unknown_name_is_one_line_and_no_empty_table(
    door: Door, house: Settings, cells: Path, words: str, line: str
) -> None:
    assert door.refused(cells, *words.split()) == f"tidemark: {line}\n"
    names = {"TIDEMARK_DATABASE_URL": house.database_url, "TIDEMARK_STATE": str(house.state_dir)}
    assert door.call(names, ["board", "codegen", *words.split()]) == (2, "", f"tidemark: {line}\n")


def test_what_is_not_judged_yet_is_missing(door: Door, house: Settings, cells: Path) -> None:
    found = door.board(cells)
    assert found["problems"] == 8, "of the last problem there are unjudged cells alone"
    assert {row["coverage"] for row in found["rows"]} == {7 / 8}
    assert {(row["provisional"], row["rank"], row["pending"]) for row in found["rows"]} == {(True, None, 1)}
    assert {row["rank"] for row in door.board(cells, "--to", "2026-04-19")["rows"]} > {1}


@pytest.mark.parametrize(
    ("form", "packed"), [("jsonl", False), ("jsonl", True), ("csv", False), ("csv", True), ("parquet", False)]
)
def test_every_form_makes_the_same(
    door: Door, house: Settings, cells: Path, tmp_path: Path, form: str, packed: bool
) -> None:
    path = tmp_path / f"all.{form}"
    door.asked(house, "export", "cells", "--format", form, "--out", str(path))
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))
    assert door.board(path) == door.board(cells)


def test_the_table_is_the_same_too(door: Door, house: Settings, cells: Path) -> None:
    shown = door.asked(house, "board", "codegen", "--ref", "beta")
    assert door.from_file(cells, "--ref", "beta") == (0, shown, "")


def test_a_retired_run_stays_hidden_and_the_newest_trial_shows(door: Door, cells: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in cells.read_text().splitlines()]
    for row in rows:
        row["run_state"] = "retired" if row["model"] == "gamma" else row["run_state"]
    rows += [row | {"trial": 2, "c": 0} for row in rows if row["model"] == "beta"]
    found = door.board(write(tmp_path, "more.jsonl", "".join(json.dumps(row) + "\n" for row in rows)))
    assert {(row["model"], row["reason"]) for row in found["hidden"]} == {("beta", "older_trial"), ("gamma", "retired")}
    [beta] = [row for row in found["rows"] if row["model"] == "beta"]
    assert (beta["score"], beta["trials"]) == (0, 2)


def test_recorded_answers_want_what_all_files_have_and_faults_are_counted(
    door: Door, cells: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in cells.read_text().splitlines()]
    own = {"protocol": LCB_RECORDED.slug, "protocol_fingerprint": LCB_RECORDED.fingerprint}
    rows = [row | own for row in rows if row["model"] != "beta" or row["external_id"] < "sum-4"]
    rows[0] |= {"n": 0, "c": 0, "pending": 2, "judge_errors": 1}
    found = door.board(write(tmp_path, "recorded.jsonl", "".join(json.dumps(row) + "\n" for row in rows)))
    assert found["protocol"] == "lcb-recorded"
    shown = {(row["model"], row["configuration"]): row for row in found["rows"]}
    assert (shown["beta", ""]["wanted"], shown["beta", ""]["coverage"], shown["gamma", ""]["wanted"]) == (8, 0.5, 8)
    alpha = shown["alpha", ""]
    assert (alpha["n_problems"], alpha["pending"], alpha["judge_errors"]) == (6, 3, 1)


def test_protocols_of_scenarios_are_known_in_files(door: Door, cells: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in cells.read_text().splitlines()]
    several = shipped_protocols()["house-samples"]
    both = rows + [row | {"protocol": several.slug, "protocol_fingerprint": several.fingerprint} for row in rows]
    path = write(tmp_path, "both.jsonl", "".join(json.dumps(row) + "\n" for row in both))
    assert "name one with --protocol: house, house-samples" in door.refused(path)
    assert door.board(path, "--protocol", "house") == door.board(cells)
    assert len(door.board(path, "--protocol", several.slug)["rows"]) == 4


@pytest.fixture
def lcb(tmp_path: Path) -> Path:
    """A board file of two models."""
    days = {"p0": 1772323200000, "p1": 1772323200000, "p2": 1772928000000, "p3": 1773532800000}
    given = [
        board_row(model, name, 100.0 * ((place * step) % 3 > 0), date=day, difficulty=("easy", "hard")[place % 2])
        for model, step in (("A One", 1), ("B Two", 2), ("C Three", 5))
        for place, (name, day) in enumerate(days.items())
        if (model, name) != ("B Two", "p3")
    ]
    about = [{"model_repr": "B Two", "model_name": "b", "model_style": "OpenAIChat", "release_date": 1772928000000}]
    return write(tmp_path, "board.json", board_text(given, models=about))


def test_a_board_file_is_one_too(door: Door, ctx: Context, lcb: Path, tmp_path: Path) -> None:
    with ctx.sessions.begin() as session:
        imports.store_batch(session, read("lcb-board", lcb), NOW)
        count(session)
    export = write(tmp_path, "cells.csv.gz", door.asked(ctx.settings, "export", "cells", "--format", "csv"))
    for words in ([], ["--rules", "lcb"], ["--exposure", "split"], ["--from", "2026-03-02"]):
        before = json.loads(door.asked(ctx.settings, "board", "codegen", "--protocol", "lcb", "--json", *words))
        assert len(before["rows"]) == 3
        assert known(door.board(lcb, *words)) == known(door.board(export, *words)) == known(before)
    assert door.board(lcb, board="repair")["protocol"] == "lcb-repair", "as `import lcb-board --board repair` takes it"


def test_of_several_protocols_one_is_named(door: Door, ctx: Context, lcb: Path, tmp_path: Path) -> None:
    with ctx.sessions.begin() as session:
        imports.store_batch(session, batch(*(problem(number) for number in range(3))), NOW)
        imports.store_batch(session, read("lcb-board", lcb), NOW)
        plan.register_demo(session, (offer("alpha"),), HOUSE, NOW)
        plan.plan_samples(session, NOW)
        answer_all(session)
        while judge_one(session):
            pass
        count(session)
    path = write(tmp_path, "cells.jsonl", door.asked(ctx.settings, "export", "cells"))
    words = door.refused(path)
    assert "name one with --protocol: house, lcb" in words
    for each in ("house", "lcb"):
        before = json.loads(door.asked(ctx.settings, "board", "codegen", "--protocol", each, "--json"))
        assert known(door.board(path, "--protocol", each)) == known(before)
    assert "no results of protocol 'fresh' for board codegen; it has house, lcb" in door.refused(
        path, "--protocol", FRESH.slug
    )
    assert "no results for board repair; it has house, lcb" in door.refused(path, board="repair")
    assert "unknown row 'nobody' on this board" in door.refused(path, "--protocol", "lcb", "--ref", "nobody")


def test_bad_rows_are_named_and_nothing_is_shown(door: Door, cells: Path, lcb: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in cells.read_text().splitlines()]

    def told(place: int, **changes: Any) -> str:
        given = [row | changes if number == place else row for number, row in enumerate(rows, 1)]
        return door.refused(write(tmp_path, "bad.jsonl", "\n" + "".join(json.dumps(row) + "\n" for row in given)))

    assert "1 bad rows; no board was made\n  bad.jsonl:4: c is 9" in told(3, c=9)
    assert "  bad.jsonl:6: pending is 'two', not a whole number" in told(5, pending="two")
    assert "  bad.jsonl:6: judge_errors is -1, not a whole number" in told(5, judge_errors=-1)
    assert "  bad.jsonl:2: n is 65536, not a whole number from 0 to 65535" in told(1, n=65_536)
    assert "bad.jsonl:8: released_on is 1999-01-01" in told(7, released_on="1999-01-01")
    assert "board.json:" in door.refused(write(tmp_path, "board.json", lcb.read_text().replace("leetcode", "x")))


def test_files_that_hold_no_board(door: Door, tmp_path: Path) -> None:
    assert f"{tmp_path / 'nothing'}: no such file" in door.refused(tmp_path / "nothing")
    assert "cannot be read" in door.refused(tmp_path)
    assert "empty:1: the file holds no cell" in door.refused(write(tmp_path, "empty", ""))
    assert "the columns model" in door.refused(write(tmp_path, "other.jsonl", '{"a": 1}\n'))
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(b"{}" * 9999)[:-20])
    assert "broken.gz:1: the gzip file is cut off" in door.refused(broken)
