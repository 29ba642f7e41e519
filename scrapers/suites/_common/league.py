"""The house league's folder as values: contests, and problems with their programs."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.imports import ImportedProgram, is_plausible
from app.domain.judging.problem_file import parse_problem
from app.domain.problems import Entry, Form, Level, Method, Param, ProblemSpec, Statement
from scrapers.suites._common.fields import UnknownKeys
from scrapers.suites._common.house_items import ITEM_FILES, HouseItem, load_items, note_unknown_keys
from scrapers.suites._common.league_files import PROOFS_FILE, read_proofs, table, text
from scrapers.suites._common.live_contests import LIVE_FILE, LIVE_KEYS, LiveContest, read_live_contests

LOCALES = ("en", "zh")
LANGUAGES = {".py": "python", ".cpp": "cpp"}
MAX_TESTS = 100
MAX_EXAMPLES = 5
_FILES = {"problem.toml", "statement.en.md", "statement.zh.md", "generate.py", "tests.jsonl.gz"}
_PROBLEM_KEYS: Final = frozenset(
    {"title_en", "title_zh", "level", "form", "tags", "time_ms", "memory_mb", "examples", "canary", "starter",
     "no_slow", "checker", "interactor", "entry.name", "entry.class", "entry.params", "entry.returns", "entry.methods",
     "entry.preamble", "entry.output_param", "entry.packages"}
)  # fmt: skip
_CONTEST_KEYS: Final = frozenset({"slug", "title_en", "title_zh", "starts_at", "duration_min", "problems"})
_HELPER_ROLES = ("checker", "interactor")  # programs of a problem that judge answers
_OTHER_FILES = {
    "README.md", "league.toml", "models.toml", LIVE_FILE, PROOFS_FILE, *ITEM_FILES, "code3", "setters", "__pycache__",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeagueContest:
    """A contest: titles by locale, its time in UTC, and the slugs of its problems in order."""

    slug: str
    titles: Mapping[str, str]
    starts_at: datetime
    ends_at: datetime
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeagueProblem:
    """A problem with everything that proves it.

    `sha256` is over every file that was written by hand and the tests made from them; `proof` is what `league prove`
    recorded of exactly these contents, else None. `examples` counts the public tests.
    """

    spec: ProblemSpec
    statements: Mapping[str, Statement]
    level: Level
    tags: tuple[str, ...]
    examples: int
    generator: str
    programs: tuple[ImportedProgram, ...]
    canary: bool
    sha256: str
    proof: Mapping[str, object] | None = None

    @property
    def slug(self) -> str:
        """Its name, which is the folder's."""
        return self.spec.id

    def programs_of(self, *, reference: bool) -> tuple[ImportedProgram, ...]:
        """Return the references, or the known-wrong programs."""
        return tuple(program for program in self.programs if program.reference is reference)


@dataclass(frozen=True, slots=True)
class League:
    """All past contests, oldest first, all problems by slug, impossible ones included, and the items of suites.

    `live` are the contests of the bundled site, whose problems are held back. `notes` name the unknown keys of its
    files.
    """

    contests: tuple[LeagueContest, ...]
    problems: Mapping[str, LeagueProblem]
    items: tuple[HouseItem, ...] = ()
    notes: tuple[str, ...] = ()
    live: tuple[LiveContest, ...] = ()

    @property
    def held_back(self) -> frozenset[str]:
        """The problems that an import leaves out: the bundled site publishes them."""
        return frozenset(slug for contest in self.live for slug in contest.problems)

    @property
    def sha256(self) -> str:
        """Digest of everything an import takes from the folder."""
        digest = hashlib.sha256(repr(self.contests).encode())
        for problem in self.problems.values():
            if problem.slug not in self.held_back:
                digest.update(f"{problem.slug} {problem.sha256}\n".encode())
        for item in self.items:
            digest.update(f"{item.name} {item.sha256}\n".encode())
        return digest.hexdigest()

    def contest_of(self, slug: str) -> LeagueContest | None:
        """Return the past contest that a problem belongs to; None for an impossible one and one held back."""
        return next((contest for contest in self.contests if slug in contest.problems), None)


def load_league(folder: Path, now: datetime) -> League:
    """Read a league's folder; contests begin within a year of `now`. Raises InvalidProblem naming the file."""
    of_contests, of_problems, of_live = map(UnknownKeys, (_CONTEST_KEYS, _PROBLEM_KEYS, LIVE_KEYS))
    live = read_live_contests(folder, LOCALES, of_live)
    contests = _without(_contests(folder, now, of_contests), {slug for contest in live for slug in contest.problems})
    proofs = read_proofs(folder / PROOFS_FILE)
    problems = {}
    for path in sorted(path for path in folder.iterdir() if path.name not in _OTHER_FILES):
        if not path.is_dir():
            raise InvalidProblem(f"{path}: this file does not belong here")
        problems[path.name] = load_problem(path, proofs.get(path.name))
        of_problems.note_keys(f"{path.name}/problem.toml:1", table(path / "problem.toml"))
    _check_contests(folder / "league.toml", (*contests, *live), problems)
    notes = (*of_contests.notes, *of_live.notes, *of_problems.notes, *note_unknown_keys(folder))
    return League(contests, problems, load_items(folder, now), notes, live)


def _without(contests: tuple[LeagueContest, ...], held_back: Collection[str]) -> tuple[LeagueContest, ...]:
    """Return the contests without some problems; those without any other are left out."""
    left = (
        replace(contest, problems=tuple(slug for slug in contest.problems if slug not in held_back))
        for contest in contests
    )
    return tuple(contest for contest in left if contest.problems)


def load_problem(folder: Path, proof: Mapping[str, object] | None = None, *, built: bool = True) -> LeagueProblem:
    """Read one problem. Without `built` its tests are not read. Raises InvalidProblem naming the file."""
    _check_files(folder, built=built)
    facts = table(folder / "problem.toml")
    rows = _tests(folder / "tests.jsonl.gz") if built else []
    programs = _programs(folder)
    try:
        canary, examples = bool(facts.get("canary", False)), int(facts["examples"])
        spec = _spec(folder, facts, rows)
        level, tags = Level(facts["level"]), tuple(str(tag) for tag in facts["tags"])
        statements = {locale: _statement(folder, facts, spec, locale) for locale in LOCALES}
    except InvalidProblem as wrong:
        raise InvalidProblem(f"{folder / 'problem.toml'}: {wrong}", pointer=wrong.pointer) from wrong
    except (KeyError, TypeError, ValueError) as wrong:
        raise InvalidProblem(f"{folder / 'problem.toml'}: {type(wrong).__name__}: {wrong}") from wrong
    if built:
        _check_tests(folder, spec, examples)
    if not canary:
        _check_programs(folder, programs)
    sha256 = _digest(folder)
    return LeagueProblem(
        spec=spec,
        statements=statements,
        level=level,
        tags=tags,
        examples=examples,
        generator=text(folder / "generate.py"),
        programs=programs,
        canary=canary,
        sha256=sha256,
        proof=proof if proof is not None and proof.get("sha256") == sha256 else None,
    )


def starter_code(entry: Entry | None) -> dict[str, str]:
    """Return the starter code of a function or class problem, by language; nothing for other forms."""
    if entry is None:
        return {}
    if not entry.name:
        methods = {"__init__": Method(entry.params, "void"), **entry.methods}
        return {"python": f"class {entry.cls}:\n" + "\n".join(_method(*method) for method in methods.items())}
    if entry.cls is not None:
        return {"python": f"class {entry.cls}:\n" + _method(entry.name, Method(entry.params, entry.returns))}
    params = ", ".join(map(_param, entry.params))
    return {"python": f"def {entry.name}({params}) -> {_annotation(entry.returns)}:\n    ...\n"}


def _method(name: str, method: Method) -> str:
    params = ", ".join(("self", *map(_param, method.params)))
    return f"    def {name}({params}) -> {_annotation(method.returns)}:\n        ...\n"


def _param(param: Param) -> str:
    return f"{param.name}: {_annotation(param.type)}"


_LEETCODE_TYPES: Final = {
    "integer": "int", "long": "int", "string": "str", "character": "str", "boolean": "bool", "double": "float",
    "void": "None",
}  # fmt: skip


def _annotation(spelling: str) -> str:
    """Return a type in LeetCode's spelling as Python writes it; one in Python's spelling unchanged."""
    if spelling.endswith("[]"):
        return f"list[{_annotation(spelling.removesuffix('[]'))}]"
    return _LEETCODE_TYPES.get(spelling, spelling)


# --- reading files ---


def _tests(path: Path) -> list[Any]:
    try:
        return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()]
    except (OSError, EOFError, zlib.error, ValueError) as wrong:
        raise InvalidProblem(f"{path}: {wrong}") from wrong


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        name, body = path.relative_to(folder).as_posix().encode(), path.read_bytes()
        digest.update(b"%d %s %d\n" % (len(name), name, len(body)))
        digest.update(body)
    return digest.hexdigest()


# --- problems and contests ---


def _spec(folder: Path, facts: Mapping[str, Any], rows: list[Any]) -> ProblemSpec:
    return parse_problem(
        {
            "id": folder.name,
            "form": facts["form"],
            "limits": {"time_ms": facts["time_ms"], "memory_mb": facts["memory_mb"], "output_kb": 16384},
            "entry": facts.get("entry"),
            "tests": rows,
            **{role: _helper(folder, facts, role) for role in _HELPER_ROLES},
        }
    )


def _helper(folder: Path, facts: Mapping[str, Any], role: str) -> Mapping[str, Any] | None:
    """Return the checker or interactor in problem.toml, with the program that lies beside it."""
    helper = dict(facts.get(role, {}))
    for path in _helper_files(folder, role):
        helper |= {"program": text(path), "language": LANGUAGES[path.suffix]}
    return helper or None


def _helper_files(folder: Path, role: str) -> list[Path]:
    return [path for suffix in LANGUAGES if (path := folder / f"{role}{suffix}").exists()]


def _statement(folder: Path, facts: Mapping[str, Any], spec: ProblemSpec, locale: str) -> Statement:
    return Statement(
        problem=spec.id,
        locale=locale,
        form=spec.form,
        title=str(facts[f"title_{locale}"]),
        text=text(folder / f"statement.{locale}.md"),
        starter_code=starter_code(spec.entry),
        examples=tuple(test for test in spec.tests if test.visible),
        limits=spec.limits,
    )


def _programs(folder: Path) -> tuple[ImportedProgram, ...]:
    programs = []
    for path in sorted(path for path in (folder / "programs").iterdir() if path.name != "__pycache__"):
        kind, _, rest = path.stem.partition("_")
        if kind not in ("ref", "wrong") or not rest or path.suffix not in LANGUAGES:
            raise InvalidProblem(f"{path}: neither ref_* nor wrong_* in a known language")
        programs.append(ImportedProgram(path.stem, LANGUAGES[path.suffix], text(path), reference=kind == "ref"))
    return tuple(programs)


def _contests(folder: Path, now: datetime, unknown: UnknownKeys) -> tuple[LeagueContest, ...]:
    path = folder / "league.toml"
    try:
        facts = table(path)
        rows = facts.pop("contest")
        contests = tuple(_contest(row, now) for row in rows)
        for row in (facts, *rows):
            unknown.note_keys("league.toml:1", row)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidProblem(f"{path}: {type(wrong).__name__}: {wrong}") from wrong
    if not contests:
        raise InvalidProblem(f"{path}: it names no contest")
    return contests


def _contest(row: Mapping[str, Any], now: datetime) -> LeagueContest:
    if row["starts_at"].tzinfo is None:
        raise ValueError(f"{row['slug']}: starts_at has no time zone")
    starts_at = row["starts_at"].astimezone(UTC)
    if not is_plausible(starts_at, now):
        raise ValueError(f"{row['slug']}: starts_at lies before the year 2000 or more than a year ahead")
    return LeagueContest(
        slug=str(row["slug"]),
        titles={locale: str(row[f"title_{locale}"]) for locale in LOCALES},
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=row["duration_min"]),
        problems=tuple(row["problems"]),
    )


# --- checks ---


def _check_files(folder: Path, *, built: bool) -> None:
    names = {*_FILES, "programs"} if built else {*_FILES, "programs"} - {"tests.jsonl.gz"}
    existing = {path.name for path in folder.iterdir()} - {"__pycache__"}
    for name in sorted(names - existing):
        raise InvalidProblem(f"{folder / name}: the file is missing")
    helpers = {path.name for role in _HELPER_ROLES for path in _helper_files(folder, role)[:1]}
    for name in sorted(existing - _FILES - {"programs"} - helpers):
        raise InvalidProblem(f"{folder / name}: this file does not belong here")


def _check_tests(folder: Path, spec: ProblemSpec, examples: int) -> None:
    path = folder / "tests.jsonl.gz"
    if not 1 <= len(spec.tests) <= MAX_TESTS:
        raise InvalidProblem(f"{path}: {len(spec.tests)} tests, but 1 to {MAX_TESTS} are allowed")
    # The interactor's input is no example for programs that talk to it; the statement shows a dialogue instead.
    least, most = (0, 0) if spec.form is Form.INTERACTIVE else (1, MAX_EXAMPLES)
    if not least <= examples <= most:
        raise InvalidProblem(f"{folder / 'problem.toml'}: examples: from {least} to {most}")
    if [test.visible for test in spec.tests] != [number < examples for number in range(len(spec.tests))]:
        raise InvalidProblem(f"{path}: the first {examples} tests, and no others, must be visible")
    for number, test in enumerate(spec.tests, start=1):
        if spec.entry is not None and (reason := _input_fault(spec.entry, test.input)) is not None:
            raise InvalidProblem(f"{path}:{number}: {reason}")


def _input_fault(entry: Entry, arguments: Any) -> str | None:
    """Return why a test's input is not what its program is called with; None if it is."""
    if entry.name:
        return None if len(arguments) == len(entry.params) else f"not {len(entry.params)} arguments"
    names, rows = arguments
    if names[0] != entry.cls:
        return f"the first call does not make a {entry.cls}"
    for name, row, params in zip(names, rows, _declared_params(entry, names), strict=True):
        if params is None or len(row) != len(params):
            return f"{name} is no method, or takes another number of arguments"
    return None


def _declared_params(entry: Entry, names: Sequence[str]) -> list[tuple[Param, ...] | None]:
    """Return the parameters of each call, the constructor's first; None for an undeclared method."""
    methods = (entry.methods.get(name) for name in names[1:])
    return [entry.params, *(None if method is None else method.params for method in methods)]


def _check_programs(folder: Path, programs: tuple[ImportedProgram, ...]) -> None:
    for reference, word in ((True, "reference"), (False, "known-wrong")):
        if sum(program.reference is reference for program in programs) < 2:
            raise InvalidProblem(f"{folder / 'programs'}: fewer than two {word} programs")


def _check_contests(
    path: Path, contests: Sequence[LeagueContest | LiveContest], problems: Mapping[str, LeagueProblem]
) -> None:
    slugs: set[str] = set()
    for slug in (slug for contest in contests for slug in contest.problems):
        if slug not in problems or problems[slug].canary or slug in slugs:
            raise InvalidProblem(f"{path}: {slug} is unknown, impossible, or in two contests")
        slugs.add(slug)
    for slug in sorted(set(problems) - slugs):
        if not problems[slug].canary:
            raise InvalidProblem(f"{path}: {slug} is in no contest")
