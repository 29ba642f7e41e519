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
    """Of a step, in seconds over the last contests that have taken it; `contests` is how many those are.

    `took_*` is the time of the step itself: from the last of the steps before it. `median_s` and `worst_s` are the
    whole time since a contest's end.
    """

    step: Step
    contests: int
    took_median_s: float
    took_worst_s: float
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
    """The times of each step over the last contests that have taken it; `ways` begin with the newest contest.

    Steps may overlap: what was taken before a step of earlier on the way has taken no time of its own.
    """
    took: dict[Step, list[float]] = {}
    whole: dict[Step, list[float]] = {}
    for each in ways:
        [before] = [taken.since for taken in each.steps if taken.step is Step.ENDED]
        ended = before
        for taken in each.steps:
            if taken.step is not Step.ENDED:
                took.setdefault(taken.step, []).append(max(0.0, (taken.since - before).total_seconds()))
                whole.setdefault(taken.step, []).append((taken.since - ended).total_seconds())
                before = max(before, taken.since)
    found = []
    for step in (each for each in Step if each in took):
        own, since_end = took[step][:_LATELY], whole[step][:_LATELY]
        found.append(StepTime(step, len(own), median(own), max(own), median(since_end), max(since_end)))
    return tuple(found)
