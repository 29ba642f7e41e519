"""The programs that DMOJ packages try their judge with, and the verdicts that tests/NAME/test.yml says they get."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from app.domain.imports import PackageSubmission, VerdictRule
from scrapers.packages import common as shared
from scrapers.packages.archive import Package, Refused
from scrapers.packages.common import Draft

_KEYS: Final = frozenset(
    {"language", "time", "memory", "source", "expect", "cases", "feedback", "feedback_cases", "skip"}
)
# IR is a program that ends with another code than 0.
_CODES: Final = {"AC": "AC", "WA": "WA", "TLE": "TLE", "MLE": "MLE", "OLE": "OLE", "RTE": "RTE", "IR": "RTE",
                 "CE": "CE"}  # fmt: skip
_ANYTHING: Final = frozenset(_CODES.values())
_NEVER_HERE: Final = frozenset({"SC", "IE"})  # a case that a batch skips, and a failure of the judge
_SURELY_WRONG: Final = frozenset({"WA", "RTE"})  # on any machine
_LANGUAGE: Final = re.compile(r"(PY(?=3)|CPP|CLANGX|CLANG|C|JAVA|GO|RUST|NODEJS)\d{0,2}")
_LANGUAGES: Final = {"PY": "python", "CPP": "cpp", "CLANGX": "cpp", "CLANG": "c", "C": "c", "JAVA": "java", "GO": "go",
                     "RUST": "rust", "NODEJS": "javascript"}  # fmt: skip
_MOST_TRIALS: Final = 200
_MOST_CASES: Final = 10_000
_MOST_LIMIT: Final = 1e12  # of any unit


class _Unread(Exception):
    """Why a program cannot be tried."""


class _Trial(NamedTuple):
    """What a test.yml says: programs with their language, what they get, and the limits they have there."""

    sources: tuple[str, ...]
    language: str | None
    rules: tuple[VerdictRule, ...]
    time_s: object
    memory_kb: object

    @property
    def reference(self) -> bool | None:
        """Whether its programs are right, or wrong on any machine; None for others, which prove nothing."""
        if not self.rules:
            return None
        if all(rule.required == {"AC"} for rule in self.rules):
            return True
        return False if any(rule.required <= _SURELY_WRONG for rule in self.rules) else None


def read_submissions(package: Package, draft: Draft, output_limit: int | None) -> None:
    """Add all programs with what is said of them; the problem's limits are the widest that one of them gets.

    `output_limit` is in bytes.
    """
    paths = [path for path in package.below("tests") if path.count("/") == 2 and path.endswith("/test.yml")]
    if len(paths) > _MOST_TRIALS:
        raise Refused(f"more than {_MOST_TRIALS} programs", "tests")
    noted: set[str] = set()
    tried: dict[int, _Trial] = {}  # by the place of the submission
    for path in paths:
        settings = shared.settings(package, path, shared.LARGEST_NOTE)
        shared.note_unknown_keys(draft, package, path, settings, _KEYS, noted)
        try:
            trial = _trial(settings, PurePosixPath(path).parent, draft, path)
        except _Unread as unread:
            draft.submissions.append(PackageSubmission(str(PurePosixPath(path).parent), left_out=str(unread)))
            continue
        for source in trial.sources:
            if source not in package:
                draft.submissions.append(PackageSubmission(source, left_out="the program is missing"))
                continue
            shared.add_submission(
                package, draft, source, trial.rules, reference=trial.reference, language=trial.language
            )
            if not draft.submissions[-1].left_out:
                tried[len(draft.submissions) - 1] = trial
    _state_limits(draft, list(tried.values()), output_limit)
    for place, trial in tried.items():
        draft.submissions[place] = _limited(draft, draft.submissions[place], trial)


def _trial(settings: Mapping[str, Any], folder: PurePosixPath, draft: Draft, path: str) -> _Trial:
    """Raises _Unread for what cannot be tried."""
    if settings.get("skip"):
        raise _Unread("its package skips it")
    source, language = settings.get("source"), settings.get("language")
    names = [name for name in (source if isinstance(source, list) else [source]) if isinstance(name, str)]
    if not names:
        raise _Unread("its test.yml names no source")
    known = None
    if language is not None:
        match = _LANGUAGE.fullmatch(str(language))
        if match is None:
            raise _Unread(f"it is in {str(language)!r:.40}, which is not judged here")
        known = _LANGUAGES[match[1]]
    rules = tuple(_rules(settings, draft, path))
    places = tuple(str(folder / name) for name in names)
    return _Trial(places, known, rules, settings.get("time"), settings.get("memory"))


def _rules(settings: Mapping[str, Any], draft: Draft, path: str) -> Iterator[VerdictRule]:
    """What is said of single cases, counted from 1, and of all the others: one of them gets what is expected, or more.

    Raises _Unread.
    """
    told = settings.get("cases") or {}
    numbered = dict(enumerate(told, 1)) if isinstance(told, list) else told
    if not isinstance(numbered, dict) or len(numbered) > _MOST_CASES:
        raise _Unread("what its test.yml says of cases is not understood")
    for number, codes in numbered.items():
        verdicts = _verdicts(codes)
        if type(number) is not int or not 1 <= number <= len(draft.tests):
            draft.notes.append(f"{path}: case {str(number)!r:.40} is none of the {len(draft.tests)} tests")
        elif verdicts:
            yield VerdictRule(verdicts, verdicts, (number - 1,))
    others = tuple(place for place in range(len(draft.tests)) if place + 1 not in numbered)
    expected = _verdicts(settings.get("expect", "AC"))
    if not expected:
        raise _Unread("it is to fail in the judge itself")
    if others or not numbered:
        passing = expected if expected == {"AC"} else expected | {"AC"}
        yield VerdictRule(passing, expected, others if numbered else None)


def _verdicts(codes: object) -> frozenset[str]:
    """The verdicts that may come; of a case that a batch skips any. Raises _Unread."""
    if codes == "*":
        return _ANYTHING
    words = codes if isinstance(codes, list) else [codes]
    for word in words:
        if not isinstance(word, str) or (word not in _CODES and word not in _NEVER_HERE):
            raise _Unread(f"it is to get {str(word)!r:.40}, which is no verdict")
    if "SC" in words:
        return _ANYTHING
    return frozenset(_CODES[word] for word in words if word in _CODES)


def _state_limits(draft: Draft, trials: list[_Trial], output_limit: int | None) -> None:
    times, memories = [trial.time_s for trial in trials], [trial.memory_kb for trial in trials]
    for number in (*times, *memories):
        if number is None:
            continue
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise Refused("a time or memory limit is not a number", "tests")
        if number > _MOST_LIMIT:
            raise Refused(f"a time or memory limit is more than {_MOST_LIMIT:.0e}", "tests")
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


def _limited(draft: Draft, submission: PackageSubmission, trial: _Trial) -> PackageSubmission:
    """The submission; left out if it is to exceed a limit that is narrower than the problem's."""
    required = frozenset[str]().union(*(rule.required for rule in trial.rules if "AC" not in rule.required))
    for verdict, own, unit, all_of_them, name in (
        ("TLE", trial.time_s, 1000, draft.limits.time_ms, "ms"),
        ("MLE", trial.memory_kb, 1 / 1024, draft.limits.memory_mb, "MB"),
    ):
        if verdict in required and isinstance(own, int | float) and own * unit + 1 < all_of_them:
            reason = f"it is to exceed {own * unit:.0f} {name}, and others of its package have {all_of_them} {name}"
            return replace(submission, rules=(), left_out=reason)
    return submission
