"""Choice of a suite's inputs: those that together catch the most wrong programs, of every kind, and not too large."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.testgen.sampling.sample import InputKind

# Share of each kind in the whole suite when it is filled up after nothing more is caught.
KIND_SHARES: Mapping[InputKind, float] = {
    InputKind.EXAMPLE: 0.05,
    InputKind.SMALL: 0.3,
    InputKind.RANDOM: 0.35,
    InputKind.EXTREME: 0.2,
    InputKind.SLOW: 0.1,
}
_WANTED_KILLS = 4  # tests that should catch each wrong program, each worth half of the previous one


@dataclass(frozen=True, slots=True)
class SuiteCandidate:
    """A candidate for the suite.

    Its kind, its characters, the wrong programs it catches, its abbreviated answer, and the CPU milliseconds that
    references take for it.
    """

    kind: InputKind
    size: int
    kills: frozenset[int] = frozenset()
    answer: str = ""
    cost_ms: float = 0.0


def choose_tests(offers: Sequence[SuiteCandidate], most: int, most_bytes: int, seed: int = 0) -> list[int]:
    """Return the places of the chosen inputs: examples, then small ones first.

    At most `most` inputs and `most_bytes` characters are chosen. One slow input is chosen before those that catch most,
    since a suite without one is worthless.
    """
    choice = _SuiteBuilder(offers, most, most_bytes)
    for place, offer in enumerate(offers):
        if offer.kind is InputKind.EXAMPLE:
            choice.take(place)
    choice.take_the_slowest()
    choice.cover()
    choice.fill(random.Random(seed))  # noqa: S311  # tests, not secrets
    order = list(InputKind)
    return sorted(choice.places, key=lambda place: (order.index(offers[place].kind), offers[place].size, place))


class _SuiteBuilder:
    def __init__(self, offers: Sequence[SuiteCandidate], most: int, most_bytes: int) -> None:
        self._offers, self._most, self._room = offers, most, most_bytes
        self._left = set(range(len(offers)))
        self._caught: dict[int, int] = {}
        self.places: list[int] = []

    def take(self, place: int) -> bool:
        """Add an input if there is room for it. Return whether it was added."""
        offer = self._offers[place]
        self._left.discard(place)
        if len(self.places) >= self._most or offer.size > self._room:
            return False
        self.places.append(place)
        self._room -= offer.size
        for program in offer.kills:
            self._caught[program] = self._caught.get(program, 0) + 1
        return True

    def _added_value(self, place: int) -> float:
        kills = self._offers[place].kills
        return sum(0.5 ** self._caught.get(kill, 0) for kill in kills if self._caught.get(kill, 0) < _WANTED_KILLS)

    def take_the_slowest(self) -> None:
        """Add the slow input that references take longest for, among those that fit."""
        slow = [place for place in self._left if self._offers[place].kind is InputKind.SLOW]
        for place in sorted(slow, key=lambda place: (-self._offers[place].cost_ms, place)):
            if self.take(place):
                return

    def cover(self) -> None:
        """Add inputs that catch most of the programs not caught often enough, the shorter one on a tie."""
        while self._left and len(self.places) < self._most:
            best = max(self._left, key=lambda place: (self._added_value(place), -self._offers[place].size, -place))
            if self._added_value(best) <= 0:
                return
            self.take(best)

    def fill(self, rng: random.Random) -> None:
        """Fill the remaining room, kind by kind; rarer answers first, of slow inputs those that take longest."""
        for kind in (InputKind.SLOW, InputKind.EXTREME, InputKind.RANDOM, InputKind.SMALL):
            have = sum(self._offers[place].kind is kind for place in self.places)
            for place in self._ranked(kind, rng)[: max(0, round(KIND_SHARES[kind] * self._most) - have)]:
                self.take(place)
        rest = [
            place
            for kind in (InputKind.RANDOM, InputKind.SMALL, InputKind.EXTREME)
            for place in self._ranked(kind, rng)
        ]
        for place in rest:
            self.take(place)

    def _ranked(self, kind: InputKind, rng: random.Random) -> list[int]:
        here = [place for place in sorted(self._left) if self._offers[place].kind is kind]
        rng.shuffle(here)
        if kind is InputKind.SLOW:
            return sorted(here, key=lambda place: -self._offers[place].cost_ms)
        counts: dict[str, int] = {}
        for place in self.places:
            counts[self._offers[place].answer] = counts.get(self._offers[place].answer, 0) + 1
        turns = []
        for place in here:
            answer = self._offers[place].answer
            turns.append((counts.get(answer, 0), place))
            counts[answer] = counts.get(answer, 0) + 1
        return [place for _, place in sorted(turns, key=lambda turn: turn[0])]
