"""The raw drop at a cutoff: the difference of two means, with an interval made of both of theirs."""

from math import hypot

import pytest
from support.contamination_cases import PRE, case

from app.domain.metrics.intervals import clustered_mean


def test_the_raw_drop_has_the_interval_of_both_means() -> None:
    made = case(leak=0.3)
    before, after = (clustered_mean(made.c[0, side] / made.n[0, side], made.panel().cluster[side])
                     for side in (slice(PRE), slice(PRE, None)))  # fmt: skip
    found = made.target()
    raw = found.raw
    assert raw is not None
    assert raw.mean == pytest.approx(found.rate_pre - found.rate_post)
    assert raw.mean - raw.lo == pytest.approx(100 * hypot(before.mean - before.lo, after.hi - after.mean))
    assert raw.hi - raw.mean == pytest.approx(100 * hypot(before.hi - before.mean, after.mean - after.lo))


def test_there_is_none_without_problems_on_both_sides() -> None:
    assert case().keep(range(PRE)).target().raw is None
