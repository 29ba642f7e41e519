"""Items in the forms of CoCo-Bench and BigCodeBench that were written for the house league, read as those sets are.

A file is a table `item` of rows in the set's own fields and some of the league's: `released_on`; `wrong`, code with a
bug (in BigCodeBench, the function's body); `hard`, for a task of that subset; `fixes` of a review, by faulty line.
Results of running programs, such as expected values, were computed when the league was built, and lie in a file beside
it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Final

from app.domain.asking.protocols import HOUSE_BIGCODE, HOUSE_COCO
from app.domain.errors import InvalidImport, InvalidProblem
from app.domain.imports import ImportedProblem, ImportedProgram, ImportedSource, TestsSource
from app.domain.problems import FAILURE, Form, Test
from scrapers.suite import SourceFile, find_suite
from scrapers.suites._common.fields import UnknownKeys
from scrapers.suites._common.league_files import PROOFS_FILE, read_proofs, table, text

BUILT_ITEMS_FILE: Final = "items.json"
_SETS: Final = {
    "coco.toml": ("coco", HOUSE_COCO, "House league in CoCo-Bench's form"),
    "bigcode.toml": ("bigcodebench", HOUSE_BIGCODE, "House league in BigCodeBench's form"),
}
ITEM_FILES: Final = frozenset({*_SETS, BUILT_ITEMS_FILE})
_HARD: Final = ("level", 3.0)


_OWN_KEYS: Final = frozenset({"released_on", "wrong", "hard", "fixes"})


@dataclass(frozen=True, slots=True)
class HouseItem:
    """An item as it is imported.

    `fixes` are right corrections of a review's faulty lines. `sha256` is over its row and what was built from it.
    """

    source: ImportedSource
    problem: ImportedProblem
    fixes: Mapping[str, str]
    sha256: str

    @property
    def name(self) -> str:
        """Its source and its name there."""
        return f"{self.problem.source} {self.problem.external_id}"

    @property
    def keeps_proof(self) -> bool:
        """True if a proof holds on other machines too; that of a unittest measures which code its tests reach with the
        installed packages."""
        return bool(self.problem.programs) and self.problem.form is not Form.UNITTEST


def load_items(folder: Path, now: datetime, *, built: bool = True) -> tuple[HouseItem, ...]:
    """Read the items of a league's folder, if it has any. Without `built`, their tests are still to be made.

    Raises InvalidProblem naming the file.
    """
    items = [
        _item(folder / file, row, now) for file in _SETS if (folder / file).exists() for row in _rows(folder / file)
    ]
    if not built or not items:
        return tuple(items)
    try:
        built_items = json.loads(text(folder / BUILT_ITEMS_FILE))
        items = [_add_tests(item, built_items) for item in items]
    except (KeyError, TypeError, ValueError, InvalidProblem) as wrong:
        raise InvalidProblem(f"{folder / BUILT_ITEMS_FILE}: {wrong}; run `league build items`") from wrong
    proofs = read_proofs(folder / PROOFS_FILE)
    return tuple(_add_proof(item, proofs.get(item.name)) for item in items)


def note_unknown_keys(folder: Path) -> tuple[str, ...]:
    """Return notes of keys in a league's items that neither their set nor the league has. Raises InvalidProblem."""
    notes: list[str] = []
    for file, (suite, _source, _title) in _SETS.items():
        if (folder / file).exists():
            unknown = UnknownKeys(_OWN_KEYS | find_suite(suite).keys)
            for row in _rows(folder / file):
                unknown.note_keys(f"{file}:1", row)
            notes += unknown.notes
    return tuple(notes)


def as_built(item: HouseItem, problem: ImportedProblem) -> dict[str, Any]:
    """Return what is stored of an item whose `problem` has been completed. Raises InvalidProblem if it cannot be
    judged."""
    if problem.flags or not problem.tests:
        raise InvalidProblem(f"{item.name}: {', '.join(problem.flags) or 'no tests'}")
    tests = [{"input": test.input, "expected": test.expected, "visible": test.visible} for test in problem.tests]
    return {
        "made_of": item.sha256,
        "tests": tests,
        "failure": problem.statements["en"].starter_code.get(FAILURE, ""),
    }


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = table(path).get("item")
    if not isinstance(rows, list) or not rows:
        raise InvalidProblem(f"{path}: it has no item")
    return rows


def _item(path: Path, row: dict[str, Any], now: datetime) -> HouseItem:
    suite, source, title = _SETS[path.name]
    body = json.dumps(row, default=str, sort_keys=True)
    sha256 = hashlib.sha256(body.encode()).hexdigest()
    try:
        batch = find_suite(suite).read(SourceFile(path.name, sha256, body), {}, now)
        problem, day = batch.problems[0], row["released_on"]
        if problem.flags or not isinstance(day, date):
            raise ValueError(", ".join(problem.flags) or "released_on is no date")
    except (InvalidImport, KeyError, ValueError) as wrong:
        raise InvalidProblem(f"{path}: {row.get('task_id')}: {wrong}") from wrong
    head = problem.entry.preamble.removesuffix("    pass\n") if suite == "bigcodebench" and problem.entry else ""
    wrong_programs = (
        [ImportedProgram("wrong", "python", head + row["wrong"], reference=False)] if "wrong" in row else []
    )
    statements = {locale: replace(words, title=problem.external_id) for locale, words in problem.statements.items()}
    problem = replace(
        problem,
        source=source,
        title=problem.external_id,
        statements=statements,
        released_on=datetime.combine(day, time(12), UTC),
        difficulty=_HARD if row.get("hard") else problem.difficulty,
        programs=(*problem.programs, *wrong_programs),
    )
    item_source = ImportedSource(source, title, kind="suite", show_statements=True, demo=True)
    return HouseItem(item_source, problem, row.get("fixes", {}), sha256)


def _add_tests(item: HouseItem, built_items: Mapping[str, Any]) -> HouseItem:
    """Return the item with its built tests. Raises KeyError, TypeError or ValueError if they are missing or of another
    row."""
    if item.problem.tests_from is TestsSource.FILE:
        return item
    built = built_items[item.name]
    if built["made_of"] != item.sha256:
        raise ValueError(f"{item.name} has changed")
    failure = {FAILURE: built["failure"]} if built["failure"] else {}
    statements = {
        locale: replace(words, starter_code={**words.starter_code, **failure})
        for locale, words in item.problem.statements.items()
    }
    tests = tuple(Test(row["input"], row["expected"], visible=row["visible"]) for row in built["tests"])
    problem = replace(item.problem, tests=tests, tests_from=TestsSource.FILE, statements=statements)
    sha256 = hashlib.sha256(f"{item.sha256} {json.dumps(built, sort_keys=True)}".encode()).hexdigest()
    return replace(item, problem=problem, sha256=sha256)


def _add_proof(item: HouseItem, proof: Mapping[str, object] | None) -> HouseItem:
    """Return the item with its proof, unless the proof is of another content."""
    if not item.keeps_proof or proof is None or proof.get("sha256") != item.sha256:
        return item
    return replace(item, problem=replace(item.problem, shipped_proof=proof))
