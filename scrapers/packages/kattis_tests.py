"""Tests of Kattis packages, and the settings of tests and groups beside them."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.judging.kattis_validator_flags import read_flags
from app.domain.problems import Form
from scrapers.packages import common as shared
from scrapers.packages.archive import InvalidPackage, Package
from scrapers.packages.common import PackageDraft
from scrapers.packages.constants import Constants

FOLDERS: Final = ("data/sample", "data/secret")
_GROUP_FILES: Final = ("testdata.yaml", "test_group.yaml")
_ARGUMENTS: Final = ("output_validator_flags", "output_validator_args")
_STATIC: Final = ("static_validation", "static_validation_score", "static_validator_args")
# Of every version of the format.
_TEST_KEYS: Final = frozenset(
    {"args", "input_validator_args", "output_validator_args", "input_visualizer_args", "output_visualizer_args",
     "input_validator_flags", "output_validator_flags", "full_feedback", "hint", "description"}
)  # fmt: skip
_GROUP_KEYS: Final = _TEST_KEYS | {
    *_STATIC, "max_score", "score_aggregation", "require_pass", "on_reject", "grading", "grader_flags", "accept_score",
    "reject_score", "range", "scoring",
}  # fmt: skip
_LENIENT: Final = frozenset({"always_accept", "accept_if_any_accepted"})


@dataclass(slots=True)
class TestFiles:
    """Names of a package's tests within data/, in order, and the validator's arguments, which are the same for all."""

    __test__ = False

    names: list[str] = field(default_factory=list)
    arguments: str = ""


def read_tests(
    package: Package, draft: PackageDraft, arguments: str, constants: Constants, *, scoring: bool
) -> TestFiles:
    """Add all tests, the samples first. `arguments` are the validator's unless a group states others."""
    groups = _GroupSettings(package, draft, constants, arguments, scoring=scoring)
    arguments_by_stem: dict[str, str] = {}
    for folder in FOLDERS:
        for path in package.files_below(folder):
            stem, ending = path.rsplit(".", 1) if "." in PurePosixPath(path).name else (path, "")
            if ending == "args" or PurePosixPath(path).parent.suffix == ".files":
                raise InvalidPackage("programs get arguments or files on this test, which is not judged here", path)
            if ending == "ans" and f"{stem}.in" not in package:
                raise InvalidPackage("the test's input is missing", f"{stem}.in")
            if ending == "in":
                arguments_by_stem[stem] = groups.arguments(stem)
                _add_test(package, draft, stem, sample=folder == FOLDERS[0])
    different = [stem for stem, words in arguments_by_stem.items() if words != next(iter(arguments_by_stem.values()))]
    if different:
        raise InvalidPackage("the validator gets other arguments for this test than for others", f"{different[0]}.in")
    return TestFiles(
        [stem.removeprefix("data/") for stem in arguments_by_stem], next(iter(arguments_by_stem.values()), "")
    )


def _add_test(package: Package, draft: PackageDraft, stem: str, *, sample: bool) -> None:
    answer = f"{stem}.ans"
    if answer not in package and draft.form is not Form.INTERACTIVE:
        raise InvalidPackage("the test's answer is missing", answer)
    expected = shared.read_test(package, answer) if answer in package else ""
    shared.add_test(draft, shared.read_test(package, f"{stem}.in"), expected, visible=sample, path=f"{stem}.in")


class _GroupSettings:
    """Settings of groups and tests, each file read once."""

    def __init__(self, package: Package, draft: PackageDraft, constants: Constants, top: str, *, scoring: bool) -> None:
        self._package, self._draft, self._constants = package, draft, constants
        self._top, self._scoring = top, scoring
        self._noted: set[str] = set()
        self._by_folder: dict[str, str] = {}

    def arguments(self, stem: str) -> str:
        """Return the validator's arguments for a test: its own, else those of the nearest group that has any."""
        inherited = self._of_folder(str(PurePosixPath(stem).parent))
        path = f"{stem}.yaml"
        own = self._read(path, _TEST_KEYS) if path in self._package else None
        return inherited if own is None else own

    def _of_folder(self, folder: str) -> str:
        if folder in ("", "."):
            return self._top
        if folder not in self._by_folder:
            inherited = self._of_folder(str(PurePosixPath(folder).parent))
            paths = [path for name in _GROUP_FILES if (path := f"{folder}/{name}") in self._package]
            arguments = [words for path in paths if (words := self._read(path, _GROUP_KEYS)) is not None]
            self._by_folder[folder] = arguments[0] if arguments else inherited
        return self._by_folder[folder]

    def _read(self, path: str, known: frozenset[str]) -> str | None:
        """Return the validator's arguments in a file; None if it states none. Raises InvalidPackage."""
        settings = shared.read_settings(self._package, path, shared.MAX_NOTE_BYTES, self._constants)
        shared.note_unknown_keys(self._draft, self._package, path, settings, known, self._noted)
        if settings.get("grading") == "custom":
            raise InvalidPackage("the group is scored by a program of its own, which is not judged here", path)
        if settings.get("args"):
            raise InvalidPackage("programs get arguments on this test, which is not judged here", path)
        if any(settings.get(name) is not None for name in _STATIC):
            raise InvalidPackage("a static validator reads the programs themselves, which is not judged here", path)
        lenient = _LENIENT & set(str(settings.get("grader_flags") or "").split())
        if lenient and not self._scoring:
            raise InvalidPackage(
                f"{min(lenient)}: the group is accepted with tests that fail, which is not judged here", path
            )
        arguments = next((settings[name] for name in _ARGUMENTS if settings.get(name) is not None), None)
        return None if arguments is None else flags_in(path, arguments)


def flags_in(path: str, value: Any) -> str:
    """Return the validator's flags that a file states. Raises InvalidPackage."""
    try:
        return read_flags(value)
    except InvalidProblem as unreadable:
        raise InvalidPackage(str(unreadable), path) from unreadable
