"""The real boards equal brute force over their files, by our rules and by LiveCodeBench's own; and as files.

All that reads them is in this file, since to store them takes seconds: files small enough for a browser, and computed
again by the script of a bundle.
"""

import gzip
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import correlation, fmean
from typing import Any

import httpx
import numpy as np
import pytest
from conformance.conftest import LCB_FILES, LcbBoards
from factories import web_app
from served import served
from sqlalchemy import select
from support.recomputing import recomputed, unpacked

from app.db.kernel.session import Session
from app.db.tables import Model, Problem
from app.domain.asking.protocols import LCB
from app.domain.boards.board import BoardQuery, Exposure, Rules
from app.domain.windows import Window
from app.services.boards import board_views, bundle, matrix
from app.services.evidence import holistic

PROTOCOLS = {"codegen": "lcb", "repair": "lcb-repair"}
DAY_MS = 86_400_000
WINDOW = Window(date(2024, 8, 1), date(2025, 5, 1))


class BoardFile:
    """A board's file and the application that imported it."""

    def __init__(self, name: str, path: Path, client: httpx.Client) -> None:
        body = json.loads(gzip.decompress(path.read_bytes()))
        listed = {each["model_repr"]: each for each in body["models"]}
        self.name, self.protocol, self.client = name, PROTOCOLS[name], client
        self.rows: list[dict[str, Any]] = [row for row in body["performances"] if row["model"] in listed]
        self.models: Mapping[str, Mapping[str, Any]] = listed

    def ask(self, **params: Any) -> dict[str, Any]:
        """The board as the API gives it."""
        answer = self.client.get(f"/api/v1/boards/{self.name}", params={"protocol": self.protocol, **params})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def means(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
        """Each model's mean over these rows of the file."""
        values: dict[str, list[float]] = defaultdict(list)
        for row in rows:
            values[row["model"]].append(row["pass@1"])
        return {model: fmean(value) for model, value in values.items()}


@pytest.fixture(scope="module")
def site(lcb_boards: LcbBoards, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """The boards behind the API."""
    with (
        served(web_app(lcb_boards.sessions, tmp_path_factory.mktemp("site"))) as url,
        httpx.Client(base_url=url, timeout=120) as client,
    ):
        yield client


@pytest.fixture(scope="module", params=LCB_FILES)
def board(request: pytest.FixtureRequest, shared: Path, site: httpx.Client) -> BoardFile:
    """One file, and its board."""
    return BoardFile(request.param, shared / LCB_FILES[request.param], site)


def contest_day(row: Mapping[str, Any]) -> date:
    """The stored date is a day late."""
    return (datetime.fromtimestamp(row["date"] / 1000, UTC) - timedelta(hours=24)).date()


def random_filters(rng: np.random.Generator, count: int) -> Iterator[dict[str, Any]]:
    for _ in range(count):
        start, end = sorted(int(integer) for integer in rng.integers(0, 730, 2))
        chosen: dict[str, Any] = {}
        if rng.random() < 0.8:
            chosen["from"] = str(date(2023, 5, 1) + timedelta(days=start))
        if rng.random() < 0.8:
            chosen["to"] = str(date(2023, 5, 1) + timedelta(days=end))
        for name, values in (
            ("difficulty", ["easy", "medium", "hard"]),
            ("platform", ["leetcode", "atcoder", "codeforces"]),
        ):
            some = [value for value in values if rng.random() < 0.5]
            if some and rng.random() < 0.7:
                chosen[name] = some
        yield chosen


@pytest.mark.parametrize("count", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_any_window_equals_brute_force_over_the_file(board: BoardFile, count: int) -> None:
    rng = np.random.default_rng(20260101)
    days = [str(contest_day(row)) for row in board.rows]
    for chosen in random_filters(rng, count):
        start, end = chosen.get("from", "0"), chosen.get("to", "9")
        rows = [
            row
            for row, day in zip(board.rows, days, strict=True)
            if start <= day < end
            and row["difficulty"] in chosen.get("difficulty", row["difficulty"])
            and row["platform"] in chosen.get("platform", row["platform"])
        ]
        expected = board.means(rows)
        found = board.ask(**chosen)
        shown = {row["name"]: row for row in found["rows"]}
        by_model: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            by_model[row["model"]].append(row)
        assert set(shown) == set(expected), chosen
        for name, row in shown.items():
            assert row["score"] == pytest.approx(expected[name], abs=1e-9), (chosen, name)
            own = by_model[name]
            assert row["n_problems"] == len(own)
            for level, part in row["by_difficulty"].items():
                here = [each["pass@1"] for each in own if each["difficulty"] == level]
                assert part["n"] == len(here)
                assert part["score"] == (pytest.approx(fmean(here), abs=1e-9) if here else None)
        absent = {each["model"] for each in found["hidden"] if each["reason"] == "unjudged"}
        assert len(absent) == len({row["model"] for row in board.rows}) - len(expected), "nobody leaves without a word"


def one_decimal(value: float) -> float:
    """As JavaScript's toFixed(1) shows the mean of these values."""
    return int(value * 10 + 0.5 + 1e-9) / 10


def test_the_site_s_own_table_is_reproduced_by_its_own_rules(board: BoardFile) -> None:
    """Inclusive ends on stored dates, one decimal, no rank for a row whose listed date is in the window or after."""
    rng = np.random.default_rng(7)
    marks = [date(2023, 5, 1), date(2024, 8, 1), date(2025, 1, 1), date(2024, 9, 1), date(2023, 9, 1), date(2024, 3, 1)]
    days = [date(2023, 5, 1) + timedelta(days=int(integer)) for integer in rng.integers(0, 720, 40)]
    for one, other in zip([*marks, *days[::2]], [*marks[::-1], *days[1::2]], strict=False):
        start, end = min(one, other), max(one, other)
        first, last = ((each - date(1970, 1, 1)).days * DAY_MS for each in (start, end))
        means = board.means([row for row in board.rows if first <= row["date"] <= last])
        order = {model: place for place, model in enumerate(board.models)}
        table = sorted(means, key=lambda model: (-one_decimal(means[model]), order[model]))
        clean = [model for model in table if board.models[model]["release_date"] < first]
        found = board.ask(**{"from": str(start), "to": str(end), "rules": "lcb"})["rows"]
        assert {row["name"]: one_decimal(row["score"]) for row in found} == {m: one_decimal(means[m]) for m in table}
        ranks = {row["name"]: row["rank"] for row in found}
        assert ranks == {**dict.fromkeys(table), **{model: place + 1 for place, model in enumerate(clean)}}, (
            start,
            end,
        )


@pytest.fixture
def lcb(lcb_boards: LcbBoards) -> Iterator[Session]:
    with lcb_boards.sessions() as session:
        yield session


def naive_means(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Each model's mean over the file's rows in the window, by the dates of their contests, as a pencil would."""
    shares: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        day = (datetime.fromtimestamp(row["date"] / 1000, UTC) - timedelta(hours=24)).date()
        if date(2024, 8, 1) <= day < date(2025, 5, 1):
            shares[row["model"]].append(row["pass@1"])
    return {model: fmean(values) for model, values in shares.items()}


def test_the_board_equals_the_naive_mean(lcb: Session, lcb_boards: LcbBoards, shared: Path, tmp_path: Path) -> None:
    session, summary = lcb, lcb_boards.stored["codegen"]
    assert (summary.protocol, summary.models, summary.problems, summary.rows) == ("lcb", 16, 1055, 16_880)
    rows = json.loads(gzip.decompress((shared / LCB_FILES["codegen"]).read_bytes()))["performances"]
    expected = naive_means(rows)
    found = board_views.board(
        session, BoardQuery(protocol=LCB.slug, window=WINDOW), board_views.CubeStore(tmp_path / "cubes")
    )
    shown = {row["model"]: row for row in board_views.board_json(found)["rows"]}
    names = {model.slug: model.name for model in session.scalars(select(Model))}
    assert {names[slug] for slug in shown} == set(expected)
    for slug, row in shown.items():
        assert math.isclose(row["score"], expected[names[slug]], rel_tol=0, abs_tol=1e-9), slug
        assert row["coverage"] == 1
    in_window = {row["question_id"] for row in rows if row["model"] == "O4-Mini (High)"} & {
        each.external_id
        for each in session.scalars(select(Problem))
        if each.released_on and WINDOW.contains(each.released_on)
    }
    assert {row["n_problems"] for row in shown.values()} == {len(in_window)}


def test_two_imported_boards_stand_side_by_side(lcb: Session, shared: Path, tmp_path: Path) -> None:
    """The holistic board of LiveCodeBench's own results: means, and how they go together, as a pencil has them."""
    session = lcb
    pencil: list[dict[str, float]] = []
    for file in LCB_FILES.values():
        shares: dict[str, list[float]] = defaultdict(list)
        for row in json.loads(gzip.decompress((shared / file).read_bytes()))["performances"]:
            shares[row["model"]].append(row["pass@1"])
        pencil.append({model: fmean(values) for model, values in shares.items()})
    found = holistic.as_json(
        holistic.holistic(session, *holistic.parse([("family", "lcb")]), board_views.CubeStore(tmp_path / "cubes"))
    )
    assert [(each["name"], each["problems"]) for each in found["scenarios"]] == [
        ("codegen", 1055), ("repair", 713), ("execution", 0), ("test-output", 0),
    ]  # fmt: skip
    names = {model.slug: model.name for model in session.scalars(select(Model))}
    assert {names[row["model"]] for row in found["rows"]} == pencil[0].keys() | pencil[1].keys()
    for row in found["rows"]:
        for ability, means in zip(("codegen", "repair"), pencil, strict=True):
            score, mean = row["scores"][ability], means.get(names[row["model"]])
            assert score == (None if mean is None else pytest.approx(mean, abs=1e-9))
    both = sorted(pencil[0].keys() & pencil[1].keys())
    [pair] = [each for each in found["correlations"] if (each["one"], each["other"]) == ("codegen", "repair")]
    assert pair["pearson"]["n"] == len(both) == 5
    assert math.isclose(pair["pearson"]["value"], correlation(*([side[name] for name in both] for side in pencil)))


def test_the_matrix_is_small_and_the_bundle_agrees(lcb: Session, tmp_path: Path) -> None:
    cubes = board_views.CubeStore(tmp_path / "cubes")
    packed = matrix.matrix(lcb, BoardQuery(protocol="lcb"), cubes)
    assert len(gzip.compress(packed, 6)) <= 10_000
    for number, query in enumerate(
        (BoardQuery(protocol="lcb"), BoardQuery(protocol="lcb", exposure=Exposure.SPLIT, rules=Rules.LCB))
    ):
        archive = bundle.bundle(lcb, query, cubes)
        assert len(archive) < 100_000
        code, said = recomputed(unpacked(archive, tmp_path / str(number)))
        assert said.endswith("16 rows, 0 differences\n"), said
        assert code == 0


def test_by_what_vendors_say_nobody_is_clean_over_its_whole_range(lcb: Session, tmp_path: Path) -> None:
    cubes = board_views.CubeStore(tmp_path / "cubes")

    def ranked(query: BoardQuery) -> tuple[int, int]:
        rows = board_views.board(lcb, query, cubes).rows
        return sum(row.rank is not None for row in rows), len(rows)

    whole = BoardQuery(protocol="lcb")
    window = board_views.board(lcb, whole, cubes).clean_window
    assert window == Window(date(2024, 5, 1), None)
    assert ranked(whole) == (0, 16)
    assert ranked(replace(whole, window=window)) == (8, 16), "half of them"
    assert ranked(replace(whole, rules=Rules.LCB)) == (12, 16), "as on the site"
    assert board_views.suggested_window(lcb, "lcb", cubes) == ("codegen", window)
