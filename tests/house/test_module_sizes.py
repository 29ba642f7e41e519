"""Modules short enough to be read in one go, folders small enough to be seen at a glance, no circles."""

from statistics import median

from support.rules import PACKAGES, sources
from support.shape import circle, folders

LONGEST = 400
MOST_UNDER = 200
FILES_A_FOLDER = 20


def _sizes() -> dict[str, int]:
    return {path: source.count("\n") for path, source in sources(*PACKAGES, "migrations", "tests")}


def test_no_module_is_over_four_hundred_lines() -> None:
    assert {path: lines for path, lines in _sizes().items() if lines > LONGEST} == {}


def test_most_are_under_two_hundred() -> None:
    sizes = [lines for lines in _sizes().values() if lines]
    assert median(sizes) < MOST_UNDER


def test_no_folder_holds_more_than_twenty_files() -> None:
    counts = folders()
    assert "app/domain" in counts
    assert {folder: files for folder, files in counts.items() if files > FILES_A_FOLDER} == {}


def test_no_modules_import_each_other_in_a_ring() -> None:
    assert circle() == []
