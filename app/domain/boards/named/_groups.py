"""Scores of a board's rows by groups of its problems: pass@k on each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.domain.boards import pass_at
from app.domain.boards.board import Board, GroupScore, GroupTable
from app.domain.boards.groups import MOST_READ
from app.domain.boards.lineup import Lineup
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.problems import ProblemFact

EVERYBODY: Final = "everybody"
_MOST: Final = 1000  # answers to one problem; results that are rates have more


@dataclass(frozen=True, slots=True)
class About:
    """What groups go by beside what boards know of every problem: its newest Codeforces rating, whether it came from a
    contest, that one's division (None: for everybody), its tags, and the characters of its text and code, where
    texts are read."""

    rating: float | None = None
    in_contest: bool = False
    division: str | None = None
    tags: tuple[str, ...] = ()
    characters: int | None = None


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group a board's problems. `of` names a problem's group, several of them, or None for none; groups are in
    the order of `names`, or sorted where these are not known before. `titles` and `meanings` are by locale; pass@k is
    shown for `ks`. One that goes `by_text` reads the length of every text.
    """

    name: str
    titles: Mapping[str, str]
    meanings: Mapping[str, str]
    of: Callable[[ProblemFact, About], str | tuple[str, ...] | None]
    names: tuple[str, ...] = ()
    ks: tuple[int, ...] = (1, 2, 4, 8)
    by_text: bool = False

    def groups_of(self, problem: ProblemFact, about: About) -> tuple[str, ...]:
        """The groups of a problem."""
        found = self.of(problem, about)
        return () if found is None else (found,) if isinstance(found, str) else found


def tables(
    board: Board, cube: Cube, lineup: Lineup, groupings: Sequence[Grouping], about: Mapping[int, About]
) -> dict[str, GroupTable]:
    """A table for each grouping, by its name; none where too many results would have to be read."""
    rows = np.flatnonzero(Selection.of(cube.axes, board.query).chosen)
    columns = cube.axes.columns_of(np.array([row.run for row in board.rows], dtype=np.int64))
    if rows.size * columns.size > MOST_READ:
        return {}
    facts = [cube.axes.problems[row] for row in rows.tolist()]
    places = {fact.id: [one.groups_of(fact, about.get(fact.id, About())) for one in groupings] for fact in facts}
    counted = np.flatnonzero(cube.most[columns] <= _MOST)
    seen = lineup.kept_apart(cube.axes, board.query)
    found = {}
    for number, grouping in enumerate(groupings):
        groups_of = [places[fact.id][number] for fact in facts]
        problems = {fact.slug: groups for fact, groups in zip(facts, groups_of, strict=True) if groups}
        sizes = Counter(name for groups in problems.values() for name in groups)
        names = grouping.names or tuple(sorted(sizes))
        scores: list[dict[str, GroupScore]] = [{} for _ in board.rows]
        for name in names:
            inside = rows[[name in groups for groups in groups_of]]
            values, graded = pass_at.pass_at(cube, inside, columns[counted], seen, grouping.ks)
            for place in range(len(board.rows)):
                scores[place][name] = GroupScore(0, (None,) * len(grouping.ks))
            for place, own, n in zip(counted.tolist(), values.T.tolist(), graded.tolist(), strict=True):
                shares = tuple(None if value != value else 100 * value for value in own)
                scores[place][name] = GroupScore(n, shares)
        found[grouping.name] = GroupTable(
            ks=grouping.ks,
            problems=problems,
            sizes={name: sizes[name] for name in names},
            unplaced=len(facts) - len(problems),
            scores={row.run: by_group for row, by_group in zip(board.rows, scores, strict=True)},
        )
    return found
