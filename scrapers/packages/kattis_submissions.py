"""Example submissions of Kattis packages, and the verdicts that folders and submissions.yaml expect."""

import fnmatch
import functools
import re
from collections.abc import Mapping
from typing import Any, Final

from app.domain.imports import ImportedProgram, PackageSubmission, VerdictRule
from scrapers.packages import common as shared
from scrapers.packages.archive import InvalidPackage, Package
from scrapers.packages.common import PackageDraft
from scrapers.packages.constants import Constants

SETTINGS: Final = "submissions/submissions.yaml"
_VERDICTS: Final = ("AC", "WA", "TLE", "RTE")
_ALL: Final = frozenset(_VERDICTS)
_FAILED: Final = _ALL - {"AC"}
_Pair = tuple[frozenset[str], frozenset[str]]  # permitted, required
_ONE_FAILS: Final[_Pair] = (_ALL, _FAILED)


def _pair(permitted: str, required: str) -> _Pair:
    return frozenset(permitted.split()), frozenset(required.split())


_ACCEPTED: Final = _pair("AC", "AC")
_FOLDERS: Final[Mapping[str, _Pair]] = {
    "accepted": _ACCEPTED, "rejected": _ONE_FAILS, "wrong_answer": _pair("AC WA", "WA"),
    "time_limit_exceeded": _pair("AC TLE", "TLE"), "run_time_error": _pair("AC RTE", "RTE"),
    "runtime_error": _pair("AC RTE", "RTE"), "brute_force": _pair("AC RTE TLE", "RTE TLE"),
    "partially_accepted": _ONE_FAILS,
}  # fmt: skip
_LEGACY_FOLDERS: Final[Mapping[str, _Pair]] = {
    **_FOLDERS, "time_limit_exceeded": _pair("AC WA TLE", "TLE"), "run_time_error": (_ALL, frozenset({"RTE"})),
    "runtime_error": (_ALL, frozenset({"RTE"})),
}  # fmt: skip
_KEYS: Final = frozenset(
    {"language", "entrypoint", "author", "authors", "model_solution", "permitted", "required", "score", "message",
     "use_for_time_limit"}
)  # fmt: skip
_LANGUAGES: Final = {"c": "c", "cpp": "cpp", "python3": "python", "java": "java", "javascript": "javascript",
                     "go": "go", "rust": "rust"}  # fmt: skip
# Comment in which DOMjudge's submissions state their expected results.
_EXPECTED: Final = re.compile(r"@EXPECTED_RESULTS@:?[ \t]*([A-Z_, \t-]+)")
_RESULTS: Final = {"CORRECT": "AC", "WRONG-ANSWER": "WA", "NO-OUTPUT": "WA", "TIMELIMIT": "TLE", "RUN-ERROR": "RTE",
                   "MEMORY-LIMIT": "RTE", "OUTPUT-LIMIT": "RTE", "COMPILER-ERROR": "CE"}  # fmt: skip
_MAX_PATTERNS: Final = 500
_MAX_TEST_PATTERNS: Final = 200
_MAX_SUBMISSIONS: Final = 200
_MAX_ALTERNATIVES: Final = 64


def read_submissions(
    package: Package, draft: PackageDraft, constants: Constants, tests: list[str], *, legacy: bool
) -> None:
    """Add all submissions with their expected verdicts, and the unambiguous ones as programs that prove the tests."""
    patterns = _read_settings(package, draft)
    folders = _LEGACY_FOLDERS if legacy else _FOLDERS
    paths_by_name: dict[str, list[str]] = {}
    for path in package.files_below("submissions"):
        parts = path.split("/")
        if len(parts) > 2:
            paths_by_name.setdefault("/".join(parts[1:3]), []).append(path)
        elif path != SETTINGS:
            draft.notes.append(f"{path}: it lies in no folder of submissions, and is left out")
    if len(paths_by_name) > _MAX_SUBMISSIONS:
        raise InvalidPackage(f"more than {_MAX_SUBMISSIONS} submissions", "submissions")
    places = _test_indexes(patterns, tests)
    matched: set[str] = set()
    for name, paths in paths_by_name.items():
        rules = _rules(name, patterns, folders, places, matched)
        submission = _submission(package, name, paths, rules, patterns, constants)
        draft.submissions.append(submission)
        reference = _reference(submission)
        if reference is not None:
            draft.programs.append(
                ImportedProgram(submission.name, submission.language, submission.code, reference=reference)
            )
    draft.notes += [f"{SETTINGS}: {name!r:.80} names no submission" for name in patterns if name not in matched]


def _read_settings(package: Package, draft: PackageDraft) -> Mapping[str, Mapping[str, Any]]:
    """Return the settings of submissions, by pattern."""
    if SETTINGS not in package:
        return {}
    settings = shared.read_settings(package, SETTINGS)
    if len(settings) > _MAX_PATTERNS:
        raise InvalidPackage(f"more than {_MAX_PATTERNS} patterns", SETTINGS)
    noted: set[str] = set()
    for pattern, entry in settings.items():
        if not isinstance(pattern, str) or not isinstance(entry, Mapping | None):
            raise InvalidPackage(f"what is said of {pattern!r:.60} is no object", SETTINGS)
        for rules in (entry or {}, *(value for value in (entry or {}).values() if isinstance(value, Mapping))):
            plain = [key for key, value in rules.items() if not isinstance(value, Mapping)]
            shared.note_unknown_keys(draft, package, SETTINGS, plain, _KEYS, noted)
            for key in ("permitted", "required"):
                _verdicts(rules.get(key), pattern)
    return {pattern: entry or {} for pattern, entry in settings.items()}


def _verdicts(value: Any, pattern: str) -> frozenset[str] | None:
    """Return the verdicts of a list. Raises InvalidPackage for verdicts that the format does not have."""
    if value is None:
        return None
    words = value if isinstance(value, list) else [value]
    for word in words:
        if word not in _VERDICTS:
            raise InvalidPackage(
                f"{pattern!r:.60}: the verdict {word!r:.20} is none of {', '.join(_VERDICTS)}", SETTINGS
            )
    return frozenset(words)


def _rules(
    name: str,
    patterns: Mapping[str, Mapping[str, Any]],
    folders: Mapping[str, _Pair],
    places: Mapping[str, tuple[int, ...]],
    matched: set[str],
) -> tuple[VerdictRule, ...]:
    """Return the rules of a submission: that of its folder, which the settings may override, and those of all
    patterns."""
    folder = name.split("/", 1)[0]
    rules = []
    default = folders.get(folder)
    if default is not None and folder not in patterns:
        rules.append(VerdictRule(*default))
    for pattern, entry in patterns.items():
        if not _matches(pattern, name):
            continue
        matched.add(pattern)
        inherited = default if pattern == folder and default is not None else None
        if inherited is not None or entry.get("permitted") is not None or entry.get("required") is not None:
            rules.append(_rule(entry, pattern, inherited or (_ALL, _ALL), None))
        for key, value in entry.items():
            if isinstance(value, Mapping):
                rules.append(_rule(value, pattern, (_ALL, _ALL), places[str(key)]))
    return tuple(rules)


def _test_indexes(patterns: Mapping[str, Mapping[str, Any]], tests: list[str]) -> dict[str, tuple[int, ...]]:
    """Return the indexes of the tests that each pattern of tests matches. Raises InvalidPackage for too many
    patterns."""
    keys = {str(key) for entry in patterns.values() for key, value in entry.items() if isinstance(value, Mapping)}
    if len(keys) > _MAX_TEST_PATTERNS:
        raise InvalidPackage(f"more than {_MAX_TEST_PATTERNS} patterns of tests", SETTINGS)
    return {key: tuple(place for place, test in enumerate(tests) if _matches(key, test)) for key in keys}


def _rule(entry: Mapping[str, Any], pattern: str, default: _Pair, tests: tuple[int, ...] | None) -> VerdictRule:
    permitted, required = (_verdicts(entry.get(key), pattern) for key in ("permitted", "required"))
    return VerdictRule(
        default[0] if permitted is None else permitted, default[1] if required is None else required, tests
    )


def _submission(
    package: Package,
    name: str,
    paths: list[str],
    rules: tuple[VerdictRule, ...],
    patterns: Mapping[str, Mapping[str, Any]],
    constants: Constants,
) -> PackageSubmission:
    entries = [entry for pattern, entry in patterns.items() if _matches(pattern, name)]
    language_name = next((str(entry["language"]) for entry in entries if entry.get("language")), None)
    place = f"submissions/{name}"
    reason = ""
    if package.files_below("include"):
        reason = "the package includes files with each program"
    elif len(paths) > 1:
        reason = f"it has {len(paths)} files"
    elif any(entry.get("entrypoint") for entry in entries):
        reason = "its entry point is named"
    elif language_name is not None and language_name not in _LANGUAGES:
        reason = f"it is in {language_name!r:.20}, which is not judged here"
    if reason:
        return PackageSubmission(place, left_out=reason)
    program = shared.read_program(
        package, paths[0], constants, None if language_name is None else _LANGUAGES[language_name]
    )
    if isinstance(program, str):
        return PackageSubmission(place, left_out=program)
    expected = _EXPECTED.search(program.code)
    if expected is not None:
        results = frozenset(_RESULTS.get(word, word) for word in re.split(r"[,\s]+", expected[1].strip()) if word)
        rules = (VerdictRule(results | {"AC"}, results),)
    left_out = "" if rules else "neither its folder nor submissions.yaml says what it gets"
    return PackageSubmission(program.name, program.language, program.code, rules, left_out)


def _reference(submission: PackageSubmission) -> bool | None:
    """Return whether it is right, or wrong on any machine; None for one that may be too slow, or right on some
    tests."""
    if submission.left_out:
        return None
    accepted = any(rule.permitted == {"AC"} and rule.tests is None for rule in submission.rules)
    failing = [rule for rule in submission.rules if "AC" not in rule.required]
    if accepted:
        return None if failing else True
    return False if any("TLE" not in rule.required for rule in failing) else None


# --- patterns ---


def _matches(pattern: str, path: str) -> bool:
    """Return whether a pattern matches a path or a folder around it; * stays within one name, {a,b} means either."""
    names = path.split("/")
    for alternative in _alternatives(pattern):
        wanted = alternative.strip("/").replace("[", "[[]").split("/")
        if len(wanted) <= len(names) and all(
            fnmatch.fnmatchcase(name, part) for name, part in zip(names, wanted, strict=False)
        ):
            return True
    return False


@functools.lru_cache(_MAX_PATTERNS)
def _alternatives(pattern: str) -> tuple[str, ...]:
    """Return the patterns without braces that one with braces stands for. Raises InvalidPackage for too many."""
    waiting = [pattern]
    done: list[str] = []
    while waiting:
        current = waiting.pop()
        group = re.search(r"\{([^{}]*)\}", current)  # the innermost
        if group is None:
            done.append(current)
        else:
            waiting += [current[: group.start()] + word + current[group.end() :] for word in group[1].split(",")]
        if len(waiting) + len(done) > _MAX_ALTERNATIVES:
            raise InvalidPackage(f"the pattern {pattern!r:.60} stands for more than {_MAX_ALTERNATIVES}", SETTINGS)
    return tuple(done)
