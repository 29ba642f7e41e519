"""The way of a contest from its end to the board: which steps it has taken, since when, and what is held on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from statistics import median

_LATELY = 10  # contests that the times of a step are taken over


class Step(StrEnum):
    """What happens to a contest, in order. `setting` is taken only where setters make tests.

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
class ProblemWay:
    """A problem's steps with the moments it took them; `reason` says why it is held, None where it is not.

    `leaves_out` are steps that it does not take: those of another way to its tests.
    """

    name: str
    taken: Mapping[Step, datetime]
    reason: str | None = None
    leaves_out: frozenset[Step] = frozenset()


@dataclass(frozen=True, slots=True)
class Taken:
    """A step, and since when the contest has taken it."""

    step: Step
    since: datetime


@dataclass(frozen=True, slots=True)
class Held:
    """A problem that goes no further before somebody acts."""

    problem: str
    reason: str


@dataclass(frozen=True, slots=True)
class ContestWay:
    """How far a contest is."""

    contest: str
    steps: tuple[Taken, ...]
    held: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True)
class StepTime:
    """How long after their end the last contests took a step, in seconds; `contests` is how many have."""

    step: Step
    contests: int
    median_s: float
    worst_s: float


@dataclass(frozen=True, slots=True)
class Ended:
    """A contest that is over, and its problems as far as they are known; `visited` when those were read."""

    name: str
    at: datetime
    visited: datetime | None = None
    problems: Sequence[ProblemWay] = field(default=())


def way(contest: Ended) -> ContestWay:
    """A contest takes a step when the last of its problems does; held ones are not waited for, unless all are held."""
    moving = [problem for problem in contest.problems if problem.reason is None] or contest.problems
    steps = [Taken(Step.ENDED, contest.at)]
    if contest.visited is not None:
        steps.append(Taken(Step.VISITED, contest.visited))
    for step in list(Step)[len((Step.ENDED, Step.VISITED)) :]:
        moments = [problem.taken.get(step) for problem in moving if step not in problem.leaves_out]
        known = [moment for moment in moments if moment is not None]
        if known and len(known) == len(moments):
            steps.append(Taken(step, max(known)))
    held = tuple(Held(problem.name, problem.reason) for problem in contest.problems if problem.reason is not None)
    return ContestWay(contest.name, tuple(steps), held)


def times(ways: Iterable[ContestWay]) -> tuple[StepTime, ...]:
    """The times of each step over the last contests that have taken it; `ways` begin with the newest contest."""
    seconds: dict[Step, list[float]] = {}
    for each in ways:
        [ended] = [taken.since for taken in each.steps if taken.step is Step.ENDED]
        for taken in each.steps:
            if taken.step is not Step.ENDED:
                seconds.setdefault(taken.step, []).append((taken.since - ended).total_seconds())
    last = {step: seconds[step][:_LATELY] for step in Step if step in seconds}
    return tuple(StepTime(step, len(values), median(values), max(values)) for step, values in last.items())
