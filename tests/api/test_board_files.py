"""A board as files: Parquet, a bundle that can be checked, the packed matrix; and what each filter would leave."""

import csv
import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from factories import World
from httpx import Client
from pyarrow import parquet
from support.recomputing import recomputed, unpacked
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.domain.asking.protocols import HOUSE, LCB
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunOrigin

URL = "/api/v1/boards/codegen"
HOSTILE = "=cmd|' /C calc'!A0\u202e\"><script>"


@pytest.fixture
def filled(world: World) -> World:
    """Two models, one of them in two configurations, on six problems of two sources."""
    world.protocol = replace(HOUSE, covers=replace(HOUSE.covers, sources=()))
    problems = [
        world.problem(f"p{n}", day=date(2026, 5, 1 + n), contest=f"c{n}", level=1 + n % 3,
                      source="harbour" if n % 2 else "house")
        for n in range(6)
    ]  # fmt: skip
    named = world.model("lyra", name=HOSTILE, organisation_name=HOSTILE, cutoff_on=date(2026, 5, 2))
    orion = world.model("orion")
    runs = [world.run(orion), world.run(orion, configuration={"effort": "high"}), world.run(named)]
    for place, run in enumerate(runs):
        for n, problem in enumerate(problems):
            world.answer(run, problem, Verdict.WRONG_ANSWER if (n + place) % 3 == 0 else Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    return world


def fetched(client: Client, ending: str, **params: Any) -> bytes:
    answer = client.get(URL + ending, params=params)
    assert answer.status_code == 200, answer.text
    tag = answer.headers["etag"]
    again = client.get(URL + ending, params=params, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(URL + ending, params={**params, "from": "2026-05-03"}).headers["etag"]
    assert other != tag
    return answer.content


def test_parquet_has_the_rows_and_columns_of_the_csv(filled: World, client: Client) -> None:
    table = parquet.read_table(pyarrow.BufferReader(fetched(client, ".parquet", exposure="split")))
    text = fetched(client, ".csv", exposure="split").decode()
    header, *lines = csv.reader(io.StringIO(text, newline=""))
    assert table.column_names == header
    body = client.get(URL, params={"exposure": "split"}).json()
    assert [(row["model"], row["score"], row["rank"]) for row in table.to_pylist()] == [
        (row["model"], row["score"], row["rank"]) for row in body["rows"]
    ]
    for row, line in zip(table.to_pylist(), lines, strict=True):
        for (name, value), cell in zip(row.items(), line, strict=True):
            if name not in ("model", "configuration", "organisation"):
                assert ("" if value is None else str(value)) == cell
    assert HOSTILE in table["organisation"].to_pylist()
    nobody = fetched(client, ".parquet", cutoff_before="2026-05-01", model="lyra")
    assert parquet.read_table(pyarrow.BufferReader(nobody)).num_rows == 0


def test_what_is_packed_already_is_not_packed_again(filled: World, client: Client) -> None:
    names = [f"wide-{number}" for number in range(40)]
    problem = filled.problem("wide", day=date(2026, 5, 20))
    for name in names:
        filled.answer(filled.run(name), problem)
    filled.count()
    filled.session.commit()
    for ending, coding in ((".parquet", None), (".zip", None), (".csv", "gzip"), ("", "gzip")):
        answer = client.get(URL + ending, headers={"Accept-Encoding": "gzip"})
        assert len(answer.content) > 600, "small answers are never packed"
        assert answer.headers.get("content-encoding") == coding, ending


@pytest.mark.parametrize("params", [{}, {"exposure": "hide"}, {"platform": "harbour", "ref": "orion"}])
def test_a_bundle_is_checked_by_its_own_script(
    filled: World, client: Client, tmp_path: Path, params: dict[str, str]
) -> None:
    archive = fetched(client, ".zip", **params)
    assert archive == client.get(URL + ".zip", params=params).content
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert sorted(files.namelist()) == [
            "README.txt", "board.json", "cells.parquet", "filters.json", "problems.parquet", "recompute.py",
        ]  # fmt: skip
        assert {each.date_time for each in files.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert files.read("board.json") == client.get(URL, params=params).content
    script = unpacked(archive, tmp_path)
    code, shown = recomputed(script)
    assert (code, shown.splitlines()[-1]) == (0, f"{2 if params.get('exposure') else 3} rows, 0 differences")
    whole = parquet.read_table(tmp_path / "cells.parquet")
    table = whole.to_pydict()
    table["c"][0] = 1 - table["c"][0]
    parquet.write_table(
        pyarrow.table(table, schema=whole.schema), tmp_path / "cells.parquet", compression="none", use_dictionary=False,
        data_page_version="1.0",
    )  # fmt: skip
    code, shown = recomputed(script)
    assert code == 1
    assert "DIFFERS: run" in shown


def test_a_run_of_a_file_wants_what_all_files_have(world: World, client: Client, tmp_path: Path) -> None:
    world.protocol = LCB
    problems = [world.catalogued(f"p{n}", day=date(2026, 5, 1 + n), source="leetcode") for n in range(4)]
    for place, name in enumerate(("whole", "half")):
        run = world.run(name, origin=RunOrigin.IMPORTED)
        for n, problem in enumerate(problems[: 4 - 2 * place]):
            world.imported(run, problem, 10, 3 * n, n + 1)
    world.count()
    world.session.commit()
    for rules, wanted in (("tidemark", 4), ("lcb", 2)):
        shown = client.get(URL, params={"protocol": "lcb", "rules": rules}).json()
        assert {row["model"]: row["wanted"] for row in shown["rows"]} == {"whole": 4, "half": wanted}
        script = unpacked(fetched(client, ".zip", protocol="lcb", rules=rules), tmp_path / rules)
        assert recomputed(script)[0] == 0


def test_the_matrix_is_read_as_its_address_says(filled: World, client: Client) -> None:
    made = fetched(client, "/matrix")
    head = json.loads(made[8 : 8 + int.from_bytes(made[4:8], "little")])
    assert (head["problems"]["count"], head["values"], head["bits"]) == (6, [0.0, 1.0], 4)
    assert [each["configuration"] for each in head["runs"]] == ["", "high", ""]
    assert client.get(URL + "/matrix", params={"protocol": "nothing"}).status_code == 422


@pytest.mark.parametrize("ending", [".parquet", ".zip", "/matrix"])
def test_a_file_of_no_board_or_of_an_unknown_question_is_refused(client: Client, ending: str) -> None:
    assert client.get(f"/api/v1/boards/nothing{ending}").status_code == 404
    assert client.get(URL + ending, params={"colour": "red"}).status_code == 422


def test_the_board_says_what_each_filter_would_leave(filled: World, client: Client) -> None:
    facets = client.get(URL, params={"platform": "harbour", "model": "orion"}).json()["facets"]
    assert facets == {
        "platform": [{"value": "harbour", "count": 3}, {"value": "house", "count": 3}],
        "difficulty": [{"value": "easy", "count": 1}, {"value": "medium", "count": 1}, {"value": "hard", "count": 1}],
        "tests": [{"value": "package", "count": 3}],
        "language": [{"value": "python", "count": 2}],
        "model": [{"value": "lyra", "count": 1}, {"value": "orion", "count": 2}],
        "started_by": [{"value": "maintainers", "count": 2}],
        "weights": [],
    }


def test_the_page_links_to_the_files_of_its_view(filled: World, client: Client) -> None:
    page = client.get("/", params={"platform": "harbour"}, follow_redirects=True).text
    for ending in (".csv", ".parquet", ".zip"):
        assert f'href="{URL}{ending}?platform=harbour"' in page


def test_the_command_line_packs_the_same_bundle(settings: Settings, tmp_path: Path) -> None:
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url}
    out = tmp_path / "board.zip"
    arguments = ["export", "board", "codegen", "--difficulty", "easy", "--difficulty", "hard", "--from", "2026-01-01",
                 "--state", str(tmp_path)]  # fmt: skip
    done = CliRunner(env=names).invoke(build_parser(["export"]), [*arguments, "--out", str(out)])
    assert done.exit_code == 0, done
    assert f"bytes in {out}" in done.stderr
    with zipfile.ZipFile(out) as files:
        asked = json.loads(files.read("board.json"))
        files.extractall(tmp_path)
    assert (asked["filters"]["difficulty"], asked["window"]["from"]) == (["easy", "hard"], "2026-01-01")
    alone = [sys.executable, "-I", str(tmp_path / "recompute.py")]
    done_alone = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert (done_alone.returncode, done_alone.stderr) == (0, "")
    printed = CliRunner(env=names).invoke(build_parser(["export"]), arguments)
    assert printed.stdout_bytes.endswith(out.read_bytes())
