"""Parts that all package formats share: settings in YAML, statements, tests, programs, limits."""

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Final

import yaml

from app.domain.imports import ImportedProgram, ImportedStatement, PackageSubmission, Recipe, VerdictRule
from app.domain.problems import UNSTATED_LIMITS, Checker, Form, Interactor, Limits, Test
from scrapers.packages.archive import MAX_PROGRAM_BYTES, MAX_TEST_BYTES, InvalidPackage, Package
from scrapers.packages.constants import Constants
from scrapers.packages.tex import plain_text
from scrapers.packages.tex_macros import Macros, UnsupportedTex

MAX_TESTS: Final = 2000
MAX_TEST_CHARS: Final = 256 << 20  # of all tests together
MAX_PROGRAMS: Final = 20  # of each kind
MAX_SETTINGS_BYTES: Final = 256 << 10
MAX_NOTE_BYTES: Final = 16 << 10  # of the settings of one test, group or program
NO_CONSTANTS: Final = Constants()
_MAX_HEADERS: Final = 20
_MAX_NOTED_KEYS: Final = 50

_ENDINGS: Final = {".c": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".c++": "cpp", ".py": "python",
                   ".py3": "python", ".java": "java", ".js": "javascript", ".go": "go", ".rs": "rust"}  # fmt: skip
UNIVERSAL_LANGUAGES: Final = frozenset({"c", "cpp", "python"})  # judged by every installation
_HELPER_LANGUAGES: Final = frozenset({"c", "cpp", "python"})
_PYTHON_2: Final = re.compile(r"#!.*python2")
_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"[^\n]*$', re.MULTILINE)
_PARTIAL: Final = re.compile(r"\bquitpi?\b|\b_points\b|\b_pc\b|\b_partially\b")
_STATEMENT: Final = re.compile(r"problem(?:\.([a-z]{2,3})(?:-[A-Za-z0-9]{2,8})?)?\.(md|tex)")
_TITLE: Final = re.compile(r"\A\s*#[ \t]+(\S.*)\n")
_IMAGE: Final = re.compile(r"!\[[^\[\]\n]{0,500}\]\(|<img\b", re.IGNORECASE)
_MAX_MS, _MAX_MB, _MAX_KB = 3_600_000, 65_536, 1 << 20


@dataclass(slots=True)
class PackageDraft:
    """A package's problem, filled in while it is read; `notes` are for the person who imports it."""

    name: str
    titles: dict[str, str] = field(default_factory=dict)
    statements: dict[str, ImportedStatement] = field(default_factory=dict)
    form: Form = Form.STDIN
    limits: Limits = Limits()
    unstated: frozenset[str] = frozenset()
    checker: Checker = Checker()
    interactor: Interactor | None = None
    tests: list[Test] = field(default_factory=list)
    test_size: int = 0
    programs: list[ImportedProgram] = field(default_factory=list)
    submissions: list[PackageSubmission] = field(default_factory=list)
    recipe: Recipe | None = None
    tags: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)


# --- settings ---


class _Loader(yaml.SafeLoader):
    """YAML loader of plain values, without aliases and repeated names."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(problem="aliases are not read", problem_mark=self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        mapping = super().construct_mapping(node, deep)
        if len(mapping) != len(node.value):
            raise yaml.constructor.ConstructorError(problem="a name comes twice", problem_mark=node.start_mark)
        return mapping


def read_settings(
    package: Package, path: str, most: int = MAX_SETTINGS_BYTES, constants: Constants = NO_CONSTANTS
) -> Mapping[str, Any]:
    """Read a YAML file that holds an object, or nothing. Raises InvalidPackage with the line."""
    text = constants.fill_settings(package.text(path, most), path)
    try:
        data = yaml.load(text, _Loader)  # noqa: S506  # a safe loader, made stricter
    except yaml.MarkedYAMLError as broken:
        mark = broken.problem_mark or broken.context_mark
        raise InvalidPackage(f"{broken.problem or broken.context}", path, mark.line + 1 if mark else 1) from broken
    except (yaml.YAMLError, ValueError, TypeError, OverflowError) as broken:
        raise InvalidPackage(" ".join(str(broken).split()), path) from broken
    except RecursionError as broken:
        raise InvalidPackage("nested too deeply", path) from broken
    if data is not None and not isinstance(data, dict):
        raise InvalidPackage("its top level is not an object", path)
    return data or {}


def note_unknown_keys(
    draft: PackageDraft, package: Package, path: str, keys: Iterable[object], known: Collection[str], noted: set[str]
) -> None:
    """Note the keys that no version of a format has, each once; after a few dozen, only that there are more."""
    new = [str(key) for key in keys if key not in known and str(key) not in noted]
    for key in new[: _MAX_NOTED_KEYS - len(noted)]:
        noted.add(key)
        line = line_of(package.text(path), key)
        draft.notes.append(f"{path}:{line}: the key {key!r:.60} is not known, and changes nothing here")
    if len(new) > _MAX_NOTED_KEYS:
        draft.notes.append(f"{path}: more than {_MAX_NOTED_KEYS} keys are not known")


def line_of(text: str, word: str) -> int:
    """Return the first line that begins with this name, after blanks and dashes, or else contains it; 1 if none
    does."""
    name = rf"[\"']?{re.escape(word)}\b"
    match = re.search(rf"^[ \t-]*{name}", text, re.MULTILINE) or re.search(rf"(?<!\w){name}", text)
    return 1 if match is None else text.count("\n", 0, match.end()) + 1


# --- limits ---


def state_limits(draft: PackageDraft, path: str, *, time_s: object, memory_mb: object, output_mb: object) -> None:
    """Take the limits that a package states. If it states none (None), our defaults apply and a note names them. Raises
    InvalidPackage for impossible numbers."""
    draft.limits = Limits(
        time_ms=_check_limit(path, "time limit", time_s, 1000, UNSTATED_LIMITS.time_ms, _MAX_MS),
        memory_mb=_check_limit(path, "memory limit", memory_mb, 1, UNSTATED_LIMITS.memory_mb, _MAX_MB),
        output_kb=_check_limit(path, "output limit", output_mb, 1024, UNSTATED_LIMITS.output_kb, _MAX_KB),
    )
    if time_s is None:
        draft.notes.append(f"the package names no time limit: {UNSTATED_LIMITS.time_ms // 1000} s are taken")
    if memory_mb is None:
        draft.notes.append(f"the package names no memory limit: {UNSTATED_LIMITS.memory_mb} MiB are taken")
    stated = {"time_ms": time_s, "memory_mb": memory_mb}
    draft.unstated = frozenset(name for name, value in stated.items() if value is None)


def _check_limit(path: str, what: str, value: object, unit: int, default: int, most: int) -> int:
    if value is None:
        return default
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not 0 < number * unit <= most:
        raise InvalidPackage(f"the {what} is {str(value)[:40]!r}", path)
    return math.ceil(number * unit)


# --- tests ---


def add_test(draft: PackageDraft, text: str, expected: str, *, visible: bool, path: str) -> None:
    """Add one test. Raises InvalidPackage if there are too many, or they are too large together."""
    if len(draft.tests) >= MAX_TESTS:
        raise InvalidPackage(f"more than {MAX_TESTS} tests", path)
    draft.test_size += len(text) + len(expected)
    if draft.test_size > MAX_TEST_CHARS:
        raise InvalidPackage(f"its tests have more than {MAX_TEST_CHARS >> 20} Mi characters together", path)
    # The interactor's input is no example for programs that talk to it.
    example = visible and draft.form is not Form.INTERACTIVE
    draft.tests.append(Test(text, expected, visible=example))


def read_test(package: Package, path: str, *, unix: bool = False) -> str:
    """Return a test's file as text; `unix` turns CRLF into LF. Raises InvalidPackage."""
    text = package.text(path, MAX_TEST_BYTES)
    return text.replace("\r\n", "\n") if unix else text


# --- programs ---


def language_of(path: str) -> str | None:
    """Return the language of a source by its file name; None if it is unknown."""
    return _ENDINGS.get(PurePosixPath(path).suffix)


def read_helper(package: Package, folder: str, role: str) -> tuple[str, str]:
    """Return (source, language) of the one program in a folder, with its own headers inlined. Raises InvalidPackage."""
    files = package.files_below(folder)
    if not files:
        raise InvalidPackage(f"the {role} is missing", folder)
    sources = [path for path in files if PurePosixPath(path).suffix in _ENDINGS]
    scripts = [path for path in files if PurePosixPath(path).name in ("build", "run")]
    if len(sources) != 1 or scripts:
        names = ", ".join(path.removeprefix(f"{folder}/") for path in (scripts or sources or files)[:5])
        raise InvalidPackage(f"the {role} must be one source file in C, C++ or Python, not {names}", folder)
    return read_helper_source(package, sources[0], role)


def read_helper_source(package: Package, path: str, role: str) -> tuple[str, str]:
    """Return (source, language) of a program that makes or checks tests. Raises InvalidPackage if it is missing or
    cannot be run here."""
    language = _ENDINGS.get(PurePosixPath(path).suffix, "")
    if path not in package:
        raise InvalidPackage(f"the {role} is missing", path)
    if language not in _HELPER_LANGUAGES:
        raise InvalidPackage(f"the {role} is not in C, C++ or Python", path)
    source = package.text(path, MAX_PROGRAM_BYTES)
    if not source.strip():
        raise InvalidPackage(f"the {role} is empty", path)
    if language == "python":
        return source, language
    return _inline_headers(package, path, source, set()), language


def _inline_headers(package: Package, path: str, source: str, headers: set[str]) -> str:
    """Return the source with each header of its own folder inlined where it is first included."""

    def place(match: re.Match[str]) -> str:
        header = str(PurePosixPath(path).parent / match[1])
        if header not in package or PurePosixPath(header).name == "testlib.h":
            return match[0]
        if header in headers:
            return ""
        headers.add(header)
        if len(headers) > _MAX_HEADERS:
            raise InvalidPackage(f"more than {_MAX_HEADERS} headers", path)
        return _inline_headers(package, header, package.text(header, MAX_PROGRAM_BYTES), headers)

    return _INCLUDE.sub(place, source)


def refuse_points(source: str, path: str) -> None:
    """Raise InvalidPackage for a testlib program that gives points, as partial scores are not judged here."""
    match = _PARTIAL.search(source)
    if match is not None:
        line = source.count("\n", 0, match.start()) + 1
        raise InvalidPackage(f"the program gives points ({match[0]}); only right and wrong are judged here", path, line)


def read_submission(package: Package, path: str, *, reference: bool, constants: Constants) -> ImportedProgram | None:
    """Return a submission; None if its language is not judged here."""
    result = read_program(package, path, constants)
    return None if isinstance(result, str) else replace(result, reference=reference)


def read_program(
    package: Package, path: str, constants: Constants, language: str | None = None
) -> ImportedProgram | str:
    """Return a submission, in the language of its file name if none is given; or the reason why it is not judged
    here."""
    language = language or language_of(path)
    if language is None:
        return "its name is that of no language that is judged here"
    code = constants.fill_program(package.text(path, MAX_PROGRAM_BYTES), path)
    if not code.strip():
        return "it is empty"
    if language == "python" and _PYTHON_2.match(code):
        return "it is in Python 2"
    return ImportedProgram(path, language, code)


def add_submission(
    package: Package,
    draft: PackageDraft,
    path: str,
    rules: tuple[VerdictRule, ...],
    *,
    reference: bool | None,
    language: str | None = None,
) -> None:
    """Add a submission of a format with verdicts for limits. It also becomes a program that proves the tests, unless
    `reference` is None; only then may it be unreadable."""
    try:
        program = read_program(package, path, NO_CONSTANTS, language)
    except InvalidPackage as refused:
        if reference is not None:
            raise
        program = refused.reason
    if isinstance(program, str):
        draft.submissions.append(PackageSubmission(path, left_out=program))
        return
    draft.submissions.append(PackageSubmission(path, program.language, program.code, rules, has_limit_verdicts=True))
    if reference is not None:
        draft.programs.append(replace(program, reference=reference))


def choose_programs(draft: PackageDraft) -> None:
    """Keep the programs that every installation judges; use other languages only if no reference is among those."""
    candidates = [candidate for candidate in draft.programs if candidate.language in UNIVERSAL_LANGUAGES]
    references = [candidate for candidate in candidates if candidate.reference] or [
        candidate for candidate in draft.programs if candidate.reference
    ]
    wrong = [candidate for candidate in candidates if not candidate.reference]
    programs = [*references[:MAX_PROGRAMS], *wrong[:MAX_PROGRAMS]]
    surplus = len(draft.programs) - len(programs)
    if surplus:
        draft.notes.append(f"{surplus} programs left out: enough of others prove the tests")
    if not references:
        draft.notes.append("no accepted program that is judged here: its tests are unproven")
    draft.programs = programs


# --- statements ---


def read_statements(package: Package, draft: PackageDraft, folders: tuple[str, ...], constants: Constants) -> None:
    """Read the statements `problem.LOCALE.md` or `.tex` of the first folder that has any; Markdown takes precedence.

    A statement that cannot be read is noted. Raises InvalidPackage if none can be read.
    """
    refusals: list[InvalidPackage] = []
    folder = next((folder for folder in folders if any(map(_statement_name, package.files_below(folder)))), folders[0])
    for path in package.files_below(folder):
        match = _statement_name(path)
        locale = (match[1] or "en") if match else ""
        if match is None or locale in draft.statements:
            continue
        try:
            add_statement(draft, locale, package.text(path), path, constants)
        except InvalidPackage as refused:
            refusals.append(refused)
    check_statements(draft, refusals, f"there is no {folder}/problem.en.md or problem.en.tex")


def _statement_name(path: str) -> re.Match[str] | None:
    return _STATEMENT.fullmatch(PurePosixPath(path).name) if path.count("/") == 1 else None


def check_statements(draft: PackageDraft, unread: list[InvalidPackage], absent: str) -> None:
    """Note the statements that could not be read. Raises InvalidPackage if there is no other."""
    if not draft.statements:
        raise unread[0] if unread else InvalidPackage(f"no statement: {absent}")
    draft.notes += [f"{refusal.path}:{refusal.line}: {refusal.reason}" for refusal in unread]


def add_statement(draft: PackageDraft, locale: str, text: str, path: str, constants: Constants = NO_CONSTANTS) -> None:
    """Add a statement in Markdown or TeX, by its file's extension. Raises InvalidPackage if it cannot be read."""
    title, images = "", False
    if path.endswith(".tex"):
        text, title, images = read_tex(constants.fill(text, path), path, Macros(constants=constants.texts))
    else:
        text = constants.fill_markdown(text, path)
        images = bool(_IMAGE.search(text))
        if (heading := _TITLE.match(text)) is not None:
            title, text = heading[1].strip(), text[heading.end() :]
    if not text.strip():
        raise InvalidPackage("no statement: the file is empty", path)
    if images:
        draft.flags = tuple({*draft.flags, "image"})
    title = draft.titles.get(locale) or title or next(iter(draft.titles.values()), "") or draft.name
    draft.titles[locale] = title
    draft.statements[locale] = ImportedStatement(title, text.strip())


def read_tex(text: str, path: str, macros: Macros) -> tuple[str, str, bool]:
    """Return (plain text, title, whether it shows images). Raises InvalidPackage for TeX that is not supported."""
    try:
        plain = plain_text(text, macros)
    except UnsupportedTex as unread:
        raise InvalidPackage(f"no statement: {unread.reason}", path, unread.line) from unread
    return plain
