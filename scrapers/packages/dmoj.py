"""DMOJ packages: init.yml with its cases, whose files lie beside it or in an archive.

DMOJ keeps statements and limits elsewhere. A statement is therefore read from a folder `statement`, as in other
packages, and limits and programs from `tests/NAME/test.yml`, as in the packages that DMOJ tests its judge with.
"""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from app.domain.problems import Checker, CheckerKind, Form, Interactor
from scrapers.packages import common as shared
from scrapers.packages import dmoj_checkers as checkers
from scrapers.packages import dmoj_submissions as submissions
from scrapers.packages.archive import InvalidPackage, Package, open_inner
from scrapers.packages.common import PackageDraft

MARK: Final = "init.yml"
_KEYS: Final = frozenset(
    {"archive", "test_cases", "pretest_test_cases", "points", "checker", "interactive", "unbuffered",
     "output_limit_length", "output_prefix_length", "meta", "hints", "binary_data", "wall_time_factor", "dependencies"}
)  # fmt: skip
_CASE_KEYS: Final = frozenset(
    {"in", "out", "points", "batched", "dependencies", "checker", "binary_data", "output_limit_length",
     "output_prefix_length"}
)  # fmt: skip
_INHERITED_KEYS: Final = _CASE_KEYS - {"points", "batched", "dependencies"}  # keys of a batch that its cases inherit
_BRIDGED_KEYS: Final = frozenset(
    {"files", "type", "lang", "feedback", "time_limit", "memory_limit", "compiler_time_limit", "cached"}
)
# Arguments of DMOJ's own checkers; those of other checkers are refused if they are not judged here.
_ARGUMENTS: Final[Mapping[str, frozenset[str]]] = {
    "standard": frozenset(), "identical": frozenset({"pe_allowed"}), "sorted": frozenset({"split_on"}),
    **dict.fromkeys(("floats", "floatsabs", "floatsrel"), frozenset({"precision", "error_mode"})),
}  # fmt: skip
_MODES: Final = ("default", "absolute", "relative")
_MAX_BATCH_DEPTH: Final = 3


def read(package: Package) -> PackageDraft:
    """Read a package. Raises InvalidPackage for what is damaged, missing, or not judged here."""
    settings = shared.read_settings(package, MARK)
    for name in settings:
        if name not in _KEYS:
            raise _error_near(package, f"{name!r:.40} is not judged here", str(name))
    draft = PackageDraft(package.name)
    if settings.get("interactive") is not None:
        draft.form = Form.INTERACTIVE
    if settings.get("wall_time_factor") is not None:
        draft.notes.append(f"{MARK}: wall_time_factor is not used: the wall limit here is twice the time limit")
    inherited = {name: value for name, value in settings.items() if name in _INHERITED_KEYS}
    cases = [
        case
        for name in ("pretest_test_cases", "test_cases")
        for case in _read_cases(package, settings, name, inherited)
    ]
    checker = _single_checker(package, cases)
    _note_checker_keys(package, draft, cases, *checker)
    with contextlib.ExitStack() as stack:
        files = (
            stack.enter_context(open_inner(package, str(settings["archive"]))) if settings.get("archive") else package
        )
        for case in cases:
            _add_case(package, draft, files, case, checker[0])
    if draft.form is Form.INTERACTIVE:
        draft.interactor = _read_interactor(package, settings["interactive"])
    else:
        draft.checker = _read_checker(package, draft, *checker)
    submissions.read_submissions(package, draft, _output_limit(package, cases))
    shared.read_statements(package, draft, ("statement", "problem_statement"), shared.NO_CONSTANTS)
    return draft


def _error_near(package: Package, reason: str, near: str) -> InvalidPackage:
    return InvalidPackage(reason, MARK, shared.line_of(package.text(MARK), near))


# --- tests ---


def _read_cases(
    package: Package, settings: Mapping[str, Any], name: str, inherited: Mapping[str, Any], depth: int = 0
) -> list[Mapping[str, Any]]:
    """Return all cases in order, batched ones included; each inherits from `given` what it does not state."""
    entries = settings.get(name)
    if entries is None:
        return []
    if not isinstance(entries, list) or depth > _MAX_BATCH_DEPTH:
        raise _error_near(package, f"{name} is not a list of cases; cases named by patterns are not supported", name)
    cases: list[Mapping[str, Any]] = []
    for case in entries:
        if not isinstance(case, dict):
            raise _error_near(package, f"{name} has an entry that is not a case", name)
        for field in case:
            if field not in _CASE_KEYS:
                raise _error_near(package, f"a case with {field!r:.40} is not judged here", str(field))
        full_case = {**inherited, **{field: value for field, value in case.items() if field in _INHERITED_KEYS}}
        cases += _read_cases(package, case, "batched", full_case, depth + 1) if "batched" in case else [full_case]
    return cases


def _single_checker(package: Package, cases: Sequence[Mapping[str, Any]]) -> tuple[str, Mapping[str, Any]]:
    """Return the checker of all cases. Raises InvalidPackage if they have several, as a problem has one here."""
    first, *others = [_checker_name(case.get("checker")) for case in cases] or [_checker_name(None)]
    for other in others:
        if other != first:
            reason = f"cases with different checkers ({first[0]!r:.40} and {other[0]!r:.40}) are not judged here"
            raise _error_near(package, reason, "checker")
    return first


def _output_limit(package: Package, cases: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the widest output limit in bytes; None if some case has none of its own. Raises InvalidPackage."""
    lengths = [case.get("output_limit_length") for case in cases]
    for length in lengths:
        if length is not None and (type(length) is not int or length <= 0):
            raise _error_near(
                package, f"output_limit_length is no number of bytes: {length!r:.40}", "output_limit_length"
            )
    return None if None in lengths else max((length for length in lengths if length is not None), default=None)


def _add_case(package: Package, draft: PackageDraft, files: Package, case: Mapping[str, Any], checker: str) -> None:
    if "out" not in case and draft.form is Form.STDIN and checker != "bridged":
        raise _error_near(package, "a case without an output to compare with", "test_cases")
    unix = case.get("binary_data") is not True  # else the site gives programs the file as it is
    stdin, expected = (_read_case_file(package, files, case.get(name), name, unix=unix) for name in ("in", "out"))
    shared.add_test(draft, stdin, expected, visible=False, path=MARK)


def _read_case_file(package: Package, files: Package, name: Any, near: str, *, unix: bool) -> str:
    if name is None:
        return ""
    path = str(PurePosixPath(str(name)))
    if path not in files:
        raise _error_near(package, f"the file {path!r:.80} of a case is missing", near)
    return shared.read_test(files, path, unix=unix)


# --- checkers and interactors ---


def _checker_name(value: Any) -> tuple[str, Mapping[str, Any]]:
    """Return (name, arguments) of a checker as a package names it. Raises InvalidPackage."""
    name, arguments = (value.get("name"), value.get("args") or {}) if isinstance(value, dict) else (value, {})
    name = "standard" if name is None else name
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise InvalidPackage("a checker is a name, or a name and arguments", MARK)
    return name, arguments


def _note_checker_keys(
    package: Package, draft: PackageDraft, cases: Sequence[Mapping[str, Any]], name: str, arguments: Mapping[str, Any]
) -> None:
    noted: set[str] = set()
    for value in [case.get("checker") for case in cases]:
        shared.note_unknown_keys(
            draft, package, MARK, value if isinstance(value, dict) else (), ("name", "args"), noted
        )
    shared.note_unknown_keys(draft, package, MARK, arguments, _ARGUMENTS.get(name, arguments), noted)


def _read_checker(package: Package, draft: PackageDraft, name: str, arguments: Mapping[str, Any]) -> Checker:
    match name:
        case "standard":
            # A single word has no gaps that could differ.
            plain = all(len(test.expected.split()) <= 1 for test in draft.tests)
            return Checker() if plain else _python_checker(checkers.STANDARD_CHECKER)
        case "identical":
            return Checker(CheckerKind.EXACT)
        case "linecount" if not set(arguments) - {"feedback"}:
            return _python_checker(checkers.LINECOUNT_CHECKER)
        case "sorted" if arguments.get("split_on", "lines") in ("lines", "whitespace"):
            by_line = arguments.get("split_on", "lines") == "lines"
            return Checker(CheckerKind.UNORDERED) if by_line else _python_checker(checkers.SORTED_WORDS_CHECKER)
        case "floats" | "floatsabs" | "floatsrel":
            return _floats_checker(package, name, arguments)
        case "bridged":
            program, language = _read_bridged(package, arguments, "checker")
            return Checker(CheckerKind.TESTLIB, program=program, language=language)
    what = "a checker in DMOJ's own Python" if name.endswith(".py") else f"the checker {name!r:.40}"
    raise _error_near(package, f"{what} is not judged here", "checker")


def _python_checker(program: str) -> Checker:
    return Checker(CheckerKind.TESTLIB, program=program, language="python")


def _floats_checker(package: Package, name: str, arguments: Mapping[str, Any]) -> Checker:
    precision = arguments.get("precision", 6)
    mode = arguments.get("error_mode", {"floatsabs": "absolute", "floatsrel": "relative"}.get(name, "default"))
    if type(precision) is not int or not 0 <= precision <= 15 or mode not in _MODES:
        raise _error_near(package, f"a checker of numbers with {dict(arguments)!r:.60}", "checker")
    return _python_checker(checkers.floats_checker(precision, mode))


def _read_bridged(package: Package, arguments: Any, role: str) -> tuple[str, str]:
    """Return (source, language) of a testlib program."""
    near = "interactive" if role == "interactor" else "checker"
    if not isinstance(arguments, dict) or arguments.get("type", "default") != "testlib":
        raise _error_near(package, f"of bridged programs only those of type testlib are judged here, as {role}", near)
    if set(arguments) - _BRIDGED_KEYS:
        raise _error_near(package, f"the {role} has arguments that are not judged here", near)
    files = arguments.get("files")
    names = [files] if isinstance(files, str) else files if isinstance(files, list) else []
    sources = [str(PurePosixPath(str(name))) for name in names if not str(name).endswith((".h", ".hpp"))]
    if len(sources) != 1:
        raise _error_near(package, f"the {role} must be one source file", near)
    program, language = shared.read_helper_source(package, sources[0], role)
    shared.refuse_points(program, sources[0])
    return program, language


def _read_interactor(package: Package, arguments: Any) -> Interactor:
    program, language = _read_bridged(package, arguments, "interactor")
    return Interactor(program, CheckerKind.TESTLIB, language)
