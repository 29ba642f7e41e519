"""By which methods boards are made of results: each revision that moved ranks, intervals, gaps or estimates, in order.

An installation that is upgraded tells each new one once, in its public ledger.
"""

from collections.abc import Mapping
from typing import Final

# By name, one sentence for each: what moved, and how it is computed now. None is changed or taken out: the number of a
# revision is its place.
METHODS: Final[Mapping[str, str]] = {
    "paired_gaps": "Gaps on boards are paired means over the problems judged for both rows.",
    "conditional_estimates": "Estimates on all problems condition on earlier answers, or are not shown.",
}
