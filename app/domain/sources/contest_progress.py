"""Progress of a contest from its end to the board: the steps it has taken, since when, and its held problems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from statistics import median

_RECENT_CONTESTS = 10  # contests that the times of a step cover


class ContestStep(StrEnum):
    """Steps of a contest, in order. `setting` is taken only if setters make tests.

    `answers`, `judged` and `board` are taken by the first of our public runs; others may come later.
    """

    ENDED = "ended"
    VISITED = "visited"
    STATEMENT = "statement"
    ANSWERS = "answers"
    SETTING = "setting"
    PROOF = "proof"
    PUBLICATION = "publication"
    JUDGED = "judged"
    BOARD = "board"


@dataclass(frozen=True, slots=True)
class ProblemProgress:
    """Steps of a problem with the times it took them; `reason` says why it is held, None if it is not.

    `leaves_out` are steps that it does not take because its tests are made in another way.
    """

    name: str
    taken: Mapping[ContestStep, datetime]
    reason: str | None = None
    leaves_out: frozenset[ContestStep] = frozenset()


@dataclass(frozen=True, slots=True)
class ReachedStep:
    """Step, and the time since which the contest has taken it."""

    step: ContestStep
    since: datetime


@dataclass(frozen=True, slots=True)
class BlockedProblem:
    """Problem that goes no further until a person acts."""

    problem: str
    reason: str


@dataclass(frozen=True, slots=True)
class ContestProgress:
    """Progress of a contest."""

    contest: str
    steps: tuple[ReachedStep, ...]
    held: tuple[BlockedProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class StepTime:
    """Times of a step in seconds over the last contests that have taken it; `contests` is their number.

    `took_*` is the time of the step itself: from the last of the steps before it. `median_s` and `worst_s` are the
    whole time since a contest's end.
    """

    step: ContestStep
    contests: int
    took_median_s: float
    took_worst_s: float
    median_s: float
    worst_s: float


@dataclass(frozen=True, slots=True)
class FinishedContest:
    """Contest that is over, and its known problems; `visited` is when those were read."""

    name: str
    at: datetime
    visited: datetime | None = None
    problems: Sequence[ProblemProgress] = field(default=())


def contest_progress(contest: FinishedContest) -> ContestProgress:
    """Return the progress of a contest.

    It takes a step when the last of its problems does; held ones are not waited for, unless all are held.
    """
    moving = [problem for problem in contest.problems if problem.reason is None] or contest.problems
    steps = [ReachedStep(ContestStep.ENDED, contest.at)]
    if contest.visited is not None:
        steps.append(ReachedStep(ContestStep.VISITED, contest.visited))
    for step in list(ContestStep)[len((ContestStep.ENDED, ContestStep.VISITED)) :]:
        moments = [problem.taken.get(step) for problem in moving if step not in problem.leaves_out]
        known = [moment for moment in moments if moment is not None]
        if known and len(known) == len(moments):
            steps.append(ReachedStep(step, max(known)))
    held = tuple(
        BlockedProblem(problem.name, problem.reason) for problem in contest.problems if problem.reason is not None
    )
    return ContestProgress(contest.name, tuple(steps), held)


def step_times(ways: Iterable[ContestProgress]) -> tuple[StepTime, ...]:
    """Return the times of each step over the last contests that have taken it; `ways` begin with the newest contest.

    Steps may overlap: a step that was taken before an earlier one has taken no time of its own.
    """
    took: dict[ContestStep, list[float]] = {}
    whole: dict[ContestStep, list[float]] = {}
    for contest in ways:
        [before] = [taken.since for taken in contest.steps if taken.step is ContestStep.ENDED]
        ended = before
        for taken in contest.steps:
            if taken.step is not ContestStep.ENDED:
                took.setdefault(taken.step, []).append(max(0.0, (taken.since - before).total_seconds()))
                whole.setdefault(taken.step, []).append((taken.since - ended).total_seconds())
                before = max(before, taken.since)
    rows = []
    for step in (step for step in ContestStep if step in took):
        own, since_end = took[step][:_RECENT_CONTESTS], whole[step][:_RECENT_CONTESTS]
        rows.append(StepTime(step, len(own), median(own), max(own), median(since_end), max(since_end)))
    return tuple(rows)
