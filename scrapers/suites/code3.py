"""Problems in the format of SuperCLUE-Code3: asked in Chinese, in three levels, checked by asserts.

The set itself was never published; its published examples show what an item has. One JSON object a line, or one JSON
list, with these fields:

| field | what |
|---|---|
| task_id | the item's name |
| title | its title; the name if there is none |
| prompt | what is asked, in Chinese, between the set's markers of the requirement |
| entry_point | the function that is called |
| level | 1, 2 or 3; if there is none, by the lines of code of the reference: up to 5, up to 15, more |
| task_type | one of `TASK_TYPES`, which becomes its topic; it may be missing |
| test | source with `def check(candidate)` and its asserts |
| starter_code | code to begin with; if there is none, the function's first line in the reference |
| canonical_solution | a whole program known to be right; without one the tests are admitted as unproven |
| solutions | more right programs, by name; may be missing |
| wrong_solutions | programs that the tests must refuse, by name; may be missing |
| released_on | the release day; if there is none, the day on which the set was described |

A folder is a set of our own: one TOML file for each problem with the same fields, whose name is the task_id, and a
proofs.json of what `league prove` has proven.

The set's README describes its levels by lengths of about 5, up to 10 and above 15 lines; lengths between two of them go
to the lower level. It mentions eight types, from handling strings to data analysis, but does not name them: the names
here are ours.

A problem that imports what the sandbox does not have comes without tests and with a flag `needs:NAME`: it is held.
"""

import ast
import hashlib
import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from app.domain.errors import BadRow, InvalidProblem
from app.domain.imports import ImportBatch, ImportedProblem, ImportedProgram, ImportedSource, ImportedStatement
from app.domain.problems import Entry, Form, Test
from app.domain.publishing.tags import Topic
from app.domain.unittests.assertions import read_tests
from scrapers.suite import SourceFile, Suite, check_not_empty, check_storable, read_file, refusal, refuse_bad_rows
from scrapers.suites._common import fields
from scrapers.suites._common.league_files import PROOFS_FILE, read_proofs
from scrapers.suites._common.leetcode import LIMITS, ROW_ERRORS, bad_row
from scrapers.suites._common.missing_packages import flags_of, missing_packages, note_of, parse_source
from scrapers.suites._common.rows import ProblemAndNote, problems_reader

SOURCE: Final = ImportedSource(
    "code3", "SuperCLUE-Code3", kind="suite", base_url="https://github.com/CLUEbenchmark/SuperCLUE-Code3"
)
HOUSE: Final = ImportedSource("code3-house", "House set in Chinese", kind="suite", show_statements=True)
RELEASED: Final = datetime(2024, 4, 11, tzinfo=UTC)
TASK_TYPES: Final = (
    Topic.STRINGS, Topic.ARRAYS, Topic.HASHING, Topic.SORTING, Topic.MATH, Topic.RECURSION, Topic.SIMULATION,
    Topic.DATA_ANALYSIS,
)  # fmt: skip
_KEYS: Final = frozenset(
    {"task_id", "title", "prompt", "entry_point", "level", "task_type", "test", "starter_code", "canonical_solution",
     "solutions", "wrong_solutions", "released_on"}
)  # fmt: skip
_EXAMPLE: Final = re.compile(r"^>>> (.+)\n(.+)$", re.MULTILINE)
_MAX_LINES: Final = (5, 15)  # lines of code of the references of levels 1 and 2


def _problem(row: fields.Row, now: datetime) -> ProblemAndNote:
    name = fields.identifier(row, "task_id")
    title = fields.label(row, "title") if row.get("title") else name
    entry = Entry(fields.label(row, "entry_point"))
    if not entry.name.isidentifier():
        raise ValueError(f"entry_point {fields.format_value(entry.name)} is not a function name")
    prompt = fields.text(row, "prompt").strip()
    if not prompt:
        raise ValueError("prompt is empty")
    programs, test = _programs(row, entry), fields.text(row, "test")
    starter = fields.text(row, "starter_code") if row.get("starter_code") else _first_line(programs, entry.name)
    packages = missing_packages(test, *(program.code for program in programs))
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=name,
        title=title,
        released_on=fields.instant(row, "released_on", now) if row.get("released_on") else RELEASED,
        titles={"zh": title},
        flags=flags_of(packages),
        difficulty=("level", _level(row, programs)),
        tags=_tags(row),
        statements={"zh": ImportedStatement(title, prompt, {"python": starter})},
        form=Form.UNITTEST,
        entry=entry,
        limits=LIMITS,
        tests=() if packages else (_test(test, entry),),
        programs=programs,
    )
    return problem, note_of(packages) or (
        "" if any(program.reference for program in programs) else "no reference, so its tests are unproven"
    )


def _first_line(programs: Sequence[ImportedProgram], name: str) -> str:
    """Return the first line of the reference's function, so that its parameters stay; only its name without a
    reference."""
    trees = (parse_source(program.code) for program in programs if program.reference)
    nodes = (node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    for node in nodes:
        returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
        return f"def {name}({ast.unparse(node.args)}){returns}:\n    ...\n"
    return f"def {name}("


def _tags(row: fields.Row) -> tuple[str, ...]:
    kinds = {str(kind): str(kind) for kind in TASK_TYPES}
    return (fields.one_of(row, "task_type", kinds),) if row.get("task_type") else ()


def _level(row: fields.Row, programs: Sequence[ImportedProgram]) -> float:
    level = row.get("level")
    if level is None and programs and programs[0].reference:
        return 1.0 + bisect_left(_MAX_LINES, lines_of_code(programs[0].code))
    if isinstance(level, bool) or level not in (1, 2, 3):
        raise ValueError(f"level is {fields.format_value(level)}, not 1, 2 or 3")
    return float(level)


def _test(source: str, entry: Entry) -> Test:
    """Return the asserts as a test. They are read once now, so that a broken one is refused here, not on every
    program."""
    try:
        read_tests(source, entry)
    except InvalidProblem as unfit:
        raise ValueError(f"test: {unfit}") from unfit
    if not _uses_function(source, entry.name):  # otherwise every program would pass
        raise ValueError(f"test: it asks nothing of {entry.name}")
    return Test(source, None)


def _uses_function(source: str, function: str) -> bool:
    """Return whether the tests use the function, by its name or a parameter's; passing it to `check` does not count."""
    parts = [part for node in parse_source(source).body if not isinstance(node, ast.Expr) for part in ast.walk(node)]
    names = {function, *(part.arg for part in parts if isinstance(part, ast.arg))}
    return any(isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in names for part in parts)


def _programs(row: fields.Row, entry: Entry) -> tuple[ImportedProgram, ...]:
    right = {"canonical_solution": row["canonical_solution"]} if row.get("canonical_solution") else {}
    right |= fields.child(row, "solutions") if row.get("solutions") else {}
    wrong = fields.child(row, "wrong_solutions") if row.get("wrong_solutions") else {}
    if both := sorted(right.keys() & wrong):
        raise ValueError(f"{both[0]} is both right and wrong")
    return tuple(
        _program(fields.text(programs, name), name, entry, reference=programs is right)
        for programs in (right, wrong)
        for name in programs
    )


def _program(code: str, name: str, entry: Entry, *, reference: bool) -> ImportedProgram:
    if entry.name not in {node.name for node in parse_source(code).body if isinstance(node, ast.FunctionDef)}:
        raise ValueError(f"{name} does not define {entry.name}")
    return ImportedProgram(name, "python", code, reference=reference)


def lines_of_code(program: str) -> int:
    """Count the lines of a program as `ast.unparse` writes it, without comments, docstrings and blank lines."""
    tree = parse_source(program)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.body = [line for line in node.body if not _is_text(line)] or [ast.Pass()]
    return sum(bool(line) for line in ast.unparse(tree).splitlines())


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


# --- a folder of our own ---


class ExpectedCall(NamedTuple):
    """Arguments of one call in a test, and the expected value."""

    arguments: tuple[Any, ...]
    expected: Any


@dataclass(frozen=True, slots=True)
class Code3Problem:
    """A problem of a folder; `sha256` is its file's, and its proof is of exactly these bytes."""

    problem: ImportedProblem
    sha256: str

    @property
    def calls(self) -> list[ExpectedCall]:
        """Calls of its asserts. Raises InvalidProblem if one is not `candidate(literals) == literal`."""
        [test] = self.problem.tests
        asserts = [node.test for node in ast.walk(parse_source(test.input)) if isinstance(node, ast.Assert)]
        return [_read_call(ast.unparse(check)) for check in asserts]

    @property
    def examples(self) -> list[ExpectedCall]:
        """Calls that its statement shows, in the form of an interactive session."""
        return [
            _read_call(f"{call} == {value}") for call, value in _EXAMPLE.findall(self.problem.statements["zh"].text)
        ]


def _read_call(source: str) -> ExpectedCall:
    match ast.parse(source, mode="eval").body:
        case ast.Compare(ast.Call(args=arguments, keywords=[]), [ast.Eq()], [expected]):
            return ExpectedCall(tuple(map(ast.literal_eval, arguments)), ast.literal_eval(expected))
    raise InvalidProblem(f"{source} is not of the form f(literals) == literal")


def load_set(folder: Path, now: datetime) -> Mapping[str, Code3Problem]:
    """Return the problems of a folder by name. Raises InvalidImport listing the files that cannot be read."""
    problems, bad, _notes = _read_folder(folder, now)
    refuse_bad_rows(bad if problems or bad else [BadRow(folder.name, 1, "the folder holds no problem")])
    return problems


def _read_folder(folder: Path, now: datetime) -> tuple[Mapping[str, Code3Problem], list[BadRow], tuple[str, ...]]:
    """Return the problems of a folder by name, the files that cannot be read, and the keys that are not known."""
    problems: dict[str, Code3Problem] = {}
    unknown = fields.UnknownKeys(_KEYS)
    bad: list[BadRow] = []
    try:
        proofs = read_proofs(folder / PROOFS_FILE)
    except InvalidProblem as wrong:
        raise refusal(BadRow(PROOFS_FILE, 1, str(wrong))) from wrong
    for path in sorted(folder.iterdir()):
        try:
            if path.suffix == ".toml":
                problems[path.stem] = _read_problem_file(path, proofs.get(path.stem, {}), now, unknown)
            elif path.name not in (PROOFS_FILE, "README.md"):
                raise ValueError("this file does not belong here")
        except ROW_ERRORS as broken:
            bad.append(bad_row(path.name, 1, broken))
    return problems, bad, unknown.notes


def _read_problem_file(
    path: Path, proof: Mapping[str, object], now: datetime, unknown: fields.UnknownKeys
) -> Code3Problem:
    file = read_file(path)
    row = tomllib.loads(file.text) | {"task_id": path.stem}
    check_storable(row)
    unknown.note_keys(f"{path.name}:1", row)
    problem, _note = _problem(row, now)
    proven = proof if proof.get("sha256") == file.sha256 else None
    return Code3Problem(replace(problem, source=HOUSE.slug, shipped_proof=proven), file.sha256)


def _load(path: Path) -> SourceFile:
    """Return a file of rows, or the path of a folder."""
    return SourceFile(path.absolute().name, "", "", path=path) if path.is_dir() else read_file(path)


_rows = problems_reader("code3", (SOURCE,), _problem, _KEYS)


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    if file.path is None:
        return _rows(file, options, now)
    problems_by_name, bad, notes = _read_folder(file.path, now)
    check_not_empty(problems_by_name, bad, file, "the folder holds no problem")
    digest = hashlib.sha256(
        "".join(f"{name} {problem.sha256}\n" for name, problem in problems_by_name.items()).encode()
    )
    problems = tuple(problem.problem for problem in problems_by_name.values())
    return ImportBatch(
        kind="code3",
        file_sha256=digest.hexdigest(),
        file_name=file.name,
        sources=(HOUSE,),
        problems=problems,
        bad_rows=tuple(bad),
        notes=notes,
    )


SUITE = Suite("code3", "SuperCLUE-Code3 problems", _read, {}, load=_load)
