"""Real rounds and the real ratings of all people, through the importers."""

from pathlib import Path

import pytest
from support.files import READ_AT

from app.domain.ratings import Humans, percentile
from scrapers.suite import find_suite, read_file


@pytest.fixture
def folder(shared: Path) -> Path:
    return shared / "data" / "ratings" / "codeforces"


def test_the_percentiles_are_those_that_were_published(folder: Path) -> None:
    batch = find_suite("human-ratings").read(read_file(folder / "human_rating_histogram.csv"), {}, READ_AT)
    humans = Humans.from_histogram(*zip(*batch.humans, strict=True))
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
