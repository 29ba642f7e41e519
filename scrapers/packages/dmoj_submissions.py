"""Programs that DMOJ packages test their judge with, and the verdicts that tests/NAME/test.yml expects."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from app.domain.imports import PackageSubmission, VerdictRule
from scrapers.packages import common as shared
from scrapers.packages.archive import InvalidPackage, Package
from scrapers.packages.common import PackageDraft

_KEYS: Final = frozenset(
    {"language", "time", "memory", "source", "expect", "cases", "feedback", "feedback_cases", "skip"}
)
# IR is a program that exits with another code than 0.
_CODES: Final = {"AC": "AC", "WA": "WA", "TLE": "TLE", "MLE": "MLE", "OLE": "OLE", "RTE": "RTE", "IR": "RTE",
                 "CE": "CE"}  # fmt: skip
_ALL_VERDICTS: Final = frozenset(_CODES.values())
_IGNORED_CODES: Final = frozenset({"SC", "IE"})  # a case that a batch skips, and a failure of the judge
_WRONG_VERDICTS: Final = frozenset({"WA", "RTE"})  # on any machine
_LANGUAGE: Final = re.compile(r"(PY(?=3)|CPP|CLANGX|CLANG|C|JAVA|GO|RUST|NODEJS)\d{0,2}")
_LANGUAGES: Final = {"PY": "python", "CPP": "cpp", "CLANGX": "cpp", "CLANG": "c", "C": "c", "JAVA": "java", "GO": "go",
                     "RUST": "rust", "NODEJS": "javascript"}  # fmt: skip
_MAX_PROGRAMS: Final = 200
_MAX_CASES: Final = 10_000
_MAX_LIMIT: Final = 1e12  # of any unit


class _UntriedProgram(Exception):
    """A program that cannot be tried, with the reason."""


class _SubmissionSpec(NamedTuple):
    """Content of a test.yml: programs with their language, the verdicts they get, and the limits they have there."""

    sources: tuple[str, ...]
    language: str | None
    rules: tuple[VerdictRule, ...]
    time_s: object
    memory_kb: object

    @property
    def reference(self) -> bool | None:
        """True for right programs, False for ones wrong on any machine; None for others, which prove nothing."""
        if not self.rules:
            return None
        if all(rule.required == {"AC"} for rule in self.rules):
            return True
        return False if any(rule.required <= _WRONG_VERDICTS for rule in self.rules) else None


def read_submissions(package: Package, draft: PackageDraft, output_limit: int | None) -> None:
    """Add all programs with their expected verdicts; the problem's limits are the widest of any program.

    `output_limit` is in bytes.
    """
    paths = [path for path in package.files_below("tests") if path.count("/") == 2 and path.endswith("/test.yml")]
    if len(paths) > _MAX_PROGRAMS:
        raise InvalidPackage(f"more than {_MAX_PROGRAMS} programs", "tests")
    noted: set[str] = set()
    specs: dict[int, _SubmissionSpec] = {}  # by the submission's index
    for path in paths:
        settings = shared.read_settings(package, path, shared.MAX_NOTE_BYTES)
        shared.note_unknown_keys(draft, package, path, settings, _KEYS, noted)
        try:
            spec = _read_spec(settings, PurePosixPath(path).parent, draft, path)
        except _UntriedProgram as unread:
            draft.submissions.append(PackageSubmission(str(PurePosixPath(path).parent), left_out=str(unread)))
            continue
        for source in spec.sources:
            if source not in package:
                draft.submissions.append(PackageSubmission(source, left_out="the program is missing"))
                continue
            shared.add_submission(package, draft, source, spec.rules, reference=spec.reference, language=spec.language)
            if not draft.submissions[-1].left_out:
                specs[len(draft.submissions) - 1] = spec
    _state_limits(draft, list(specs.values()), output_limit)
    for place, spec in specs.items():
        draft.submissions[place] = _check_narrower_limits(draft, draft.submissions[place], spec)


def _read_spec(settings: Mapping[str, Any], folder: PurePosixPath, draft: PackageDraft, path: str) -> _SubmissionSpec:
    """Read a test.yml. Raises _UntriedProgram if its programs cannot be tried."""
    if settings.get("skip"):
        raise _UntriedProgram("its package skips it")
    source, language = settings.get("source"), settings.get("language")
    names = [name for name in (source if isinstance(source, list) else [source]) if isinstance(name, str)]
    if not names:
        raise _UntriedProgram("its test.yml names no source")
    known_language = None
    if language is not None:
        match = _LANGUAGE.fullmatch(str(language))
        if match is None:
            raise _UntriedProgram(f"it is in {str(language)!r:.40}, which is not judged here")
        known_language = _LANGUAGES[match[1]]
    rules = tuple(_rules(settings, draft, path))
    places = tuple(str(folder / name) for name in names)
    return _SubmissionSpec(places, known_language, rules, settings.get("time"), settings.get("memory"))


def _rules(settings: Mapping[str, Any], draft: PackageDraft, path: str) -> Iterator[VerdictRule]:
    """Yield the rules of single cases, counted from 1, and one for all others, one of which must get the expected
    verdict.

    Raises _UntriedProgram.
    """
    stated = settings.get("cases") or {}
    numbered = dict(enumerate(stated, 1)) if isinstance(stated, list) else stated
    if not isinstance(numbered, dict) or len(numbered) > _MAX_CASES:
        raise _UntriedProgram("what its test.yml says of cases is not understood")
    for number, codes in numbered.items():
        verdicts = _verdicts(codes)
        if type(number) is not int or not 1 <= number <= len(draft.tests):
            draft.notes.append(f"{path}: case {str(number)!r:.40} is none of the {len(draft.tests)} tests")
        elif verdicts:
            yield VerdictRule(verdicts, verdicts, (number - 1,))
    others = tuple(place for place in range(len(draft.tests)) if place + 1 not in numbered)
    expected = _verdicts(settings.get("expect", "AC"))
    if not expected:
        raise _UntriedProgram("it is to fail in the judge itself")
    if others or not numbered:
        passing = expected if expected == {"AC"} else expected | {"AC"}
        yield VerdictRule(passing, expected, others if numbered else None)


def _verdicts(codes: object) -> frozenset[str]:
    """Return the verdicts that may come; a case that a batch skips may get any. Raises _UntriedProgram."""
    if codes == "*":
        return _ALL_VERDICTS
    words = codes if isinstance(codes, list) else [codes]
    for word in words:
        if not isinstance(word, str) or (word not in _CODES and word not in _IGNORED_CODES):
            raise _UntriedProgram(f"it is to get {str(word)!r:.40}, which is no verdict")
    if "SC" in words:
        return _ALL_VERDICTS
    return frozenset(_CODES[word] for word in words if word in _CODES)


def _state_limits(draft: PackageDraft, specs: list[_SubmissionSpec], output_limit: int | None) -> None:
    times, memories = [spec.time_s for spec in specs], [spec.memory_kb for spec in specs]
    for number in (*times, *memories):
        if number is None:
            continue
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise InvalidPackage("a time or memory limit is not a number", "tests")
        if number > _MAX_LIMIT:
            raise InvalidPackage(f"a time or memory limit is more than {_MAX_LIMIT:.0e}", "tests")
    memory_kb = _widest(memories)
    shared.state_limits(
        draft,
        "init.yml",
        time_s=_widest(times),
        memory_mb=None if memory_kb is None else memory_kb / 1024,
        output_mb=None if output_limit is None else output_limit / (1 << 20),
    )


def _widest(limits: list[Any]) -> Any:
    return max((limit for limit in limits if limit is not None), default=None)


def _check_narrower_limits(
    draft: PackageDraft, submission: PackageSubmission, spec: _SubmissionSpec
) -> PackageSubmission:
    """Return the submission, left out if it is to exceed a limit that is narrower than the problem's."""
    required = frozenset[str]().union(*(rule.required for rule in spec.rules if "AC" not in rule.required))
    for verdict, limit, unit, widest, name in (
        ("TLE", spec.time_s, 1000, draft.limits.time_ms, "ms"),
        ("MLE", spec.memory_kb, 1 / 1024, draft.limits.memory_mb, "MB"),
    ):
        if verdict in required and isinstance(limit, int | float) and limit * unit + 1 < widest:
            reason = f"it is to exceed {limit * unit:.0f} {name}, and others of its package have {widest} {name}"
            return replace(submission, rules=(), left_out=reason)
    return submission
