"""Who waits becomes more urgent, so that nobody waits for ever."""

from datetime import timedelta

import pytest

from app.domain.asking.urgency import FULL_URGENCY_AFTER, STEP, Urgency, raise_urgency

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("urgency", "waited", "place"),
    [
        (Urgency.BACKFILL, timedelta(), 2),
        (Urgency.BACKFILL, STEP - SECOND, 2),
        (Urgency.BACKFILL, STEP, 1),
        (Urgency.BACKFILL, 2 * STEP, 0),
        (Urgency.FRESH, STEP - SECOND, 1),
        (Urgency.FRESH, STEP, 0),
        (Urgency.ORDERED, 100 * STEP, 0),
        (Urgency.FRESH, -STEP, 1),
    ],
)
def test_a_step_is_taken_each_five_minutes(urgency: Urgency, waited: timedelta, place: int) -> None:
    assert raise_urgency(urgency, waited) == place


def test_nobody_is_behind_others_for_longer_than_the_bound() -> None:
    assert timedelta(minutes=10) == FULL_URGENCY_AFTER
    assert {raise_urgency(urgency, FULL_URGENCY_AFTER) for urgency in Urgency} == {0}
