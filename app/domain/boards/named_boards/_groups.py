"""Scores of a board's rows by groups of its problems: pass@k of each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.domain.boards import pass_at
from app.domain.boards.board import Board, GroupScore, GroupTable
from app.domain.boards.groups import MAX_RESULTS_READ
from app.domain.boards.lineup import Lineup
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.problems import ProblemFact

EVERYBODY_DIVISION: Final = "everybody"
_MAX_ANSWERS: Final = 1000  # answers to one problem; results that are rates have more


@dataclass(frozen=True, slots=True)
class GroupingFacts:
    """Facts of a problem for grouping, besides those that boards know of every problem.

    Its latest Codeforces rating, whether it came from a contest, the contest's division (None: open to all), its tags,
    and the characters of its text and code if texts are read.
    """

    rating: float | None = None
    in_contest: bool = False
    division: str | None = None
    tags: tuple[str, ...] = ()
    characters: int | None = None


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group a board's problems.

    `of` returns a problem's group, several of them, or None; groups are in the order of `names`, or sorted if these are
    not known in advance. `titles` and `meanings` are by locale; pass@k is shown for `ks`. `by_text` says that it needs
    the length of every text.
    """

    name: str
    titles: Mapping[str, str]
    meanings: Mapping[str, str]
    of: Callable[[ProblemFact, GroupingFacts], str | tuple[str, ...] | None]
    names: tuple[str, ...] = ()
    ks: tuple[int, ...] = (1, 2, 4, 8)
    by_text: bool = False

    def groups_of(self, problem: ProblemFact, about: GroupingFacts) -> tuple[str, ...]:
        """Return the groups of a problem."""
        group = self.of(problem, about)
        return () if group is None else (group,) if isinstance(group, str) else group


def group_tables(
    board: Board, cube: Cube, lineup: Lineup, groupings: Sequence[Grouping], about: Mapping[int, GroupingFacts]
) -> dict[str, GroupTable]:
    """Return a table for each grouping, by its name; none if too many results would have to be read."""
    rows = np.flatnonzero(Selection.of(cube.axes, board.query).chosen)
    columns = cube.axes.columns_of(np.array([row.run for row in board.rows], dtype=np.int64))
    if rows.size * columns.size > MAX_RESULTS_READ:
        return {}
    facts = [cube.axes.problems[row] for row in rows.tolist()]
    places = {
        fact.id: [one.groups_of(fact, about.get(fact.id, GroupingFacts())) for one in groupings] for fact in facts
    }
    counted = np.flatnonzero(cube.max_answers[columns] <= _MAX_ANSWERS)
    seen = lineup.excluded_problems(cube.axes, board.query)
    by_grouping = {}
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
        by_grouping[grouping.name] = GroupTable(
            ks=grouping.ks,
            problems=problems,
            sizes={name: sizes[name] for name in names},
            unplaced=len(facts) - len(problems),
            scores={row.run: by_group for row, by_group in zip(board.rows, scores, strict=True)},
        )
    return by_grouping
