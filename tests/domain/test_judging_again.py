"""Judging again, as values: who succeeds whom, what cells come to, which rows move, and what is typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.board_worlds import run

from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.errors import InvalidInput
from app.domain.rejudging.scope import (
    BoardPlace,
    CountedVerdict,
    RejudgingScope,
    SampleVerdicts,
    ScopeKind,
    board_moves,
    cells_of,
    changes_of,
    confirmation_phrase,
    digest_of,
    flips_of,
    lineage,
    lost_of,
    read_scope,
)


@pytest.mark.parametrize(
    ("revision", "found"),
    [
        ("2.python-3.11.2.0123abcd", "python"),
        ("3.python-3.12.0.fedcba98", "python"),
        ("2.c++-g-12.2.none", "c++"),
        ("2.python-3.11.2.0123abcd.cpp-12.2.0", "python+cpp"),
        ("2.python-3.11.2.0123abcd.cpp-12.2.0.testlib-00112233", "python+cpp"),
        ("2.python-3.11.2.0123abcd.python-3.11.2", "python+python"),
        ("8.cpp-12.2.0-acl-01234567.89abcdef", "cpp"),
        ("8.cpp-12.2.0-acl-01234567.89abcdef.cpp-12.2.0-acl-01234567.testlib-00112233", "cpp+cpp"),
        ("2.go-version-go1.24.4.0123abcd", "go"),
        ("judge-1", "judge-1"),
        ("", ""),
    ],
)
def test_a_revision_is_of_a_lineage(revision: str, found: str) -> None:
    assert lineage(revision) == found


def test_a_scope_is_read() -> None:
    assert str(read_scope("problem", " atcoder/abc300_a ")) == "problem atcoder/abc300_a"
    assert read_scope("contest", "atcoder:abc300").kind is ScopeKind.CONTEST
    for kind, name in (("planet", "x"), ("problem", "abc"), ("problem", "/a"), ("contest", "a:"), ("model", " ")):
        with pytest.raises(InvalidInput):
            read_scope(kind, name)


def _fact(sample: int, old: str | None, new: str | None, *, state: str = "graded") -> SampleVerdicts:
    counting = None if old is None else CountedVerdict(10 + sample, old)
    instead = None if new is None else CountedVerdict(90 + sample, new)
    return SampleVerdicts(1, 7, 8, 0, sample, state, counting, instead)


def test_cells_as_they_are_and_as_they_will_be() -> None:
    facts = [
        _fact(1, "accepted", "wrong_answer"),
        _fact(2, "wrong_answer", "accepted"),
        _fact(3, "accepted", None),
        _fact(4, "accepted", "accepted"),
        _fact(5, None, None, state="answered"),
        _fact(6, None, None, state="gave_up"),
        _fact(7, None, None, state="stuck"),
    ]
    [now] = cells_of(facts, then=False)[1]
    [then] = cells_of(facts, then=True)[1]
    assert (now.n, now.c, now.pending, now.judge_errors) == (4, 3, 1, 1)
    assert (then.n, then.c, then.pending, then.judge_errors) == (4, 3, 1, 1)
    flips = flips_of(facts)
    assert [flip.sample for flip in flips] == [1, 2, 4]
    assert changes_of(flips) == {"answers": 3, "changed": 2, "accepted_to_other": 1, "other_to_accepted": 1}


def test_under_other_tests_nothing_else_than_their_verdicts_counts() -> None:
    given_ = [_fact(1, "accepted", "wrong_answer"), _fact(2, "accepted", None), _fact(3, None, None, state="answered"),
              _fact(4, None, "accepted", state="answered")]  # fmt: skip
    facts = [each._replace(other_tests=True) for each in given_]
    assert lost_of(given_) == []
    assert lost_of(facts) == [12]
    [then] = cells_of(facts, then=True)[1]
    assert (then.n, then.c, then.pending, then.judge_errors) == (2, 1, 2, 0)
    assert [flip.sample for flip in flips_of(facts)] == [1]
    flips = flips_of(facts)
    assert len({digest_of(flips), digest_of(flips, [12]), digest_of(flips, [12, 13]), digest_of([], [12])}) == 4


@pytest.mark.parametrize("tests", [None, 7])
def test_a_scope_is_stored_and_read_again(tests: int | None) -> None:
    scope = RejudgingScope(ScopeKind.PROBLEM, "house/sum", tests)
    assert RejudgingScope.from_json(scope.as_json()) == scope
    assert ("test_set" in scope.as_json()) is ("by test set 7" in str(scope)) is (tests is not None)


@given(st.lists(st.sampled_from(["accepted", "wrong_answer", "time_limit"]), max_size=8), st.integers(1, 99))
def test_the_word_goes_with_exactly_these_flips(verdicts: list[str], number: int) -> None:
    flips = flips_of(_fact(at, "accepted", verdict) for at, verdict in enumerate(verdicts))
    digest = digest_of(flips)
    assert digest == digest_of(flips)
    assert not flips or digest != digest_of(flips[1:])
    assert confirmation_phrase(number, digest).split()[0] == str(number)
    assert len(confirmation_phrase(number, digest).split()) == 2


def _board(**places: tuple[int | None, float | None]) -> Board:
    rows = tuple(
        BoardRow(
            fact=run(ord(name), model=name), trials=1, rank=rank, rank_lo=rank, rank_hi=rank, tier=None, score=score,
            ci_lo=None, ci_hi=None, n_problems=1, wanted=1, coverage=1.0, exposed=0, provisional=False,
        )
        for name, (rank, score) in places.items()
    )  # fmt: skip
    return Board(BoardQuery(), 1, {}, {}, rows)


def test_moves_are_what_differs_the_biggest_first() -> None:
    before = _board(a=(1, 90.0), b=(2, 80.0), c=(3, 70.0), d=(4, 60.0), e=(None, 10.0))
    after = _board(b=(1, 85.0), c=(1, 85.0), d=(4, 60.0), e=(5, 10.0), f=(None, 5.0))
    found = {move.model: (move.before, move.after) for move in board_moves(before, after)}
    nowhere = BoardPlace(None, None)
    assert found == {
        "a": (BoardPlace(1, 90.0), nowhere),
        "e": (BoardPlace(None, 10.0), BoardPlace(5, 10.0)),
        "c": (BoardPlace(3, 70.0), BoardPlace(1, 85.0)),
        "b": (BoardPlace(2, 80.0), BoardPlace(1, 85.0)),
        "f": (nowhere, BoardPlace(None, 5.0)),
    }
    assert list(found) == ["a", "e", "c", "b", "f"]
    assert board_moves(before, before) == ()
