"""Private problems beside public ones, and originals beside their rewritten twins."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.contamination.probes import Bools, MeanScore, PrivateGapReason, RewrittenGap, private_gap, rewritten_gap
from app.domain.metrics.intervals import Floats, Ints, clustered_mean, paired_difference

CUTOFF = date(2026, 1, 1)


def world(public: int, private: int, old: int = 0) -> tuple[Ints, Floats, Bools, Ints, Bools]:
    """Problems from after the cutoff, private ones, and public ones from before it; one contest has three."""
    size = public + private + old
    hidden = np.arange(size) >= public
    hidden &= np.arange(size) < public + private
    days = np.full(size, (CUTOFF + timedelta(days=1)).toordinal())
    days[public + private :] = CUTOFF.toordinal()
    rng = np.random.default_rng(5)
    return days, rng.random(size), np.ones(size, dtype=bool), np.arange(size) // 3, hidden


def test_the_gap_is_between_the_two_means() -> None:
    days, rate, graded, clusters, private = world(60, 30, old=30)
    found = private_gap(days, rate, graded, clusters, private, CUTOFF)
    assert (found.reason, found.n_public, found.n_private) == (None, 60, 30)
    a, b = clustered_mean(rate[:60], clusters[:60]), clustered_mean(rate[60:90], clusters[60:90])
    assert found.gap == pytest.approx(100 * (a.mean - b.mean))
    assert found.public == MeanScore(100 * a.mean, 100 * a.lo, 100 * a.hi, 60)
    assert found.private == MeanScore(100 * b.mean, 100 * b.lo, 100 * b.hi, 30)
    assert found.lo is not None
    assert found.hi is not None
    assert found.gap is not None
    wide = 196 * np.hypot(a.se, b.se)
    assert found.hi - found.gap == pytest.approx(wide, rel=0.15)
    assert found.gap - found.lo == pytest.approx(wide, rel=0.15)


@pytest.mark.parametrize(
    ("public", "private", "cutoff", "reason"),
    [(30, 30, CUTOFF, None), (29, 30, CUTOFF, PrivateGapReason.FEW_PUBLIC),
     (30, 29, CUTOFF, PrivateGapReason.FEW_PRIVATE),
     (30, 30, None, PrivateGapReason.NO_CUTOFF)],
)  # fmt: skip
def test_thirty_of_each_are_needed(
    public: int, private: int, cutoff: date | None, reason: PrivateGapReason | None
) -> None:
    found = private_gap(*world(public, private, old=40), cutoff)
    assert found.reason is reason
    assert (found.gap is None) == (reason is not None)


def test_what_is_not_graded_does_not_count() -> None:
    days, rate, graded, clusters, private = world(40, 40)
    graded[:15] = False
    assert private_gap(days, rate, graded, clusters, private, CUTOFF).reason is PrivateGapReason.FEW_PUBLIC


def test_a_model_that_solves_everything_still_has_an_interval() -> None:
    days, rate, graded, clusters, private = world(40, 40)
    found = private_gap(days, np.ones(rate.size), graded, clusters, private, CUTOFF)
    assert found.gap == 0
    assert found.lo is not None
    assert found.lo < 0


@given(st.integers(0, 25), st.integers(0, 2**32 - 1))
def test_pairs_count_where_both_are_graded(missing: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rate, clusters = rng.random(50), np.arange(50) // 2
    graded = np.ones(50, dtype=bool)
    graded[rng.choice(50, missing, replace=False)] = False
    pairs = [(place, place + 25) for place in range(25)]
    known, found = rewritten_gap(rate, graded, clusters, pairs)
    both = [(one, other) for one, other in pairs if graded[one] and graded[other]]
    assert known == len(both)
    if known < 10:
        assert found is None
        return
    one, other = np.array(both).T
    gap = paired_difference(rate[one], rate[other], clusters[one])
    assert found == RewrittenGap(100 * gap.mean, 100 * gap.lo, 100 * gap.hi, known)
