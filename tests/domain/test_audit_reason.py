"""The check of the reason that a maintainer gives for a change."""

import pytest

from app.domain.audit_reason import MAX_REASON_CHARS, check_reason
from app.domain.errors import InvalidInput
from app.domain.reasons import Reason


def test_reason_is_returned_without_spaces_around_it() -> None:
    assert check_reason("  the tests were wrong ") == "the tests were wrong"
    assert check_reason("x" * MAX_REASON_CHARS) == "x" * MAX_REASON_CHARS


@pytest.mark.parametrize("reason", ["", "  ", "x" * (MAX_REASON_CHARS + 1), "two\nlines", "a bell\a"])
def test_reason_that_is_empty_or_too_long_or_not_printable_is_refused(reason: str) -> None:
    with pytest.raises(InvalidInput, match="at most 500 characters; it is kept") as refused:
        check_reason(reason)
    assert refused.value.pointer == "/reason"


def test_refusal_says_that_a_public_reason_is_public() -> None:
    with pytest.raises(InvalidInput, match="at most 500 characters; it is public"):
        check_reason("", public=True)


def test_reason_of_our_own_rule_keeps_its_code() -> None:
    reason = check_reason(Reason("vendor_api"))
    assert isinstance(reason, Reason)
    assert reason.code == "vendor_api"
