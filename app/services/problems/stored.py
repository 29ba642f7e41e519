"""All that is stored of a problem's tests, for maintainers alone: hidden ones, who set them, which programs agreed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.db.kernel.session import Session
from app.db.problems import stored as store
from app.db.problems.stored import StoredTest
from app.domain.errors import NotFound

SHOWN, LONGEST = 200, 1000  # tests on a page, and characters of each


@dataclass(frozen=True, slots=True)
class StoredTests:
    """A problem's tests in use; `tests` are the first of `total`, whole or their beginnings.

    `programs` prove them (kind, name, language). `answers` says what became of each piece that setters wrote, `missed`
    by reference on how many inputs it was too slow or failed, how many were dropped for that, and the smallest.
    """

    problem: str
    test_set: int
    origin: str
    proof: str
    setters: tuple[str, ...]
    total: int
    tests: tuple[StoredTest, ...]
    programs: tuple[tuple[str, str, str], ...]
    answers: tuple[Mapping[str, Any], ...]
    missed: Mapping[str, Mapping[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """As a file says it."""
        return {
            "problem": self.problem, "test_set": self.test_set, "origin": self.origin, "proof": self.proof,
            "setters": list(self.setters),
            "programs": [
                {"kind": kind, "name": name, "language": language} for kind, name, language in self.programs
            ],
            "answers": [
                {name: answer.get(name) for name in ("setter", "vendor", "role", "ordinal", "state")}
                for answer in self.answers
            ],
            "missed": dict(self.missed),
            "tests": [
                {"ordinal": test.ordinal, "input": test.input, "expected": test.expected, "visible": test.visible}
                for test in self.tests
            ],
        }  # fmt: skip


def stored_tests(session: Session, name: str, *, whole: bool = False) -> StoredTests:
    """The tests in use of a problem ("source/id"), all of them or the beginnings of the first. Raises NotFound."""
    source, _, external_id = name.partition("/")
    found = None if "\0" in name else store.test_set(session, source, external_id)
    if found is None:
        raise NotFound(f"no problem {name} with tests")
    setting = store.setting_of(session, found.id)
    limits = (None, None) if whole else (SHOWN, LONGEST)
    return StoredTests(
        name, found.id, found.origin, found.proof, tuple(found.setters), store.count(session, found.id),
        tuple(store.tests(session, found.id, *limits)),
        tuple((each.kind, each.name, each.language) for each in store.programs(session, found.problem_id)),
        () if setting is None else tuple(setting.evidence.get("answers") or ()),
        {} if setting is None else dict(setting.evidence.get("missed") or {}),
    )  # fmt: skip
