"""Real rounds, the real ratings of all people, and a real table of another benchmark, through the importers."""

from pathlib import Path

import pytest
from support.files import READ_AT

from app.domain.ratings import HumanField, percentile
from scrapers.suite import find_suite, read_file


@pytest.fixture
def folder(shared: Path) -> Path:
    return shared / "data" / "ratings" / "codeforces"


def test_the_percentiles_are_those_that_were_published(folder: Path) -> None:
    batch = find_suite("human-ratings").read(read_file(folder / "human_rating_histogram.csv"), {}, READ_AT)
    humans = HumanField.from_histogram(*zip(*batch.humans, strict=True))
    assert humans.size == 717_421
    assert [percentile(rating, humans) for rating in (1578, 1261)] == [89.2, 63.6]


@pytest.mark.parametrize("name", ["round-1342-edu-86", "round-1349-641-div1", "round-1350-641-div2"])
def test_every_person_of_a_round_is_read(folder: Path, name: str) -> None:
    file = read_file(folder / f"{name}.csv")
    batch = find_suite("standings").read(file, {"contest": name.split("-")[1]}, READ_AT)
    [standings] = batch.standings
    rows = standings.rows
    assert len(rows) == file.text.count("\n") - 1
    assert rows[0][0] == 1
    assert all(old is not None and new is not None for *_, old, new in rows)


def test_a_table_of_another_benchmark_has_the_published_scores(shared: Path) -> None:
    """HumanEval+ by task: what EvalPlus publishes of these models, to the digit given."""
    batch = find_suite("external-scores").read(
        read_file(shared / "data" / "ratings" / "humaneval_plus_per_task.csv"), {"board": "humaneval-plus"}, READ_AT
    )
    assert batch.external is not None
    scores = {score.model: score for score in batch.external.scores}
    assert len(scores) == 49
    assert {score.n for score in scores.values()} == {164}
    published = {"claude-3-opus-20240229": 77.4, "meta-llama-3-70b-instruct": 72.0, "phi-2": 45.7}
    assert {name: round(scores[name].score, 1) for name in published} == published
