"""The interval of a mean holds the truth as often as it says, over simulated boards of every size and rate."""

from collections.abc import Sequence

import numpy as np
import pytest
from support.coverage_worlds import DESIGNS, PROBLEMS, RATES, UNEQUAL, contests, coverage
from support.thinned import thinned

from app.domain.metrics import clustered_mean

_BOARDS = 600  # a cell's Monte-Carlo error is 0.9, that of a mean over the designs 0.34


# The largest boards take as long as all others. Of those, an ordinary run has every other rate, in turn.
IN_EVERY_RUN = [(problems, RATES[place % 2 :: 2]) for place, problems in enumerate(PROBLEMS[:-1])]
THOROUGH = [(PROBLEMS[-1], RATES), *((problems, RATES) for problems in PROBLEMS[:-1])]


@pytest.mark.parametrize(
    ("problems", "rates"), [*IN_EVERY_RUN, *(pytest.param(*each, marks=pytest.mark.slow) for each in THOROUGH)]
)
def test_95_percent_intervals_hold_the_truth_93_to_97_times_in_100(problems: int, rates: Sequence[float]) -> None:
    rng = np.random.default_rng(20261121)
    for rate in rates:
        drawn = [contests(rng, problems, design.contest_size) for design in DESIGNS]
        cells = [coverage(rng, *each, rate, _BOARDS) for each in zip(DESIGNS, drawn, strict=True)]
        assert min(cells) >= 89, (rate, cells)
        # Ten to thirty problems have so few outcomes that some rates can only be held too often.
        assert 93 <= np.mean(cells) <= (97.5 if problems > 30 else 99), (rate, cells)


@pytest.mark.parametrize("sizes", thinned([pytest.param(sizes) for sizes in UNEQUAL], 2))
def test_they_hold_it_where_contests_are_of_unequal_sizes(sizes: tuple[int, ...]) -> None:
    """One large contest is most of the mean: how far it departs from that says nothing of how far it may be off."""
    rng, contest = np.random.default_rng(20261126), np.repeat(np.arange(len(sizes)), sizes)
    for rate in (0.05, 0.2, 0.5):
        cells = [coverage(rng, design, contest, rate, _BOARDS) for design in DESIGNS[:5]]
        assert min(cells) >= 86, (rate, cells)
        assert 93 <= np.mean(cells) <= 99.5, (rate, cells)


def test_a_contest_that_is_nearly_all_says_little_more_than_one() -> None:
    """One of sixty problems beside one of one; alone, it has the interval of one trial."""
    rates = [0.0, 1.0] * 30
    alone, beside, even = (
        clustered_mean([*rates, *more], [0] * 60 + [*range(1, 1 + len(more))]) for more in ([], [1.0], [1.0, 0.0] * 30)
    )
    assert alone.hi - alone.lo > beside.hi - beside.lo > 0.8
    assert beside.hi - beside.lo > 2 * (even.hi - even.lo)
