"""An invented field of people for contests without human participants, so that ratings can be shown there, too.

It contains no real results, and a rating against it says nothing about people. The rule: `FIELD_SIZE` people have the
ratings that cut a normal distribution of mean 1300 and standard deviation 350 into equal shares. A person rated r
solves a problem with chance 1 / (1 + 10^((d - r) / 400)), where d is 900, 1200, 1800, 2400 or 3000 by its level. Wrong
tries come before, each with chance 0.3 after the last (at most 7). Chances are decided by SHA-256 of the names of
contest, person and problem, so a contest has the same field everywhere. Points count problems; the penalty is 10 for
each wrong try and nothing for time, of which a model takes none. New ratings follow from places as on Codeforces.
"""

import hashlib
from collections.abc import Mapping
from statistics import NormalDist
from typing import Final, NamedTuple

from app.domain.problems import Level
from app.domain.publishing.bands import HOUSE_RATINGS
from app.domain.ratings.human_rating import codeforces_changes, worst_places

FIELD_SIZE: Final = 240
_RATINGS: Final = NormalDist(1300, 350)
_WRONG_AGAIN_CHANCE, _MAX_WRONG, _WRONG_PENALTY = 0.3, 7, 10


class Person(NamedTuple):
    """One invented participant: the best of tied places, problems solved, penalty, rating before and after."""

    rank: int
    points: float
    penalty: float
    old: int
    new: int


def invented_field(contest: str, problems: Mapping[str, Level]) -> tuple[Person, ...]:
    """Return the field of a contest over these problems, in order of places."""
    ratings = [round(_RATINGS.inv_cdf((place + 0.5) / FIELD_SIZE)) for place in range(FIELD_SIZE)]
    scores = [_score(contest, place, rating, problems) for place, rating in enumerate(ratings)]
    changes = codeforces_changes(ratings, worst_places(scores)).tolist()
    order = sorted(range(FIELD_SIZE), key=lambda place: (-scores[place][0], scores[place][1], -ratings[place]))
    rank_of: dict[tuple[float, float], int] = {}
    for rank, place in enumerate(order, start=1):
        rank_of.setdefault(scores[place], rank)
    return tuple(
        Person(rank_of[scores[place]], *scores[place], ratings[place], ratings[place] + changes[place])
        for place in order
    )


def _score(contest: str, person: int, rating: int, problems: Mapping[str, Level]) -> tuple[float, float]:
    points = penalty = 0.0
    for problem, level in problems.items():
        if _draw(contest, person, problem, "solves") < 1 / (1 + 10 ** ((HOUSE_RATINGS[level] - rating) / 400)):
            points += 1
            penalty += _WRONG_PENALTY * _wrong_tries(contest, person, problem)
    return points, penalty


def _wrong_tries(contest: str, person: int, problem: str) -> int:
    tries = (_draw(contest, person, problem, "wrong", number) >= _WRONG_AGAIN_CHANCE for number in range(_MAX_WRONG))
    return next((number for number, ended in enumerate(tries) if ended), _MAX_WRONG)


def _draw(*parts: object) -> float:
    """Return a number in [0, 1) that depends on `parts` only."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64
