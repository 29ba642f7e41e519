"""How fresh installations fill their boards: answers come, are judged and go back for repair, on a clock of its own.

Planning (`asking.order.balanced`, the answers that are carried over) and the judges' turns are those of the service;
answers, how long they take and how long they are judged are drawn. A wrong program is judged sooner than a right one,
and an answer to a hard problem, or a wrong one, takes longer to come.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from app.domain.asking.problem_order import MissingProblem, balance_order
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact
from app.domain.judging.grading_order import GRADING_ROUND, GradingOrder
from app.domain.problems import Level, ProblemFact
from support.board_worlds import problem, run

MODELS, CONTESTS, EACH = 4, 12, 3
LOOKS = 12
# Plain answers, and after one and two rounds of repair: each protocol continues the one before it.
PROTOCOLS = ("house", "house-repair", "house-repair-2")
_AT_ONCE, _JUDGES = 8, 2
_PLANNED_EVERY_S = 2.0


@dataclass
class _Sample:
    number: int
    protocol: int
    model: int
    problem: int
    right: bool
    answer_s: float
    judge_s: float


@dataclass
class Installation:
    """One installation from its first answer to its last verdict; `right` says by protocol, model and problem what
    comes of each answer in the end."""

    problems: Sequence[ProblemFact]
    right: np.ndarray
    _answer_s: np.ndarray
    _judge_s: np.ndarray
    _judged: dict[tuple[int, int, int], bool] = field(default_factory=dict)
    _planned: set[tuple[int, int, int]] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)
    _waiting: list[list[_Sample]] = field(default_factory=lambda: [[] for _ in range(MODELS)])
    _answered: list[_Sample] = field(default_factory=list)

    @classmethod
    def draw(cls, seed: int, skill: float = 0.5) -> "Installation":
        """Problems of ease sd 1.7 logits, later contests harder; models of unequal skill, the better ones slower."""
        rng = np.random.default_rng(seed)
        size = CONTESTS * EACH
        contest = np.arange(size) // EACH
        ease = rng.normal(0.5, 1.6, size) + rng.normal(0, 0.6, CONTESTS)[contest] - 1.0 * (contest / CONTESTS - 0.5)
        places = np.argsort(np.argsort(-ease)) * 3 // size
        levels = (Level.EASY, Level.MEDIUM, Level.HARD)
        problems = [problem(number, day=int(contest[number]), level=levels[places[number]]) for number in range(size)]
        skills = rng.normal(skill, 1.3, MODELS)[:, None]
        own = ease + skills + rng.normal(0, 0.8, (MODELS, size))
        right = np.zeros((len(PROTOCOLS), MODELS, size), dtype=bool)
        right[0] = rng.random(own.shape) < 1 / (1 + np.exp(-own))
        for later in range(1, len(PROTOCOLS)):
            right[later] = right[later - 1] | (rng.random(own.shape) < 1 / (1 + np.exp(1.5 - 0.7 * own)))
        speed = np.exp(rng.normal(0, 0.5, MODELS)[:, None] + 0.4 * (skills - skill))
        answer_s = 2.0 * speed * np.exp(rng.normal(0, 0.7, right.shape) - 0.3 * ease) * np.where(right, 1.0, 1.6)
        judge_s = np.exp(rng.normal(0, 0.5, right.shape)) * np.where(right, 0.8, 0.4)
        return cls(problems, right, answer_s, judge_s)

    def play(self) -> Iterator[tuple[float, "Installation"]]:
        """Every look, with the share of what there is to judge that is judged."""
        total = 3 * MODELS * len(self.problems)
        marks = [total * (look + 1) // (LOOKS + 1) for look in range(LOOKS)]
        events: list[tuple[float, int, str, _Sample | None]] = []
        ties, turns, now = count(), 0, 0.0
        asked, judging = [0] * MODELS, 0
        heapq.heappush(events, (0.0, next(ties), "plan", None))
        while events:
            now, _, what, sample = heapq.heappop(events)
            if what == "plan":
                self._plan()
                if len(self._judged) < total:
                    heapq.heappush(events, (now + _PLANNED_EVERY_S, next(ties), "plan", None))
            elif what == "answered":
                assert sample is not None
                asked[sample.model] -= 1
                self._answered.append(sample)
            else:
                assert sample is not None
                judging -= 1
                self._judged[sample.protocol, sample.model, sample.problem] = sample.right
            for model, line in enumerate(self._waiting):
                while line and asked[model] < _AT_ONCE:
                    taken = line.pop(0)
                    asked[model] += 1
                    heapq.heappush(events, (now + taken.answer_s, next(ties), "answered", taken))
            while self._answered and judging < _JUDGES:
                taken = self._next(GRADING_ROUND[turns % len(GRADING_ROUND)])
                turns, judging = turns + 1, judging + 1
                self._answered.remove(taken)
                heapq.heappush(events, (now + taken.judge_s, next(ties), "judged", taken))
            while marks and len(self._judged) >= marks[0]:
                yield marks.pop(0) / total, self

    def _next(self, turn: GradingOrder) -> _Sample:
        """The answer that a judge takes at its turn, as `app.db.runs.samples` chooses it."""
        if turn is GradingOrder.NEWEST:
            newest = max(sample.problem for sample in self._answered)
            return min((each for each in self._answered if each.problem == newest), key=lambda each: each.number)
        if turn is GradingOrder.FEWEST:
            waiting = [0] * len(PROTOCOLS)
            for sample in self._answered:
                waiting[sample.protocol] += 1
            begun = {key[0] for key in self._judged}
            fewest = min(
                (key for key, much in enumerate(waiting) if much), key=lambda key: (key in begun, waiting[key])
            )
            return min((each for each in self._answered if each.protocol == fewest), key=lambda each: each.number)
        return min(self._answered, key=lambda each: each.number)

    def _plan(self) -> None:
        """Ask what runs lack in a balanced order, and carry over what passed."""
        for protocol in range(len(PROTOCOLS)):
            for model in range(MODELS):
                lacking = [
                    number
                    for number in range(len(self.problems))
                    if (protocol, model, number) not in self._planned
                    and (not protocol or (protocol - 1, model, number) in self._judged)
                ]
                facts = [
                    MissingProblem(number, self._ease(protocol, model, number), self.problems[number].level,
                            self.problems[number].released_on)
                    for number in lacking
                ]  # fmt: skip
                for number in balance_order(facts):
                    key = protocol, model, number
                    self._planned.add(key)
                    if protocol and self._judged[protocol - 1, model, number]:
                        self._judged[key] = True
                        continue
                    drawn = (values[key] for values in (self.right, self._answer_s, self._judge_s))
                    right, answer_s, judge_s = drawn
                    made = _Sample(next(self._numbers), *key, bool(right), float(answer_s), float(judge_s))
                    self._waiting[model].append(made)

    def _ease(self, protocol: int, model: int, number: int) -> float | None:
        """The mean of the other runs of the scenario on a problem."""
        alike = (0,) if not protocol else range(1, len(PROTOCOLS))
        rates = [
            self._judged[key]
            for each in alike
            for other in range(MODELS)
            if (each, other) != (protocol, model) and (key := (each, other, number)) in self._judged
        ]
        return sum(rates) / len(rates) if rates else None

    def cube(self, protocol: int) -> Cube:
        """What boards are made of at this moment."""
        cells = [
            Cell(model + 1, number, int(key in self._judged), int(self._judged.get(key, False)),
                 pending=int(key not in self._judged))
            for key in self._planned
            if key[0] == protocol
            for _, model, number in (key,)
        ]  # fmt: skip
        return Cube.build(self.problems, self.runs, cells, 1)

    @property
    def runs(self) -> Sequence[RunFact]:
        """One run of each model, the same under every protocol."""
        return [run(model + 1) for model in range(MODELS)]

    def final(self, protocol: int) -> Mapping[int, float]:
        """The score of each run once everything is judged, in percent."""
        return {model + 1: 100 * float(self.right[protocol, model].mean()) for model in range(MODELS)}
