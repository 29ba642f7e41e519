"""The invented field: the same everywhere, plausible, and nobody's."""

import hashlib

import numpy as np

from app.domain.problems import Level
from app.domain.ratings import codeforces_rating
from app.domain.ratings.invented_field import FIELD_SIZE, invented_field

PROBLEMS = {"a": Level.EASY, "b": Level.MEDIUM, "c": Level.HARD}


def test_a_field_follows_from_the_names_alone() -> None:
    field = invented_field("x", PROBLEMS)
    assert field == invented_field("x", dict(PROBLEMS))
    assert field != invented_field("y", PROBLEMS)
    assert hashlib.sha256(repr(field).encode()).hexdigest()[:16] == "e464e44e3adf7a66"


def test_few_people_solve_what_is_extreme() -> None:
    solved = [sum(person.points for person in invented_field("x", {"a": level})) for level in Level]
    assert solved == sorted(solved, reverse=True)
    assert 0 <= solved[-1] < FIELD_SIZE / 50


def test_people_are_in_order_with_ratings_that_fit_their_places() -> None:
    field = invented_field("x", PROBLEMS)
    assert len(field) == FIELD_SIZE
    scores = [(-person.points, person.penalty) for person in field]
    assert scores == sorted(scores)
    assert [person.rank for person in field] == [1 + sum(score < own for score in scores) for own in scores]
    old, points = np.array([person.old for person in field]), np.array([person.points for person in field])
    assert np.median(old) == 1300
    assert 0.3 < np.corrcoef(old, points)[0, 1] < 0.9
    assert {0.0, 1.0, 2.0, 3.0} == set(points.tolist())
    assert max(person.penalty for person in field) <= 3 * 70
    up, down = (np.array([person.new - person.old for person in part]) for part in (field[:20], field[-20:]))
    assert up.mean() > 0 > down.mean()
    assert 1000 < codeforces_rating(120, old) < 1600, "half of them are better"
