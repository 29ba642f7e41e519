"""Stored tests of a problem, for maintainers alone: with hidden ones, their setters, and the programs that agreed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.db.kernel.session import Session, SessionMaker
from app.db.problems import stored_tests as store
from app.db.problems.stored_tests import StoredTest
from app.domain.errors import NotFound

MAX_SHOWN_TESTS, MAX_SHOWN_CHARS = 200, 1000  # tests on a page, and characters of each
CHUNK_CHARS = 1 << 20  # characters of an input or an output that are read at once


@dataclass(frozen=True, slots=True)
class StoredTests:
    """A problem's tests in use; `tests` are the beginnings of the first of `total`.

    `programs` prove them (kind, name, language). `answers` gives the outcome of each piece that setters wrote. `missed`
    gives, by reference, the number of inputs on which it was too slow or failed, how many were dropped for that, and
    the smallest.
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
        """Return the fields that stand before the tests in a file."""
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
    """Return the tests in use of a problem ("source/id"), the beginnings of the first. Raises NotFound."""
    source, _, external_id = name.partition("/")
    test_set = None if "\0" in name else store.test_set(session, source, external_id)
    if test_set is None:
        raise NotFound(f"there is no problem {name} with tests")
    consensus = store.consensus_of(session, test_set.id)
    return StoredTests(
        name, test_set.id, test_set.origin, test_set.proof, tuple(test_set.setters), store.count(session, test_set.id),
        tuple(store.tests(session, test_set.id, MAX_SHOWN_TESTS, MAX_SHOWN_CHARS, after=None, at=0)),
        tuple((proof.kind, proof.name, proof.language) for proof in store.programs(session, test_set.problem_id)),
        () if consensus is None else tuple(consensus.evidence.get("answers") or ()),
        {} if consensus is None else dict(consensus.evidence.get("missed") or {}),
    )  # fmt: skip


def stream_json(sessions: SessionMaker, view: StoredTests, longest: int = CHUNK_CHARS) -> Iterator[str]:
    """Yield the tests in full as JSON, in chunks with at most `longest` characters of a test each.

    No transaction stays open between two chunks, since the reader may be slow. Stored tests never change.
    """
    yield json.dumps(view.head(), ensure_ascii=False)[:-1] + ', "tests": ['
    last = None
    while True:
        with sessions() as session:
            tests = store.tests(session, view.test_set, 1, longest, after=last, at=0)
        if not tests:
            break
        [test] = tests
        comma = "" if last is None else ","
        yield f'{comma}\n{{"ordinal": {test.ordinal}, "visible": {json.dumps(test.visible)}, "input": "'
        yield from _text_chunks(sessions, view.test_set, test, last, longest, is_input=True)
        yield '", "expected": "'
        yield from _text_chunks(sessions, view.test_set, test, last, longest, is_input=False)
        yield '"}'
        last = test.ordinal
    yield "]}\n"


def _text_chunks(
    sessions: SessionMaker, test_set: int, first: StoredTest, after: int | None, longest: int, *, is_input: bool
) -> Iterator[str]:
    """Yield an input or an output as JSON text without quotes; its first chunk is read already."""
    yield _quoted(first.input if is_input else first.expected)
    for at in range(longest, first.input_length if is_input else first.expected_length, longest):
        with sessions() as session:
            [test] = store.tests(session, test_set, 1, longest, after=after, at=at)
        yield _quoted(test.input if is_input else test.expected)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
