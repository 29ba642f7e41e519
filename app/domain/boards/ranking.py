"""Ranking of a board, from cube, runs and query."""

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards import pass_at
from app.domain.boards.board import Board, BoardQuery, Exposure, Precision, Rules, RunUsage
from app.domain.boards.comparison import differences_to
from app.domain.boards.entrants import BoardEntrants, WantedAnswers, WantedProblems, choose_entrants
from app.domain.boards.filters import of_all_rows
from app.domain.boards.groups import MAX_RESULTS_READ
from app.domain.boards.lineup import Lineup
from app.domain.boards.opening_window import clean_window
from app.domain.boards.own_tests import without_own
from app.domain.boards.rows import Differences, Estimates, board_rows
from app.domain.boards.selection import Selection
from app.domain.boards.standing import BoardStandings, rank_entrants
from app.domain.cube.cube import Cube
from app.domain.cube.facts import RunFact, find_reference
from app.domain.metrics.estimates import Ease, ProblemResults, WindowEstimates, estimate_whole_window
from app.domain.metrics.intervals import Floats, IntervalBounds, Ints
from app.domain.problems import TestsOrigin
from app.domain.publishing.bands import levels_shown

_HALF_WIDTHS = (5.0, 2.0, 1.0)
# LiveCodeBench draws 349 of its 511 problems and finds 1 to 1.5 points (arXiv 2403.07974, section 7).
_DRAWN_SHARE = 349 / 511


class EarlierAnswers(NamedTuple):
    """The answers that a board's answers continue: their cube, and the earlier run by run of the board."""

    cube: Cube
    runs: Mapping[int, int]

    def columns_of(self, runs: Ints) -> Ints:
        """Return the columns of the runs whose answers these runs of the board continue, -1 for none."""
        return self.cube.axes.columns_of(np.array([self.runs.get(run, -1) for run in runs.tolist()], dtype=np.int64))


def rank_board(
    cube: Cube,
    runs: Sequence[RunFact] | Lineup,
    query: BoardQuery,
    *,
    usage: Mapping[int, RunUsage] | None = None,
    wanted: WantedProblems | None = None,
    samples: WantedAnswers | None = None,
    unpublished: Mapping[str, int] | None = None,
    reference: str | None = None,
    replicates: int = 0,
    earlier: Sequence[EarlierAnswers] | None = (),
    failing: Collection[int] = (),
) -> Board:
    """Return the board that `query` asks of `cube`, over `runs`; with many of them, a `Lineup` made once saves time.

    `usage` is by run id. Every selected problem is wanted of every run, with as many answers to each item as `samples`
    has for the run, or one; under LiveCodeBench's rules a run with an entry in `wanted` needs only those problem ids,
    with any number of answers. `unpublished` counts a model's runs that are not public. `reference` names the row that
    the others are compared with, as `model` (its first row) or `model:configuration`; one that is not shown compares
    nothing. With `replicates`, ranked rows of ten contests or more state how often each would be first, drawn from a
    seed made of query and results, and rows without a score for the whole selection carry an estimate of it, unless
    more than 250,000 results would have to be read; the same holds for pass@5 and pass@10 of rows with as many answers.
    `earlier` are the answers that these continue, first ones first: missing results then depend on how they ended. None
    says that they depend on answers in an unknown way. Then only rows without missing results have an estimate; the
    same holds for a row that was imported, has a judge error in the selection, or is of a run in `failing`, whose
    endpoint has failed to give an answer.

    A row has a rank if its model was exposed to no selected problem and 95 % of the wanted answers are graded: `rank`
    is 1 + the number of ranked rows with a higher score, with missing results counted as failed. `rank_lo`..`rank_hi`,
    `tier`, the resolution, the first row told apart and the chances of being first follow from one comparison of all
    pairs (`separation.tell_apart`); `overlap` are the places that single intervals would allow. All of this is among
    all rows: row filters choose which of them are shown, and change none of their numbers. LiveCodeBench's rules select
    problems by the dates it stores (`Selection.of`) and cutoffs by the run's file, deny a rank if the cutoff is on or
    after the window's first day, require no coverage, and rank by the score rounded to one decimal, ties in the order
    of run ids, without tiers or intervals.
    """
    selection = Selection.of(cube.axes, query)
    lineup = Lineup.of(runs).under_rules(query.rules)
    everyone, hidden = choose_entrants(cube, selection, lineup, query, wanted or {}, samples or {})
    field = everyone.without_left_out()
    standing = rank_entrants(cube, selection, field, of_all_rows(query), replicates)
    split = query.exposure is Exposure.SPLIT
    differences = _differences(cube, selection, field, standing, reference, split=split)
    by_level = dict(
        zip(cube.axes.levels, _count_problems(selection, cube.axes.level, len(cube.axes.levels)), strict=True)
    )
    levels = levels_shown(level for level, problems in by_level.items() if problems)
    every = board_rows(
        cube,
        selection,
        field,
        standing,
        usage or {},
        unpublished or {},
        differences,
        _estimates(cube, selection, field, standing, query, samples or {}, earlier, failing) if replicates else None,
        levels,
        without_own(cube, selection, field, split=split),
        _pass_at(cube, selection, field, split=split),
        split=split,
    )
    shown = list(zip(every, field.shown[standing.order].tolist(), strict=True))
    platforms = _count_problems(selection, cube.axes.platform, len(cube.axes.platforms))
    return Board(
        query=query,
        problems=int(np.count_nonzero(selection.chosen)),
        by_level={level: by_level.get(level, 0) for level in levels},
        by_platform=dict(zip(cube.axes.platforms, platforms, strict=True)),
        test_origins=_test_origins(selection),
        rows=tuple(row for row, here in shown if here),
        beside=tuple(row for row, here in shown if not here and row.rank is not None),
        hidden=hidden,
        revision=cube.revision,
        resolution=None if standing.resolution is None else 100 * standing.resolution,
        clusters=selection.contests,
        first_separated=standing.first_separated,
        precision=_precision(selection, standing),
        weeks=cube.axes.weeks(selection.matching),
        left_out=selection.left_out(query),
        # Hidden rows count, too.
        clean_window=None if query.rules is Rules.LCB else clean_window(cube, selection, everyone, query.window),
    )


def _count_problems(selection: Selection, codes: Ints, kinds: int) -> list[int]:
    counts: list[int] = np.bincount(codes[selection.chosen], minlength=kinds).tolist()
    return counts


def _test_origins(selection: Selection) -> dict[TestsOrigin, int]:
    origins, places = selection.axes.encoded_fact("tests")
    counts = zip(origins, _count_problems(selection, places, len(origins)), strict=True)
    return {origin: problems for origin, problems in counts if origin is not None and problems}


def _precision(selection: Selection, standing: BoardStandings) -> Precision | None:
    """Return the precision, assuming that half widths shrink with the square root of the number of problems."""
    rows = standing.ranked if standing.ranked.size else standing.order
    widths = 50 * (standing.bounds.hi - standing.bounds.lo)[rows]
    widths = widths[~np.isnan(widths)]
    problems = int(np.count_nonzero(selection.chosen))
    if not widths.size or not problems:
        return None
    typical = float(np.median(widths))
    needed = {width: math.ceil(problems * (typical / width) ** 2) for width in _HALF_WIDTHS}
    widen_to = None
    if typical > _HALF_WIDTHS[0]:
        days = selection.axes.day[selection.matching]
        before = int(np.searchsorted(days, selection.last, side="right")) - needed[_HALF_WIDTHS[0]]
        widen_to = date.fromordinal(int(days[before])) if before >= 0 else None
    # Of n values with variance s^2, the mean of m drawn without replacement has variance (s^2 / n) (n / m - 1).
    alone = standing.plain[rows]
    alone = alone[~np.isnan(alone)]
    subsample = 100 * math.sqrt(float(np.median(alone)) * (1 / _DRAWN_SHARE - 1)) if alone.size else None
    return Precision(typical, needed, widen_to, subsample)


def _estimates(
    cube: Cube,
    selection: Selection,
    field: BoardEntrants,
    standing: BoardStandings,
    query: BoardQuery,
    samples: WantedAnswers,
    earlier: Sequence[EarlierAnswers] | None,
    failing: Collection[int],
) -> Estimates | None:
    """Return the estimates of the rows without a score for the whole selection, by entrant."""
    split = query.exposure is Exposure.SPLIT
    partly = (standing.provisional | (split & (field.exposed > 0))) & (field.totals.n > 0) & field.shown
    rows, entrants = np.flatnonzero(selection.chosen), np.flatnonzero(partly)
    if query.rules is Rules.LCB or not entrants.size or rows.size * entrants.size > MAX_RESULTS_READ:
        return None
    ids, lineup = cube.axes.ids[rows], field.lineup
    runs, columns = lineup.ids[field.places[entrants]], field.columns[entrants]
    links = [*(earlier or ()), EarlierAnswers(cube, {run: run for run in runs.tolist()})]
    places = [link.columns_of(runs) for link in links]
    # The author of a file chose what is missing; a failure of endpoint or judge may depend on the answer.
    unknown = lineup.imported[field.places[entrants]] | (earlier is None)
    for link, at in zip(links, places, strict=True):
        unknown |= _has_judge_errors(link.cube, ids, at)
        unknown |= np.array([link.runs.get(run) in failing for run in runs.tolist()], dtype=bool)
    answers = np.array([samples.get(run, 1) for run in runs.tolist()], dtype=np.int64)
    known = np.all([at >= 0 for at in places], axis=0)
    if unknown.any():
        known &= ~unknown | _results(cube, ids, columns, answers).counts.all(axis=0)
    if not known.any():
        return None
    entrants, columns, answers, places = (
        entrants[known], columns[known], answers[known], [at[known] for at in places],
    )  # fmt: skip
    own, means = _results(links[0].cube, ids, places[0]), links[0].cube.means[places[0]]
    results = [own]
    if len(links) > 1:
        results = [_results(link.cube, ids, at, answers) for link, at in zip(links, places, strict=True)]
    if split:
        clean = lineup.seen_problems(cube.axes).clean(rows, columns)
        results = [ProblemResults(result.rate, result.counts & clean) for result in results]
    estimated = estimate_whole_window(own, results, _ease(links[0].cube, ids), means, cube.axes.cluster[rows])
    some = ~np.isnan(estimated.mean)
    return entrants[some], WindowEstimates(
        estimated.mean[some], IntervalBounds(*(ends[some] for ends in estimated.bounds))
    )


def _results(cube: Cube, problems: Ints, columns: Ints, answers: Ints | None = None) -> ProblemResults:
    """Return the results of some runs on problems by id.

    With `answers`, a problem counts only if each of its items has that many judged answers.
    """
    rows = cube.axes.rows_or_none(problems)
    at = np.argsort(rows)[np.count_nonzero(rows < 0) :]
    results = ProblemResults(np.zeros((rows.size, columns.size)), np.zeros((rows.size, columns.size), dtype=bool))
    if at.size:
        parts = [part for _, part in cube.pass_rates(rows[at], columns)]
        for values, place in zip(results, range(2), strict=True):
            values[at] = np.concatenate([part[place] for part in parts])
        if answers is not None:
            judged, _ = cube.lines(rows[at], columns).by_problem()
            results.counts[at] &= judged >= answers * cube.items[rows[at]][:, None]
    return results


def _ease(cube: Cube, problems: Ints) -> Ease:
    """Return the ease of problems by id, over all runs."""
    rows = cube.axes.rows_or_none(problems)
    return Ease(*(np.where(rows >= 0, values[rows], 0.0) for values in cube.ease))


def _has_judge_errors(cube: Cube, problems: Ints, columns: Ints) -> NDArray[np.bool_]:
    """Return which runs have an answer to any of these problems that could not be judged."""
    faults = cube.incomplete_cells
    stuck = (faults.judge_errors > 0) & np.isin(cube.axes.ids[faults.problem], problems)
    return np.isin(columns, faults.run[stuck])


def _pass_at(cube: Cube, selection: Selection, field: BoardEntrants, *, split: bool) -> Floats:
    """Return pass@k of shape (`pass_at.KS`, entrants), nan if unknown or if too much would have to be read."""
    values = np.full((len(pass_at.KS), field.places.size), np.nan)
    rows, often = np.flatnonzero(selection.chosen), pass_at.sampled_entrants(cube, field)
    if 0 < rows.size * often.size <= MAX_RESULTS_READ:
        seen = field.lineup.seen_problems(cube.axes) if split else None
        values[:, often], _ = pass_at.pass_at(cube, rows, field.columns[often], seen)
    return values


def _differences(
    cube: Cube,
    selection: Selection,
    field: BoardEntrants,
    standing: BoardStandings,
    reference: str | None,
    *,
    split: bool,
) -> Differences | None:
    """Return every row's difference to the reference; with `split`, over the problems that neither may have seen."""
    if reference is None:
        return None
    order, ranked = standing.order, standing.ranked
    seen = field.lineup.seen_problems(cube.axes) if split else None
    shown = order[field.shown[order]].tolist()
    runs = [field.lineup.runs[field.places[place]] for place in shown]
    reference_place = find_reference(reference, ((run.model, run.configuration) for run in runs))
    if reference_place is None:
        return None
    place = shown[reference_place]
    comparison = differences_to(cube, selection, int(field.columns[place]), field.columns, seen)
    for column in (comparison.mean, comparison.p):
        column[place] = np.nan  # a row is not compared with itself
    separated = np.zeros(0, dtype=bool)
    if standing.compared is not None and standing.rank[place]:
        separated = standing.compared.told_from(int(np.flatnonzero(ranked == place)[0]))
    return comparison, dict(zip(ranked.tolist(), separated.tolist(), strict=False))
