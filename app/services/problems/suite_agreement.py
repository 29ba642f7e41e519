"""Agreement of suites by consensus with better tests that came later: a public figure."""

from dataclasses import dataclass

import numpy as np

from app.db.kernel.session import Session
from app.db.problems import agreements as store
from app.domain.metrics.intervals import clustered_mean


@dataclass(frozen=True, slots=True)
class SuiteAgreement:
    """Agreement of verdicts (accepted or not) on `agreed` of `answers` answers to `problems` problems.

    `ci_lo` and `ci_hi` bound the share in percent at 95 %, clustered by problem, since one suite judges all answers to
    a problem; they and `share` are None if nothing could be compared yet.
    """

    agreed: int
    answers: int
    problems: int
    wrongly_accepted: int
    wrongly_rejected: int
    share: float | None
    ci_lo: float | None
    ci_hi: float | None


def suite_agreement(session: Session) -> SuiteAgreement:
    """Return the figure over all answers of public runs that both kinds of tests have judged."""
    rows = store.compare_verdicts(session)
    agreed, answers = (sum(row[at] for row in rows) for at in (2, 1))
    share, lo, hi = None, None, None
    if answers:
        same = np.concatenate([np.arange(row.answers) < row.agreed for row in rows])
        estimate = clustered_mean(same, np.repeat(np.arange(len(rows)), [row.answers for row in rows]))
        share, lo, hi = (100 * value for value in (estimate.mean, estimate.lo, estimate.hi))
    return SuiteAgreement(
        agreed, answers, len(rows),
        sum(row.wrongly_accepted for row in rows), sum(row.wrongly_rejected for row in rows),
        share, lo, hi,
    )  # fmt: skip
