"""Public functions of the metrics: pass@k, clustered means, paired differences, ranks as intervals."""

from app.domain.metrics.intervals import (
    Difference,
    Estimate,
    Ranks,
    benjamini_hochberg,
    clustered_mean,
    holm,
    paired_difference,
    pass_at_k,
    rank_intervals,
)

__all__ = [
    "Difference",
    "Estimate",
    "Ranks",
    "benjamini_hochberg",
    "clustered_mean",
    "holm",
    "paired_difference",
    "pass_at_k",
    "rank_intervals",
]
