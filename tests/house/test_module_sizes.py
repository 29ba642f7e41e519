"""Modules short enough to be read in one go, folders small enough to be seen at a glance."""

import subprocess
from collections import Counter
from statistics import median

from support.rules import PACKAGES, ROOT, sources

LONGEST = 400
MOST_UNDER = 200
FILES_A_FOLDER = 20
# Their sizes grow with what they hold: tests, problems, one file a change of the schema.
GROWING = ("tests", "league", "migrations/versions")


def _sizes() -> dict[str, int]:
    return {path: source.count("\n") for path, source in sources(*PACKAGES, "migrations", "tests")}


def _folders() -> Counter[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    paths = [path for path in listed if path and (ROOT / path).exists()]
    return Counter(
        path.rpartition("/")[0] for path in paths if not path.startswith(tuple(f"{top}/" for top in GROWING))
    )


def test_no_module_is_over_four_hundred_lines() -> None:
    assert {path: lines for path, lines in _sizes().items() if lines > LONGEST} == {}


def test_most_are_under_two_hundred() -> None:
    sizes = [lines for lines in _sizes().values() if lines]
    assert median(sizes) < MOST_UNDER


def test_no_folder_holds_more_than_twenty_files() -> None:
    folders = _folders()
    assert "app/domain" in folders
    assert {folder: files for folder, files in folders.items() if files > FILES_A_FOLDER} == {}
