"""State machines: which state may follow which, and how often a sample may be tried.

The database applies these moves as compare-and-set updates; no other code moves a row.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from app.domain.errors import Conflict
from app.domain.reasons import Reason

S = TypeVar("S", bound=StrEnum)


class ProblemState(StrEnum):
    """State of a problem; `CATALOGUED` is known from an import only and never planned."""

    FOUND = "found"
    CHECKED = "checked"
    HELD = "held"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
    CATALOGUED = "catalogued"


class SampleState(StrEnum):
    """State of a sample from wanted to graded; `GAVE_UP` and `STUCK` are missing coverage, never a score."""

    PENDING = "pending"
    INFERRING = "inferring"
    ANSWERED = "answered"
    GRADING = "grading"
    GRADED = "graded"
    GAVE_UP = "gave_up"
    STUCK = "stuck"


class ScrapeState(StrEnum):
    """State of a scrape; all but running have counts, all but succeeded a reason."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    PARTIAL = "partial"
    FAILED = "failed"
    BLOCKED = "blocked"


class DeclarationState(StrEnum):
    """State of a vendor's declaration about its model; a later one replaces one that waits."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    REPLACED = "replaced"


class MemberRole(StrEnum):
    """Role of a member of a vendor's organisation; each may do what the ones after it may."""

    OWNER = "owner"
    MEMBER = "member"
    VIEWER = "viewer"


class SubmissionState(StrEnum):
    """State of a vendor's submission."""

    DRAFT = "draft"
    VALIDATING = "validating"
    QUEUED = "queued"
    PREFLIGHT = "preflight"
    GENERATING = "generating"
    JUDGING = "judging"
    REVIEW = "review"
    EMBARGOED = "embargoed"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    STALLED = "stalled"
    FAILED = "failed"
    EXPIRED = "expired"


class RunState(StrEnum):
    """State of a run. An active one is extended by each new problem; it has failed once its requests are refused."""

    ACTIVE = "active"
    PAUSED = "paused"
    FAILED = "failed"
    RETIRED = "retired"

    def public_state(self, *, stopped: bool) -> "RunState":
        """Return the state to show: an active run is shown as paused if its endpoint was `stopped`."""
        return RunState.PAUSED if stopped and self is RunState.ACTIVE else self


class ConsensusState(StrEnum):
    """State of making a problem's tests by setters; `HELD` has a reason, and a person may act on it."""

    ASKING = "asking"
    STORED = "stored"
    HELD = "held"


class RunOrigin(StrEnum):
    """Origin of answers and verdicts: ours, or another board's file."""

    OWN = "own"
    IMPORTED = "imported"


class ContestState(StrEnum):
    """State of a contest; its problems may be fetched once it has ended."""

    UPCOMING = "upcoming"
    RUNNING = "running"
    ENDED = "ended"


class ExpectedDataState(StrEnum):
    """State of data expected from a contest; `CLOSED` will never come, or is no longer fetched."""

    OPEN = "open"
    MET = "met"
    CLOSED = "closed"


class RejudgingState(StrEnum):
    """State of a rejudging, from its proposal until its verdicts count or are dropped."""

    PROPOSED = "proposed"
    JUDGING = "judging"
    PREDICTED = "predicted"
    COMMITTED = "committed"
    DROPPED = "dropped"


class RejudgedState(StrEnum):
    """State of one answer in a rejudging; `LEFT_OVER` if our judge failed on it: it keeps its verdict."""

    WAITING = "waiting"
    JUDGED = "judged"
    LEFT_OVER = "left_over"


PROBLEM_MOVES: Mapping[ProblemState, frozenset[ProblemState]] = {
    ProblemState.FOUND: frozenset({ProblemState.CHECKED, ProblemState.HELD, ProblemState.CATALOGUED}),
    ProblemState.CATALOGUED: frozenset({ProblemState.FOUND, ProblemState.CHECKED}),
    ProblemState.CHECKED: frozenset({ProblemState.PUBLISHED, ProblemState.HELD}),
    ProblemState.HELD: frozenset({ProblemState.CHECKED, ProblemState.PUBLISHED, ProblemState.WITHDRAWN}),
    ProblemState.PUBLISHED: frozenset({ProblemState.WITHDRAWN, ProblemState.HELD}),  # held: quarantined by an audit
    ProblemState.WITHDRAWN: frozenset(),
}

RUN_MOVES: Mapping[RunState, frozenset[RunState]] = {
    RunState.ACTIVE: frozenset({RunState.PAUSED, RunState.FAILED, RunState.RETIRED}),
    RunState.PAUSED: frozenset({RunState.ACTIVE, RunState.RETIRED}),
    RunState.FAILED: frozenset({RunState.ACTIVE, RunState.RETIRED}),
    RunState.RETIRED: frozenset(),
}

REJUDGING_MOVES: Mapping[RejudgingState, frozenset[RejudgingState]] = {
    RejudgingState.PROPOSED: frozenset({RejudgingState.JUDGING, RejudgingState.DROPPED}),
    RejudgingState.JUDGING: frozenset({RejudgingState.PREDICTED, RejudgingState.DROPPED}),
    # Back to judging: since the prediction of a rejudging by other tests, more answers were judged by the tests in use.
    RejudgingState.PREDICTED: frozenset({RejudgingState.COMMITTED, RejudgingState.DROPPED, RejudgingState.JUDGING}),
    RejudgingState.COMMITTED: frozenset(),
    RejudgingState.DROPPED: frozenset(),
}

# Submissions without further work, except for the extensions of a continuous one.
ENDED_SUBMISSIONS = frozenset({SubmissionState.PUBLISHED, SubmissionState.CANCELLED, SubmissionState.FAILED,
                          SubmissionState.EXPIRED, SubmissionState.WITHDRAWN})  # fmt: skip
_FROM_ANY_ACTIVE = frozenset({SubmissionState.PAUSED, SubmissionState.CANCELLED, SubmissionState.STALLED,
                         SubmissionState.FAILED, SubmissionState.EXPIRED})  # fmt: skip
_FORWARD: Mapping[SubmissionState, frozenset[SubmissionState]] = {
    SubmissionState.DRAFT: frozenset({SubmissionState.VALIDATING}),
    SubmissionState.VALIDATING: frozenset({SubmissionState.QUEUED}),
    SubmissionState.QUEUED: frozenset({SubmissionState.PREFLIGHT}),
    SubmissionState.PREFLIGHT: frozenset({SubmissionState.GENERATING}),
    SubmissionState.GENERATING: frozenset({SubmissionState.JUDGING}),
    SubmissionState.JUDGING: frozenset({SubmissionState.REVIEW, SubmissionState.EMBARGOED, SubmissionState.PUBLISHED}),
    SubmissionState.REVIEW: frozenset({SubmissionState.EMBARGOED, SubmissionState.PUBLISHED}),
    SubmissionState.EMBARGOED: frozenset({SubmissionState.PUBLISHED}),
    SubmissionState.PAUSED: frozenset({SubmissionState.QUEUED}),
    SubmissionState.STALLED: frozenset({SubmissionState.QUEUED}),
}
SUBMISSION_MOVES: Mapping[SubmissionState, frozenset[SubmissionState]] = {
    state: (
        frozenset({SubmissionState.WITHDRAWN})
        if state is SubmissionState.PUBLISHED
        else frozenset()
        if state in ENDED_SUBMISSIONS
        else (_FORWARD.get(state, frozenset()) | _FROM_ANY_ACTIVE) - {state}
    )
    for state in SubmissionState
}


def next_step(state: SubmissionState, owner: str) -> Reason:
    """Return what the owner of a submission's next step has to do, in words for its vendor."""
    if state in ENDED_SUBMISSIONS:
        failed = state in (SubmissionState.FAILED, SubmissionState.EXPIRED)
        return Reason("order_again" if failed and owner == "vendor" else "we_look" if failed else "ended_order")
    if owner == "us":
        return Reason("we_look" if state in (SubmissionState.STALLED, SubmissionState.PAUSED) else "go_on")
    by_state = {SubmissionState.STALLED: "mend_endpoint", SubmissionState.PAUSED: "raise_budget"}
    return Reason(by_state.get(state, "answer_requests"))


# Attempts before a sample is given up: a row that kills its worker must not loop.
MAX_INFERENCE_ATTEMPTS = 8
MAX_GRADING_ATTEMPTS = 3
ENDED_ASKER: Final = Reason("ended_asker", {"n": MAX_INFERENCE_ATTEMPTS})
ENDED_SERVER: Final = Reason("ended_server", {"n": MAX_INFERENCE_ATTEMPTS})
ENDED_JUDGE: Final = Reason("ended_worker", {"n": MAX_GRADING_ATTEMPTS})


def check_move(moves: Mapping[S, frozenset[S]], old: S, new: S) -> None:
    """Raise Conflict unless `new` may follow `old`."""
    if new not in moves[old]:
        raise Conflict(f"{old} cannot become {new}")
