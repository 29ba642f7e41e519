"""Findings as they are stored: a reason of ours stays one, and what an older version stored can still be read."""

import pytest

from app.domain.reasons import Reason
from app.domain.sources.records import PageFinding, finding_from_json, finding_to_json


@pytest.mark.parametrize("message", ["the page is cut", Reason("lists_lack", {"n": 2}, "abc1, abc2")])
def test_a_stored_finding_is_read_back(message: str) -> None:
    finding = PageFinding("odd", message, "abc1", in_context=True)
    stored = finding_to_json(finding)
    read = finding_from_json(stored)
    assert read == finding
    assert type(read.message) is type(message)
    assert type(stored["message"]) is str
    assert ("reason" in stored) is isinstance(message, Reason)


def test_a_finding_without_subject_or_context_is_read() -> None:
    assert finding_from_json({"code": "odd", "message": "cut"}) == PageFinding("odd", "cut")
    assert finding_from_json({"kind": "odd"}) == PageFinding("", "")
