"""Methods by which boards are computed: each revision that moved ranks, intervals, gaps or estimates, in order.

An installation announces each new revision once in its public ledger after an upgrade.
"""

from collections.abc import Mapping
from typing import Final

# One sentence for each by name: what moved, and how it is computed now. Entries are never changed or removed, because
# the number of a revision is its place.
METHODS: Final[Mapping[str, str]] = {
    "paired_gaps": "Gaps on boards are paired means over the problems judged for both rows.",
    "conditional_estimates": "Estimates on all problems condition on earlier answers, or are not shown.",
}
