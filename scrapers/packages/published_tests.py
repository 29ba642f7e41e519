"""Tests that AtCoder publishes: a folder for each contest, in it one for each task, in that `in/` and `out/` with pairs
of files.

Other files (a README, a checker) are ignored. Nothing here fetches anything.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from app.domain.errors import BadRow, InvalidImport
from app.domain.imports import PublishedTests
from app.domain.problems import Test
from scrapers.packages.archive import MAX_TEST_BYTES, InvalidPackage, Package, open_package
from scrapers.suite import refusal

_IN: Final = "in"
_OUT: Final = "out"
_MAX_FOLDER_DEPTH: Final = 3  # levels of folders around a contest's
NO_ANSWERS: Final = "it has no out/: a checker or an interactor decides"


@dataclass(frozen=True, slots=True)
class PublishedContest:
    """A contest's folder, with its name."""

    name: str
    path: Path

    def tasks(self) -> Iterator[PublishedTests]:
        """Yield its tasks one by one as they are read. Raises InvalidImport, naming the bad files of a task."""
        with _naming_contest(self.name), open_package(self.path) as package:
            for label in _labels(package):
                yield _task(package, label)


def find_contests(root: Path) -> list[PublishedContest]:
    """Return the contests in a folder, which may be one itself or hold folders of them. Raises InvalidImport for
    none."""
    if not root.is_dir():
        raise InvalidImport(f"{root}: no such folder")
    folders = list(_contest_folders(root.absolute(), _MAX_FOLDER_DEPTH))
    if not folders:
        raise InvalidImport(f"{root}: no contest's folder is here; one holds a folder for each task, with in/ and out/")
    return folders


def _contest_folders(folder: Path, depth: int) -> Iterator[PublishedContest]:
    below = sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    if any((task / _IN).is_dir() for task in below):
        if not folder.name.isprintable():
            raise InvalidImport(f"{folder.name!r} is no contest: its name holds characters that cannot be shown")
        yield PublishedContest(folder.name, folder)
    elif depth:
        for path in below:
            yield from _contest_folders(path, depth - 1)


def _labels(package: Package) -> list[str]:
    """Return the folders that hold inputs, in order."""
    parts = (PurePosixPath(path).parts for path in package.sizes)
    return sorted({names[0] for names in parts if len(names) == 3 and names[1] == _IN})


def _task(package: Package, label: str) -> PublishedTests:
    inputs, answers = _files(package, f"{label}/{_IN}"), _files(package, f"{label}/{_OUT}")
    if not answers:
        return PublishedTests(label, lacking=NO_ANSWERS)
    tests: list[Test] = []
    bad: list[BadRow] = []
    for input_file, answer in _pairs(inputs, answers, f"{package.name}/{label}", bad):
        try:
            tests.append(Test(package.text(input_file, MAX_TEST_BYTES), package.text(answer, MAX_TEST_BYTES)))
        except InvalidPackage as refused:
            bad.append(BadRow(f"{package.name}/{refused.path}", refused.line, refused.reason))
    if bad:
        raise refusal(*bad)
    return PublishedTests(label, tuple(tests))


def _files(package: Package, folder: str) -> dict[str, str]:
    """Return name -> path of the files directly in a folder, without hidden ones."""
    names = {path: path.removeprefix(f"{folder}/") for path in package.files_below(folder)}
    return {name: path for path, name in names.items() if "/" not in name and not name.startswith(".")}


def _pairs(
    inputs: Mapping[str, str], answers: Mapping[str, str], where: str, bad: list[BadRow]
) -> Iterator[tuple[str, str]]:
    """Yield (input, answer) of equal names, then of names equal without their last extension; the others are bad."""
    left, right = dict(inputs), dict(answers)
    for name in sorted(inputs.keys() & answers.keys()):
        yield left.pop(name), right.pop(name)
    by_stem = {side: _stems(files) for side, files in ((_IN, left), (_OUT, right))}
    for stem in sorted(by_stem[_IN].keys() & by_stem[_OUT].keys()):
        input_files, answer = by_stem[_IN][stem], by_stem[_OUT][stem]
        if len(input_files) == len(answer) == 1:
            yield left.pop(input_files[0]), right.pop(answer[0])
    bad += [BadRow(f"{where}/{_IN}/{name}", 1, f"it has no counterpart in {_OUT}/") for name in sorted(left)]
    bad += [BadRow(f"{where}/{_OUT}/{name}", 1, f"it has no counterpart in {_IN}/") for name in sorted(right)]


def _stems(names: Mapping[str, str]) -> dict[str, list[str]]:
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(PurePosixPath(name).stem, []).append(name)
    return stems


@contextlib.contextmanager
def _naming_contest(contest: str) -> Iterator[None]:
    """Turn InvalidPackage into an InvalidImport that names the contest and the file."""
    try:
        yield
    except InvalidPackage as refused:
        raise refusal(BadRow(f"{contest}/{refused.path}".rstrip("/"), refused.line, refused.reason)) from refused
