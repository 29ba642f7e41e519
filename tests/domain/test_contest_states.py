"""What a maintainer reads of a contest and a site in a word."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.db.sources.monitoring import ContestLine, SiteLine
from app.services.operations.source_status import contest_state, is_stale

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DONE = {"state": "settled", "listed": 6, "published": 6, "wanted": 12, "judged": 12}


def line(**facts: Any) -> ContestLine:
    none = dict.fromkeys(ContestLine._fields)
    counts = dict.fromkeys(("attempts", "listed", "read", "tested", "published", "held", "wanted", "judged"), 0)
    times = {"ends_at": NOW, "due_at": NOW, "late_at": NOW + SECOND}
    return ContestLine(**{**none, **counts, **times, "state": "open", **facts})


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({"ends_at": NOW + SECOND}, "upcoming"),
        ({}, "due"),
        ({"late_at": NOW}, "late"),
        ({"state": "closed", "late_at": NOW}, "closed"),
        (DONE, "done"),
        ({**DONE, "published": 5}, "working"),
        ({**DONE, "judged": 11}, "working"),
        ({**DONE, "held": 1}, "held"),
    ],
)
def test_a_contest_in_a_word(facts: dict[str, Any], state: str) -> None:
    assert contest_state(line(**facts), NOW) == state


@pytest.mark.parametrize(
    ("last", "stale"), [(None, False), (timedelta(days=2), False), (timedelta(days=2) + SECOND, True)]
)
def test_a_site_that_was_not_visited_for_two_days_is_stale(last: timedelta | None, stale: bool) -> None:
    site = SiteLine("atcoder", "AtCoder", True, None, None, None if last is None else NOW - last, ())
    assert is_stale(site, NOW) is stale
