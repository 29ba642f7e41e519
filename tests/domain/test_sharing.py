"""What the answers of one call took of it: nothing is lost and nothing invented."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.asking.completions import Usage
from app.domain.asking.usage_shares import share_usage

COUNTS = st.none() | st.integers(0, 10**9)
SAID = st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=9)
KINDS = ("input", "cached", "reasoning", "answer")


@given(st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS), SAID)
def test_the_shares_of_every_count_add_up_to_it(usage: Usage, said: list[tuple[str, str]]) -> None:
    shares = share_usage(usage, said)
    assert len(shares) == len(said)
    for kind in KINDS:
        parts = [getattr(share, kind) for share in shares]
        whole = getattr(usage, kind)
        assert parts == [None] * len(said) if whole is None else sum(parts) == whole
        assert all(part is None or part >= 0 for part in parts)


def test_what_is_read_is_shared_evenly_and_what_is_written_by_its_length() -> None:
    shares = share_usage(Usage(40, 8, 30, 100), [("x" * 30, ""), ("x" * 10, "y" * 5), ("", "y" * 10), ("", "")])
    assert [(share.input, share.cached) for share in shares] == [(10, 2)] * 4
    assert [share.answer for share in shares] == [75, 25, 0, 0]
    assert [share.reasoning for share in shares] == [0, 10, 20, 0]


def test_reasoning_that_is_not_counted_apart_weighs_with_the_answer() -> None:
    assert [share.answer for share in share_usage(Usage(2, None, None, 100), [("x", "y" * 9), ("x" * 10, "")])] == [
        50,
        50,
    ]


def test_what_says_nothing_is_shared_evenly() -> None:
    assert [share.answer for share in share_usage(Usage(answer=7), [("", ""), ("", ""), ("", "")])] == [2, 2, 3]


def test_no_share_of_a_cache_is_more_than_what_was_read() -> None:
    for share in share_usage(Usage(6, 5, 0, 1), [("", "")] * 4):
        assert (share.cached or 0) <= (share.input or 0)
