"""Packages of Kattis and ICPC, in the legacy format and those of 2023-07 and 2025-09, and of DOMjudge."""

import re
from collections.abc import Mapping
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.judging.kattis_validator_flags import default_validator
from app.domain.problems import Checker, CheckerKind, Form, Interactor
from scrapers.packages import common as shared
from scrapers.packages.archive import MAX_TEXT_BYTES, InvalidPackage, Package
from scrapers.packages.common import PackageDraft
from scrapers.packages.constants import Constants, read_constants
from scrapers.packages.kattis_submissions import read_submissions
from scrapers.packages.kattis_tests import flags_in, read_tests

MARK: Final = "problem.yaml"
DOMJUDGE: Final = "domjudge-problem.ini"
_LEGACY: Final = frozenset({"legacy", "icpc", "legacy-icpc"})
_VERSIONS: Final = frozenset({"2023-07-draft", "2023-07", "2025-09-draft", "2025-09"})
_TYPES: Final = frozenset({"pass-fail", "scoring", "interactive"})
_VALIDATIONS: Final = frozenset({"default", "custom", "interactive"})
_MEMORY_MB, _OUTPUT_MB = 1024, 8
_KEYS: Final = frozenset(
    {"problem_format_version", "type", "name", "uuid", "version", "credits", "source", "license", "rights_owner",
     "embargo_until", "limits", "keywords", "languages", "allow_file_writing", "constants", "validator_flags"}
)  # fmt: skip
_LEGACY_KEYS: Final = _KEYS | {"author", "source_url", "validation", "scoring", "grading", "libraries"}
_LIMIT_KEYS: Final = frozenset(
    {"time_multipliers", "time_multiplier", "time_safety_margin", "time_limit", "time_resolution", "memory", "output",
     "code", "compilation_time", "compilation_memory", "validation_time", "validation_memory", "validation_output",
     "validation_passes"}
)  # fmt: skip
_DOMJUDGE_KEYS: Final = frozenset(
    {"name", "short-name", "shortname", "externalid", "probid", "label", "color", "points", "timelimit", "allow_submit",
     "allow_judge"}
)  # fmt: skip
_DIALOGUE: Final = "## Sample interaction\n\n`<` is read by the program, `>` is written by it."


def read(package: Package) -> PackageDraft:
    """Read a package. Raises InvalidPackage for what is damaged, missing, or not judged here."""
    settings = shared.read_settings(package, MARK) if MARK in package else {}
    domjudge = _ini(package)
    draft = PackageDraft(package.name)
    legacy, kinds, validation = _kinds(package, settings)
    draft.form = Form.INTERACTIVE if "interactive" in kinds else Form.STDIN
    _note_unknown_keys(package, draft, settings, domjudge, legacy=legacy)
    _read_titles(package, draft, settings.get("name", domjudge.get("name")))
    draft.tags = _words(settings.get("keywords"))
    _read_limits(package, draft, settings, domjudge)
    constants = _constants(package, settings)
    flags = flags_in(MARK, settings.get("validator_flags"))
    tests = read_tests(package, draft, flags, constants, scoring="scoring" in kinds)
    _read_validator(package, draft, legacy=legacy, kinds=kinds, custom="custom" in validation,
                    arguments=tests.arguments, constants=constants)  # fmt: skip
    read_submissions(package, draft, constants, tests.names, legacy=legacy)
    shared.read_statements(package, draft, ("statement", "problem_statement"), constants)
    if draft.form is Form.INTERACTIVE:
        _add_dialogues(package, draft)
    return draft


def _error_near(package: Package, reason: str, near: str) -> InvalidPackage:
    text = package.text(MARK) if MARK in package else ""
    return InvalidPackage(reason, MARK, shared.line_of(text, near))


def _words(value: Any) -> tuple[str, ...]:
    """Return the words of a setting that is one line of words or a list of them."""
    words = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(word for word in words if isinstance(word, str) and word.strip())


def _ini(package: Package) -> Mapping[str, str]:
    if DOMJUDGE not in package:
        return {}
    rows = (line.partition("=") for line in package.text(DOMJUDGE).splitlines())
    return {name.strip().lower(): value.strip().strip("'\"") for name, equals, value in rows if equals}


def _kinds(package: Package, settings: Mapping[str, Any]) -> tuple[bool, frozenset[str], frozenset[str]]:
    """Return (is the format legacy, words of its type, words of its validation)."""
    version = str(settings.get("problem_format_version", "legacy"))
    if version not in _LEGACY | _VERSIONS:
        raise _error_near(package, f"problem_format_version {version!r:.40} is not known", "problem_format_version")
    kinds = frozenset(_words(settings.get("type", "pass-fail")))
    validation = frozenset(_words(settings.get("validation", "default")))
    unknown = sorted(kinds - _TYPES)
    if unknown or not kinds:
        raise _error_near(package, f"problems of type {' '.join(unknown)!r:.60} are not judged here", "type")
    unknown = sorted(validation - _VALIDATIONS)
    if unknown or not validation:
        raise _error_near(package, f"validation {' '.join(unknown)!r:.60} is not judged here", "validation")
    if "interactive" in validation:
        kinds |= {"interactive"}
    return version in _LEGACY, kinds, validation


def _note_unknown_keys(
    package: Package, draft: PackageDraft, settings: Mapping[str, Any], domjudge: Mapping[str, str], *, legacy: bool
) -> None:
    """Note the settings that the format does not have, and those that have no effect here."""
    limits = settings.get("limits")
    shared.note_unknown_keys(draft, package, MARK, settings, _LEGACY_KEYS if legacy else _KEYS, set())
    shared.note_unknown_keys(draft, package, MARK, limits if isinstance(limits, dict) else (), _LIMIT_KEYS, set())
    shared.note_unknown_keys(draft, package, DOMJUDGE, domjudge, _DOMJUDGE_KEYS, set())
    if _words(settings.get("languages", "all")) not in ((), ("all",)):
        draft.notes.append(f"{MARK}: programs may be in any language here, not only in those of `languages`")


def _read_titles(package: Package, draft: PackageDraft, value: Any) -> None:
    names = value if isinstance(value, dict) else {"en": value} if value is not None else {}
    if not all(isinstance(locale, str) and isinstance(name, str) for locale, name in names.items()):
        raise _error_near(package, "name must be text, or text by language", "name")
    draft.titles = {locale: name.strip() for locale, name in names.items() if name.strip()}


def _read_limits(
    package: Package, draft: PackageDraft, settings: Mapping[str, Any], domjudge: Mapping[str, str]
) -> None:
    limits = settings.get("limits")
    if limits is not None and not isinstance(limits, dict):
        raise _error_near(package, "limits is not an object", "limits")
    limits = limits or {}
    time_s = limits.get("time_limit", domjudge.get("timelimit"))
    if time_s is None and ".timelimit" in package:
        time_s = package.text(".timelimit").strip()
    memory_mb, output_mb = limits.get("memory", _MEMORY_MB), limits.get("output", _OUTPUT_MB)
    shared.state_limits(draft, MARK, time_s=time_s, memory_mb=memory_mb, output_mb=output_mb)


def _constants(package: Package, settings: Mapping[str, Any]) -> Constants:
    constants = settings.get("constants") or {}
    if not isinstance(constants, dict):
        raise _error_near(package, "constants must be numbers and texts by name", "constants")
    try:
        return read_constants(constants)
    except ValueError as wrong:
        raise _error_near(package, str(wrong), "constants") from wrong


# --- checkers and interactors ---


def _read_validator(
    package: Package, draft: PackageDraft, *, legacy: bool, kinds: frozenset[str], custom: bool, arguments: str,
    constants: Constants,
) -> None:  # fmt: skip
    folders = ("output_validators",) if legacy else ("output_validator", "output_validators")
    folder = next((folder for folder in folders if package.files_below(folder)), folders[0])
    has_validator = custom if legacy else bool(package.files_below(folder))
    interactive = draft.form is Form.INTERACTIVE
    if not has_validator and not interactive:
        try:
            draft.checker = default_validator(arguments)
        except (InvalidProblem, ValueError) as wrong:
            raise _error_near(package, f"validator flags: {wrong}", "validator_flags") from wrong
        if "scoring" in kinds:
            draft.notes.append("a scoring problem: a program is accepted when it passes all tests")
        return
    if "scoring" in kinds:
        raise _error_near(package, "its validator gives scores; only right and wrong are judged here", "type")
    role = "interactor" if interactive else "output validator"
    program, language = shared.read_helper(package, folder, role)
    program = constants.fill_program(program, folder)
    if re.search(r"\bnextpass\.in\b", program):
        raise InvalidPackage("the validator asks for another pass, which is not judged here", folder)
    if interactive:
        draft.interactor = Interactor(program, CheckerKind.KATTIS, language, arguments)
    else:
        draft.checker = Checker(CheckerKind.KATTIS, program=program, language=language, flags=arguments)


def _add_dialogues(package: Package, draft: PackageDraft) -> None:
    """Add the sample interactions, which no statement contains, to the statements."""
    texts = []
    for path in package.files_below("data/sample"):
        if path.endswith(".interaction"):
            lines = [line for line in package.text(path, MAX_TEXT_BYTES).splitlines() if line[:1] in ("<", ">")]
            if lines and not any("```" in line for line in lines):
                body = "\n".join(f"{line[0]} {line[1:]}" for line in lines)
                texts.append(f"{_DIALOGUE}\n\n```\n{body}\n```")
    for locale, statement in draft.statements.items():
        whole = "\n\n".join((statement.text, *texts))
        draft.statements[locale] = type(statement)(statement.title, whole)
