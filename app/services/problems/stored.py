"""All that is stored of a problem's tests, for maintainers alone: hidden ones, who set them, which programs agreed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.db.kernel.session import Session, SessionMaker
from app.db.problems import stored as store
from app.db.problems.stored import StoredTest
from app.domain.errors import NotFound

SHOWN, LONGEST = 200, 1000  # tests on a page, and characters of each
PIECE = 1 << 20  # characters of an input or an output that are read at once


@dataclass(frozen=True, slots=True)
class StoredTests:
    """A problem's tests in use; `tests` are the beginnings of the first of `total`.

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

    def head(self) -> dict[str, Any]:
        """What a file says before it has the tests."""
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
        }  # fmt: skip


def stored_tests(session: Session, name: str) -> StoredTests:
    """The tests in use of a problem ("source/id"), the beginnings of the first. Raises NotFound."""
    source, _, external_id = name.partition("/")
    found = None if "\0" in name else store.test_set(session, source, external_id)
    if found is None:
        raise NotFound(f"no problem {name} with tests")
    setting = store.setting_of(session, found.id)
    return StoredTests(
        name, found.id, found.origin, found.proof, tuple(found.setters), store.count(session, found.id),
        tuple(store.tests(session, found.id, SHOWN, LONGEST, after=None, at=0)),
        tuple((each.kind, each.name, each.language) for each in store.programs(session, found.problem_id)),
        () if setting is None else tuple(setting.evidence.get("answers") or ()),
        {} if setting is None else dict(setting.evidence.get("missed") or {}),
    )  # fmt: skip


def as_file(sessions: SessionMaker, view: StoredTests, longest: int = PIECE) -> Iterator[str]:
    """The same in whole as JSON, in pieces of which each has `longest` characters of a test at most.

    No transaction stays open between two: whoever reads may be slow. Stored tests never change.
    """
    yield json.dumps(view.head(), ensure_ascii=False)[:-1] + ', "tests": ['
    last = None
    while True:
        with sessions() as session:
            found = store.tests(session, view.test_set, 1, longest, after=last, at=0)
        if not found:
            break
        [test] = found
        comma = "" if last is None else ","
        yield f'{comma}\n{{"ordinal": {test.ordinal}, "visible": {json.dumps(test.visible)}, "input": "'
        yield from _text(sessions, view.test_set, test, last, longest, is_input=True)
        yield '", "expected": "'
        yield from _text(sessions, view.test_set, test, last, longest, is_input=False)
        yield '"}'
        last = test.ordinal
    yield "]}\n"


def _text(
    sessions: SessionMaker, test_set: int, first: StoredTest, after: int | None, longest: int, *, is_input: bool
) -> Iterator[str]:
    """An input or an output within JSON's quotes, of which the first piece is read already."""
    yield _quoted(first.input if is_input else first.expected)
    for at in range(longest, first.input_length if is_input else first.expected_length, longest):
        with sessions() as session:
            [test] = store.tests(session, test_set, 1, longest, after=after, at=at)
        yield _quoted(test.input if is_input else test.expected)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
