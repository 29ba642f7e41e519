"""Solutions of Polygon packages, and the verdicts that their tags expect."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final
from xml.etree import ElementTree as Xml

from app.domain.imports import PackageSubmission, VerdictRule
from scrapers.packages import common as shared
from scrapers.packages.archive import InvalidPackage, Package
from scrapers.packages.common import PackageDraft

REFERENCES: Final = frozenset({"main", "accepted"})
# Slowness depends on the machine, and "rejected" may mean slow: neither shows that a test is weak.
_WRONG: Final = frozenset({"wrong-answer", "presentation-error"})
_ALL: Final = "AC WA TLE MLE OLE RTE"
_FAILED: Final = "WA TLE MLE OLE RTE"
# By tag: verdicts that each test may get, and those that one must get. A wrong presentation is a wrong answer here.
_TAGS: Final[Mapping[str, tuple[str, str]]] = {
    "main": ("AC", "AC"), "accepted": ("AC", "AC"), "rejected": (_ALL, _FAILED), "failed": (_ALL, _FAILED),
    "wrong-answer": ("AC WA", "WA"), "presentation-error": ("AC WA", "WA"), "runtime-error": ("AC RTE", "RTE"),
    "time-limit-exceeded": ("AC TLE", "TLE"), "time-limit-exceeded-or-accepted": ("AC TLE", "AC TLE"),
    "time-limit-exceeded-or-memory-limit-exceeded": ("AC TLE MLE", "TLE MLE"),
    "memory-limit-exceeded": ("AC MLE", "MLE"),
}  # fmt: skip
_NOT_RUN: Final = "do-not-run"
_MAX_SOLUTIONS: Final = 200
_MAX_EXTRA_TAGS: Final = 200


def read_solutions(package: Package, draft: PackageDraft, root: Xml.Element, testset: Xml.Element) -> None:
    """Add all solutions with the verdicts of their tags, and the unambiguous ones as programs that prove the tests."""
    solutions = root.findall("assets/solutions/solution")
    if len(solutions) > _MAX_SOLUTIONS:
        raise InvalidPackage(f"more than {_MAX_SOLUTIONS} solutions", "problem.xml")
    groups = [row.get("group") or "" for row in testset.findall("tests/test")]
    for solution in solutions:
        tag, source = solution.get("tag") or "", solution.find("source")
        if source is None:
            draft.notes.append(f"problem.xml: a solution with the tag {tag!r:.40} has no source")
            continue
        path = str(PurePosixPath(source.get("path") or "-"))
        rules = tuple(_rules(solution, groups, testset.get("name") or ""))
        reason = _why_left_out(tag, source, known=path in package)
        if reason:
            draft.submissions.append(PackageSubmission(path, left_out=reason))
        else:
            plain = len(rules) == 1
            reference = True if tag in REFERENCES and plain else False if tag in _WRONG else None
            shared.add_submission(package, draft, path, rules, reference=reference)


def _why_left_out(tag: str, source: Xml.Element, *, known: bool) -> str:
    """Return why a solution is not tried, "" if it is. Raises InvalidPackage if one that proves the tests is
    missing."""
    if tag == _NOT_RUN:
        return f"its tag is {_NOT_RUN}"
    if tag not in _TAGS:
        return f"its tag {tag!r:.60} is not known" if tag else "it has no tag"
    if not known:
        if tag in REFERENCES | _WRONG:
            raise InvalidPackage("the solution is missing", str(PurePosixPath(source.get("path") or "-")))
        return "the solution is missing"
    return "it is in Python 2" if source.get("type", "").startswith("python.2") else ""


def _rules(solution: Xml.Element, groups: Sequence[str], testset: str) -> Iterator[VerdictRule]:
    """Yield the rule of its tag for all tests, and those of its extra tags for groups or for the testset in use."""
    extra = solution.findall("extra-tags/extra-tag")
    if len(extra) > _MAX_EXTRA_TAGS:
        raise InvalidPackage(f"more than {_MAX_EXTRA_TAGS} tags of one solution", "problem.xml")
    for element in (solution, *extra):
        pair = _TAGS.get(element.get("tag") or "")
        if pair is None or element.get("testset", testset) != testset:
            continue
        group = element.get("group")
        tests = None if group is None else tuple(place for place, name in enumerate(groups) if name == group)
        yield VerdictRule(frozenset(pair[0].split()), frozenset(pair[1].split()), tests)
