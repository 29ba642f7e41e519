"""Packages of Kattis and ICPC, of the legacy format and those of 2023-07 and 2025-09, and DOMjudge's beside them."""

import re
import shlex
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.judging.problem_file import default_validator
from app.domain.problems import Checker, CheckerKind, Form, Interactor
from scrapers.packages import common as shared
from scrapers.packages.archive import LARGEST_TEXT, Package, Refused
from scrapers.packages.common import Draft

MARK: Final = "problem.yaml"
DOMJUDGE: Final = "domjudge-problem.ini"
_LEGACY: Final = frozenset({"legacy", "icpc", "legacy-icpc"})
_VERSIONS: Final = frozenset({"2023-07-draft", "2023-07", "2025-09-draft", "2025-09"})
_TYPES: Final = frozenset({"pass-fail", "scoring", "interactive"})
_VALIDATIONS: Final = frozenset({"default", "custom", "interactive"})
_GROUP_FILES: Final = ("testdata.yaml", "test_group.yaml")
_ARGUMENTS: Final = ("output_validator_flags", "output_validator_args")
_MEMORY_MB, _OUTPUT_MB = 1024, 8
# Too slow, or right for a part of the points: what such programs get depends on the machine and on the scoring.
_DIRECTORIES: Final = {"accepted": True, "wrong_answer": False, "run_time_error": False, "runtime_error": False}
_MOST_PATTERNS: Final = 500
_MOST_ARGUMENTS, _LONGEST_ARGUMENTS = 32, 2000  # as of a problem that is graded from a file
_DIALOGUE: Final = "## Sample interaction\n\n`<` is read by the program, `>` is written by it."


def read(package: Package) -> Draft:
    """Read a package. Raises Refused for what is damaged, missing, or not judged here."""
    settings = shared.settings(package, MARK) if MARK in package else {}
    domjudge = _ini(package)
    draft = Draft(package.name)
    legacy, kinds, validation = _kinds(package, settings)
    draft.form = Form.INTERACTIVE if "interactive" in kinds else Form.STDIN
    _read_titles(package, draft, settings.get("name", domjudge.get("name")))
    draft.tags = _words(settings.get("keywords"))
    _read_limits(package, draft, settings, domjudge)
    constants = _constants(package, settings)
    arguments = _read_tests(package, draft, settings)
    _read_validator(package, draft, legacy=legacy, kinds=kinds, custom="custom" in validation, arguments=arguments,
                    constants=constants)  # fmt: skip
    _read_submissions(package, draft, constants)
    shared.read_statements(package, draft, ("statement", "problem_statement"), constants)
    if draft.form is Form.INTERACTIVE:
        _add_dialogues(package, draft)
    return draft


def _refused(package: Package, reason: str, near: str) -> Refused:
    text = package.text(MARK) if MARK in package else ""
    return Refused(reason, MARK, shared.line_of(text, near))


def _words(value: Any) -> tuple[str, ...]:
    """A setting that is a line of words or a list of them."""
    words = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(word for word in words if isinstance(word, str) and word.strip())


def _ini(package: Package) -> Mapping[str, str]:
    if DOMJUDGE not in package:
        return {}
    rows = (line.partition("=") for line in package.text(DOMJUDGE).splitlines())
    return {name.strip().lower(): value.strip().strip("'\"") for name, equals, value in rows if equals}


def _kinds(package: Package, settings: Mapping[str, Any]) -> tuple[bool, frozenset[str], frozenset[str]]:
    """(whether it is of the legacy format, the words of its type, those of its validation)."""
    version = str(settings.get("problem_format_version", "legacy"))
    if version not in _LEGACY | _VERSIONS:
        raise _refused(package, f"problem_format_version {version!r:.40} is not known", "problem_format_version")
    kinds = frozenset(_words(settings.get("type", "pass-fail")))
    validation = frozenset(_words(settings.get("validation", "default")))
    unknown = sorted(kinds - _TYPES)
    if unknown or not kinds:
        raise _refused(package, f"problems of type {' '.join(unknown)!r:.60} are not judged here", "type")
    unknown = sorted(validation - _VALIDATIONS)
    if unknown or not validation:
        raise _refused(package, f"validation {' '.join(unknown)!r:.60} is not judged here", "validation")
    if "interactive" in validation:
        kinds |= {"interactive"}
    return version in _LEGACY, kinds, validation


def _read_titles(package: Package, draft: Draft, value: Any) -> None:
    names = value if isinstance(value, dict) else {"en": value} if value is not None else {}
    if not all(isinstance(locale, str) and isinstance(name, str) for locale, name in names.items()):
        raise _refused(package, "name must be text, or text by language", "name")
    draft.titles = {locale: name.strip() for locale, name in names.items() if name.strip()}


def _read_limits(package: Package, draft: Draft, settings: Mapping[str, Any], domjudge: Mapping[str, str]) -> None:
    limits = settings.get("limits")
    if limits is not None and not isinstance(limits, dict):
        raise _refused(package, "limits is not an object", "limits")
    limits = limits or {}
    time_s = limits.get("time_limit", domjudge.get("timelimit"))
    if time_s is None and ".timelimit" in package:
        time_s = package.text(".timelimit").strip()
    memory_mb, output_mb = limits.get("memory", _MEMORY_MB), limits.get("output", _OUTPUT_MB)
    shared.state_limits(draft, MARK, time_s=time_s, memory_mb=memory_mb, output_mb=output_mb)


def _constants(package: Package, settings: Mapping[str, Any]) -> Mapping[str, str]:
    constants = settings.get("constants")
    if constants is None:
        return {}
    if not isinstance(constants, dict) or not all(isinstance(value, str | int | float) for value in constants.values()):
        raise _refused(package, "constants must be numbers and texts by name", "constants")
    return {str(name): str(value) for name, value in constants.items()}


# --- tests ---


def _read_tests(package: Package, draft: Draft, settings: Mapping[str, Any]) -> str:
    """Add all tests, the samples first; returns the arguments that the validator gets for each of them."""
    arguments: dict[str, str] = {}
    groups: dict[str, str | None] = {}
    top = _flags(settings.get("validator_flags"), MARK)
    for folder in ("data/sample", "data/secret"):
        for path in package.below(folder):
            stem, ending = path.rsplit(".", 1) if "." in PurePosixPath(path).name else (path, "")
            if ending == "args" or PurePosixPath(path).parent.suffix == ".files":
                raise Refused("programs get arguments or files on this test, which is not judged here", path)
            if ending == "ans" and f"{stem}.in" not in package:
                raise Refused("the test's input is missing", f"{stem}.in")
            if ending == "in":
                arguments[path] = _effective(package, path, groups, top)
                _add_test(package, draft, stem, sample=folder == "data/sample")
    different = [path for path, flags in arguments.items() if flags != next(iter(arguments.values()))]
    if different:
        raise Refused("the validator gets other arguments for this test than for others", different[0])
    return next(iter(arguments.values()), "")


def _add_test(package: Package, draft: Draft, stem: str, *, sample: bool) -> None:
    answer = f"{stem}.ans"
    if answer not in package and draft.form is not Form.INTERACTIVE:
        raise Refused("the test's answer is missing", answer)
    expected = shared.read_test(package, answer) if answer in package else ""
    shared.add_test(draft, shared.read_test(package, f"{stem}.in"), expected, visible=sample, path=f"{stem}.in")


def _effective(package: Package, path: str, groups: dict[str, str | None], top: str) -> str:
    """What the validator gets for a test: by its own settings, else those of the nearest group that has any."""
    own = path.removesuffix(".in") + ".yaml"
    if own in package and (flags := _group(package, own)) is not None:
        return flags
    for parent in PurePosixPath(path).parents:
        folder = str(parent)
        if folder not in groups:
            entries = [f"{folder}/{name}" for name in _GROUP_FILES if f"{folder}/{name}" in package]
            groups[folder] = next((flags for entry in entries if (flags := _group(package, entry)) is not None), None)
        if (flags := groups[folder]) is not None:
            return flags
    return top


def _group(package: Package, path: str) -> str | None:
    """The validator's arguments as a group's settings have them; None where they say nothing of them."""
    settings = shared.settings(package, path, shared.LARGEST_NOTE)
    if settings.get("grading") == "custom":
        raise Refused("the group is scored by a program of its own, which is not judged here", path)
    arguments = next((settings[name] for name in _ARGUMENTS if settings.get(name) is not None), None)
    return None if arguments is None else _flags(arguments, path)


def _flags(value: Any, path: str) -> str:
    """Arguments in one line, each as a shell would read it."""
    if value is None:
        return ""
    try:
        words = shlex.split(value) if isinstance(value, str) else [str(word) for word in value]
    except (ValueError, TypeError) as broken:
        raise Refused(f"arguments of the validator that cannot be read: {broken}", path) from broken
    flags = shlex.join(words)
    if len(words) > _MOST_ARGUMENTS or len(flags) > _LONGEST_ARGUMENTS or isinstance(value, dict):
        raise Refused("arguments of the validator that cannot be read", path)
    return flags


# --- what decides ---


def _read_validator(
    package: Package, draft: Draft, *, legacy: bool, kinds: frozenset[str], custom: bool, arguments: str,
    constants: Mapping[str, str],
) -> None:  # fmt: skip
    folders = ("output_validators",) if legacy else ("output_validator", "output_validators")
    folder = next((folder for folder in folders if package.below(folder)), folders[0])
    own = custom if legacy else bool(package.below(folder))
    interactive = draft.form is Form.INTERACTIVE
    if not own and not interactive:
        try:
            draft.checker = default_validator(arguments)
        except (InvalidProblem, ValueError) as wrong:
            raise _refused(package, f"validator flags: {wrong}", "validator_flags") from wrong
        if "scoring" in kinds:
            draft.notes.append("a scoring problem: a program is accepted when it passes all tests")
        return
    if "scoring" in kinds:
        raise _refused(package, "its validator gives scores; only right and wrong are judged here", "type")
    role = "interactor" if interactive else "output validator"
    program, language = shared.helper(package, folder, role)
    program = shared.filled(program, constants)
    if re.search(r"\bnextpass\.in\b", program):
        raise Refused("the validator asks for another pass, which is not judged here", folder)
    if interactive:
        draft.interactor = Interactor(program, CheckerKind.KATTIS, language, arguments)
    else:
        draft.checker = Checker(CheckerKind.KATTIS, program=program, language=language, flags=arguments)


# --- submissions and dialogues ---


def _read_submissions(package: Package, draft: Draft, constants: Mapping[str, str]) -> None:
    """Programs of one file in the folders whose meaning is plain; submissions.yaml may say otherwise of some."""
    special = _special(package)
    included = bool(package.below("include"))
    for folder, reference in _DIRECTORIES.items():
        whole = f"submissions/{folder}"
        paths = package.below(whole)
        files = Counter(_submission(path) for path in paths)
        for path in paths:
            name = path.removeprefix("submissions/")
            if (
                included
                or files[_submission(path)] > 1
                or any(PurePosixPath(name).match(pattern) for pattern in special)
            ):
                continue
            program = shared.program(package, path, reference=reference, constants=constants)
            if program is not None and "@EXPECTED_RESULTS@" not in program.code:
                draft.programs.append(program)
    if included:
        draft.notes.append("programs are left out: the package includes files with each")


def _submission(path: str) -> str:
    """The file or folder in submissions/VERDICT/ that a file belongs to."""
    return "/".join(path.split("/")[:3])


def _special(package: Package) -> list[str]:
    path = "submissions/submissions.yaml"
    if path not in package:
        return []
    settings = shared.settings(package, path)
    if len(settings) > _MOST_PATTERNS:
        raise Refused(f"more than {_MOST_PATTERNS} patterns", path)
    verdicts = {"permitted", "required", "score", "entrypoint"}
    return [str(name) for name, rules in settings.items() if isinstance(rules, dict) and verdicts & rules.keys()]


def _add_dialogues(package: Package, draft: Draft) -> None:
    """The sample interactions, which stand in no statement's text."""
    texts = []
    for path in package.below("data/sample"):
        if path.endswith(".interaction"):
            lines = [line for line in package.text(path, LARGEST_TEXT).splitlines() if line[:1] in ("<", ">")]
            if lines and not any("```" in line for line in lines):
                body = "\n".join(f"{line[0]} {line[1:]}" for line in lines)
                texts.append(f"{_DIALOGUE}\n\n```\n{body}\n```")
    for locale, statement in draft.statements.items():
        whole = "\n\n".join((statement.text, *texts))
        draft.statements[locale] = type(statement)(statement.title, whole)
