"""State machines: which state may follow which, and how long a state may last.

The database applies these as compare-and-set updates; nothing else moves a row.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from app.domain.errors import Conflict

S = TypeVar("S", bound=StrEnum)


class ProblemState(StrEnum):
    """`CATALOGUED` is known by an import only and never planned."""

    FOUND = "found"
    CHECKED = "checked"
    HELD = "held"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
    CATALOGUED = "catalogued"


class SampleState(StrEnum):
    """One answer's way from wanted to graded; `GAVE_UP` and `STUCK` are missing coverage, never a score."""

    PENDING = "pending"
    INFERRING = "inferring"
    ANSWERED = "answered"
    GRADING = "grading"
    GRADED = "graded"
    GAVE_UP = "gave_up"
    STUCK = "stuck"


class ScrapeState(StrEnum):
    """How a scrape ended; all but running carry counts, all but succeeded a reason."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    PARTIAL = "partial"
    FAILED = "failed"
    BLOCKED = "blocked"


class DeclarationState(StrEnum):
    """What became of a vendor's words about its model; a later one takes the place of one that waits."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    REPLACED = "replaced"


class SubmissionState(StrEnum):
    """A vendor's order."""

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
    """A standing run is extended by each new problem while active; one whose requests are refused has failed."""

    ACTIVE = "active"
    PAUSED = "paused"
    FAILED = "failed"
    RETIRED = "retired"

    def told(self, *, stopped: bool) -> "RunState":
        """As people are told it: nothing is asked of an active run either whose endpoint was `stopped`."""
        return RunState.PAUSED if stopped and self is RunState.ACTIVE else self


class SettingState(StrEnum):
    """The making of a problem's tests by setters; `HELD` has a reason, and a person may act on it."""

    ASKING = "asking"
    STORED = "stored"
    HELD = "held"


class RunOrigin(StrEnum):
    """Whether the answers and verdicts are ours or another board's file."""

    OWN = "own"
    IMPORTED = "imported"


class ContestState(StrEnum):
    """Whether a contest's problems may be fetched yet."""

    UPCOMING = "upcoming"
    RUNNING = "running"
    ENDED = "ended"


class ObligationState(StrEnum):
    """What became of something a contest owes us; `CLOSED` will never come, or is not asked for any more."""

    OPEN = "open"
    MET = "met"
    CLOSED = "closed"


class RejudgingState(StrEnum):
    """A rejudging, from its proposal until its verdicts count or never will."""

    PROPOSED = "proposed"
    JUDGING = "judging"
    PREDICTED = "predicted"
    COMMITTED = "committed"
    DROPPED = "dropped"


class RejudgedState(StrEnum):
    """One answer in a rejudging; what our judge failed on is `LEFT_OVER` and keeps the verdict it has."""

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
    # Judging again: by other tests than those in use, answers were judged by the latter since the prediction.
    RejudgingState.PREDICTED: frozenset({RejudgingState.COMMITTED, RejudgingState.DROPPED, RejudgingState.JUDGING}),
    RejudgingState.COMMITTED: frozenset(),
    RejudgingState.DROPPED: frozenset(),
}

# Orders for which nothing more is done, but for what a continuous one is extended by.
ENDED_ORDERS = frozenset({SubmissionState.PUBLISHED, SubmissionState.CANCELLED, SubmissionState.FAILED,
                          SubmissionState.EXPIRED, SubmissionState.WITHDRAWN})  # fmt: skip
_ANY_ACTIVE = frozenset({SubmissionState.PAUSED, SubmissionState.CANCELLED, SubmissionState.STALLED,
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
        if state in ENDED_ORDERS
        else (_FORWARD.get(state, frozenset()) | _ANY_ACTIVE) - {state}
    )
    for state in SubmissionState
}

# How often a sample may be tried before it is poisoned: a row that kills its worker must not loop.
MAX_INFERENCE_ATTEMPTS = 8
MAX_GRADING_ATTEMPTS = 3


def check_move(moves: Mapping[S, frozenset[S]], old: S, new: S) -> None:
    """Raise Conflict unless `new` may follow `old`."""
    if new not in moves[old]:
        raise Conflict(f"{old} cannot become {new}")
