"""Any window of the real boards equals brute force over their files, by our rules and by LiveCodeBench's own."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

import httpx
import numpy as np
import pytest
from conformance.conftest import LCB_FILES, LcbBoards
from factories import web_app
from served import served

PROTOCOLS = {"codegen": "lcb", "repair": "lcb-repair"}
DAY_MS = 86_400_000


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
