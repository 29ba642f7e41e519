"""How far suites by consensus agreed with better tests that came later: a running public figure."""

from dataclasses import dataclass

import numpy as np

from app.db.kernel.session import Session
from app.db.problems import agreements as store
from app.domain.metrics.intervals import clustered_mean


@dataclass(frozen=True, slots=True)
class Agreement:
    """On `agreed` of `answers` answers, to so many problems, verdicts say the same: accepted, or not.

    `ci_lo` and `ci_hi` bound the share in percent at 95 %, clustered by problem, since the answers to one problem are
    judged by one suite; None, as `share` is, where nothing could be compared yet.
    """

    agreed: int
    answers: int
    problems: int
    wrongly_accepted: int
    wrongly_rejected: int
    share: float | None
    ci_lo: float | None
    ci_hi: float | None


def agreement(session: Session) -> Agreement:
    """The figure over all answers of public runs that both kinds of tests have judged."""
    found = store.compared(session)
    agreed, answers = (sum(each[at] for each in found) for at in (2, 1))
    share, lo, hi = None, None, None
    if answers:
        same = np.concatenate([np.arange(each.answers) < each.agreed for each in found])
        estimate = clustered_mean(same, np.repeat(np.arange(len(found)), [each.answers for each in found]))
        share, lo, hi = (100 * value for value in (estimate.mean, estimate.lo, estimate.hi))
    return Agreement(
        agreed, answers, len(found),
        sum(each.wrongly_accepted for each in found), sum(each.wrongly_rejected for each in found),
        share, lo, hi,
    )  # fmt: skip
