"""The problems that a grader judges by, each read once for the answers that come together."""

from app.domain.problems import ProblemSpec
from app.services.runs.grade import GradingJob, spec
from workers.context import Context

MAX_SPECS = 8


class SpecCache:
    """The last few problems of this process.

    An answer may be judged again because its problem was edited in place: a rejudging reads it afresh.
    """

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._specs: dict[tuple[int, int, int | None], ProblemSpec] = {}

    def of(self, job: GradingJob) -> ProblemSpec:
        """Return the problem of a job."""
        key = (job.test_set_id, job.version_id, job.rejudging_id)
        if key not in self._specs:
            if len(self._specs) >= MAX_SPECS:
                self._specs.clear()
            self._specs[key] = self._ctx.commit(spec, job)
        return self._specs[key]
