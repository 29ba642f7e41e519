"""Small random boards, and a board made from them by naive loops."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import comb
from typing import Any

import numpy as np
from hypothesis import strategies as st

from app.domain.boards.board import Board, BoardQuery, Exposure, Prospective, Rules
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, CutoffBasis, RunFact, StartedBy
from app.domain.metrics.intervals import clustered_mean
from app.domain.problems import Level, ProblemFact
from app.domain.publishing.bands import LABELS
from app.domain.windows import Window, is_exposed

FIRST = date(2024, 1, 1)
EVERYTHING = BoardQuery()
VENDORS = ["acme", "birds", "coots", "ducks"]


class World:
    """Problems, runs and cells of one protocol; shown by what it was drawn from. `samples` is how many answers to each
    item are wanted of a run, where it is more than one."""

    def __init__(
        self,
        problems: Sequence[ProblemFact],
        runs: Sequence[RunFact],
        cells: Sequence[Cell],
        drawn: tuple[object, ...],
        samples: Mapping[int, int] | None = None,
    ) -> None:
        self.problems, self.runs, self.cells, self.drawn = problems, runs, cells, drawn
        self.samples: Mapping[int, int] = samples or {}
        self.items: dict[int, int] = {}  # of each problem, as every run's cells say
        self.of: dict[tuple[int, int], list[Cell]] = defaultdict(list)
        for cell in cells:
            self.items[cell.problem] = max(self.items.get(cell.problem, 0), cell.item + 1)
            self.of[cell.run, cell.problem].append(cell)

    def cells_of(self, run: int, problem: int) -> Sequence[Cell]:
        """Those of a run on the items of a problem, in their order."""
        return self.of.get((run, problem), ())

    def __repr__(self) -> str:
        return f"World{self.drawn}"


def problem(
    number: int,
    *,
    day: int = 0,
    platform: str = "atcoder",
    level: Level | None = Level.EASY,
    cluster: str = "",
    hour: int = 12,
    setters: tuple[str, ...] = (),
) -> ProblemFact:
    """A problem released some days after `FIRST`, at noon unless told."""
    released = _noon(day).replace(hour=hour)
    cluster = cluster or f"{platform}:{day}"
    return ProblemFact(number, f"{platform}/{number}", platform, released, cluster, level, setters=setters)


def _noon(day: int) -> datetime:
    return datetime(FIRST.year, FIRST.month, FIRST.day, 12, tzinfo=UTC) + timedelta(days=day)


def run(
    number: int, *, model: str = "", configuration: str = "", trial: int = 1, cutoff: date | None = None,
    vendors: tuple[str, ...] = (), started_by: StartedBy = StartedBy.MAINTAINERS,
    registered_at: datetime | None = None, served: Collection[int] = (),
) -> RunFact:  # fmt: skip
    """A run of a model of its own, unless named."""
    return RunFact(
        id=number,
        model=model or f"model-{number}",
        name=model or f"Model {number}",
        organisation="",
        configuration=configuration,
        trial=trial,
        language="python",
        imported=False,
        demo=False,
        cutoff_on=cutoff,
        cutoff_basis=CutoffBasis.UNKNOWN if cutoff is None else CutoffBasis.DECLARED,
        vendors=vendors,
        started_by=started_by,
        registered_at=registered_at,
        served=frozenset(served),
    )


def board_of(scores: dict[int, list[float]], query: BoardQuery = EVERYTHING, **more: Any) -> Board:
    """A board over one problem per entry, each in a contest of its own on a day of its own, ten answers each."""
    size = len(next(iter(scores.values())))
    problems = [problem(place + 1, day=place) for place in range(size)]
    runs = [run(number) for number in scores]
    cells = [
        Cell(number, place + 1, 10, round(10 * rate))
        for number, own in scores.items()
        for place, rate in enumerate(own)
        if rate == rate
    ]
    return rank_board(Cube.build(problems, runs, cells, 1), runs, query, **more)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """A few dozen problems over forty days, or hundreds over more; few runs, one to three items with different
    numbers of answers, contests that may last days."""
    seed, whole = draw(st.integers(0, 2**32 - 1)), draw(st.booleans())
    rng = np.random.default_rng(seed)
    size, days = draw(st.one_of(st.tuples(st.integers(0, 40), st.just(40)), st.just((300, 120))))
    problems = []
    present = VENDORS[: int(rng.integers(0, len(VENDORS) + 1))]
    for number in range(size):
        day, platform = int(rng.integers(0, days)), str(rng.choice(["atcoder", "codeforces", "leetcode"]))
        cluster = "" if whole else f"{platform}:{day // int(rng.integers(1, 5))}"
        level = [*(LABELS if whole else Level), None][int(rng.integers(0, 4 if whole else 6))]
        hour = 12 if whole else int(rng.choice([0, 12]))
        drawn = rng.permutation(present)[:2].tolist() if rng.random() < 0.6 else []
        problems.append(
            problem(
                1000 - number, day=day, platform=platform, level=level, cluster=cluster, hour=hour,
                setters=tuple(sorted(drawn)),
            )
        )  # fmt: skip
    runs, served = [], rng.choice([0.02, 0.3])
    for number in range(draw(st.integers(0, 7))):
        cutoff = None if rng.random() < 0.3 else FIRST + timedelta(days=int(rng.integers(-10, days + 5)))
        runs.append(
            run(
                50 - number,
                model=f"m{int(rng.integers(0, 5))}",
                configuration=str(rng.choice(["", "high"])),
                trial=number,
                cutoff=cutoff,
                vendors=((), ("acme", "ac"), ("birds",), ("nobody",))[int(rng.integers(0, 4))],
                started_by=list(StartedBy)[int(rng.integers(0, 3))],
                registered_at=None if rng.random() < 0.2 else _noon(int(rng.integers(-5, days))),
                served=[one.id for one in problems if rng.random() < served] if rng.random() < 0.5 else (),
            )
        )
    gaps, items, samples = rng.choice([0.0, 0.03, 0.5]), draw(st.integers(1, 3)), draw(st.sampled_from([1, 3, 10]))
    least, skill = draw(st.sampled_from([samples, 1])), rng.choice([0.0, 0.3, 0.6, 1.0], size=len(runs))
    shape = (len(runs), len(problems), items)
    answers = np.where(rng.random(shape) >= gaps, rng.integers(least, samples + 1, shape), 0)
    passed = rng.binomial(answers, skill[:, None, None])
    waiting, failed, there = rng.random(shape) < 0.1, rng.random(shape) < 0.1, rng.random(shape) >= gaps / 2
    counts = (values[there].tolist() for values in (answers, passed, waiting.astype(int), failed.astype(int)))
    cells = [
        Cell(runs[run_place].id, problems[place].id, n, c, pending, judge_errors, int(item))
        for run_place, place, item, n, c, pending, judge_errors in zip(*np.nonzero(there), *counts, strict=True)
    ]
    wanted = {each.id: samples for each in runs} if draw(st.booleans()) else {}
    drawn = (seed, whole, size, days, len(runs), items, least, samples, bool(wanted))
    return World(tuple(problems), tuple(runs), tuple(cells), drawn, wanted)


@st.composite
def queries(draw: st.DrawFn) -> BoardQuery:
    """Any combination of filters."""
    days = st.one_of(st.none(), st.integers(-3, 125).map(lambda day: FIRST + timedelta(days=day)))
    start, end = draw(days), draw(days)
    if start is not None and end is not None and end < start:
        start, end = end, start
    return BoardQuery(
        window=Window(start, end),
        platforms=tuple(draw(st.sets(st.sampled_from(["atcoder", "codeforces", "nowhere"]), max_size=2))),
        levels=tuple(draw(st.sets(st.sampled_from(list(Level)), max_size=2))),
        languages=draw(st.sampled_from([(), (), ("python",), ("cpp",)])),
        models=tuple(draw(st.one_of(st.just(set()), st.sets(st.sampled_from(["m0", "m1", "m2"]))))),
        cutoff_before=draw(days),
        exposure=draw(st.sampled_from(Exposure)),
        rules=draw(st.sampled_from(Rules)),
        prospective=draw(st.sampled_from([Prospective.ANY, *Prospective])),
        more=draw(st.sampled_from([(), (), (("started_by", (StartedBy.VENDOR, StartedBy.FILE)),)])),
    )


@dataclass(frozen=True)
class NaiveRow:
    """What the loops find of one run."""

    run: int
    score: float | None
    ci: tuple[float, float] | None
    n: int
    covered: float  # as n, but of a problem only the part of its items and their answers that has a verdict
    kept: float  # the sum of its pass rates, where what it lacks counts as failed
    wanted: int
    exposed: int
    served: int
    prospective: bool
    fit: bool
    by_level: Mapping[Level, tuple[float | None, int]]
    parts: tuple[tuple[float | None, int], tuple[float | None, int]]
    pending: int
    judge_errors: int
    trials: int
    without_own: tuple[float | None, int] | str
    pass_at: tuple[float | None, ...]

    @property
    def judged(self) -> bool:
        """Whether anything of it is, clean or not."""
        return self.parts[0][1] + self.parts[1][1] > 0

    @property
    def stands(self) -> tuple[float, float, float]:
        """Score and interval with what it lacks counted as failed."""
        assert self.score is not None
        assert self.ci is not None
        return self.score * self.share, self.ci[0] * self.share, self.ci[1] * self.share

    @property
    def share(self) -> float:
        """The part of its score that is left so."""
        return 100 * self.kept / self.wanted / self.score if self.score else self.covered / self.wanted


def selected(world: World, query: BoardQuery) -> list[ProblemFact]:
    """The problems of a board."""
    return [
        each
        for each in world.problems
        if (_stored_inside(each, query.window) if query.rules is Rules.LCB else query.window.contains(each.released_on))
        and (not query.platforms or each.platform in query.platforms)
        and (not query.levels or each.level in query.levels)
    ]


def _stored_inside(problem: ProblemFact, window: Window) -> bool:
    """Whether LiveCodeBench's site takes a problem in: it stores them a day late, and both midnights count."""
    stored = problem.released_on + timedelta(hours=24)
    start, end = (each and datetime(each.year, each.month, each.day, tzinfo=UTC) for each in (window.start, window.end))
    return (start is None or start <= stored) and (end is None or stored <= end)


def rates(world: World, number: int, problems: Sequence[ProblemFact]) -> dict[int, float]:
    """Problem id -> mean over graded items, for problems with any."""
    found = {each.id: [cell.c / cell.n for cell in world.cells_of(number, each.id) if cell.n > 0] for each in problems}
    return {key: sum(values) / len(values) for key, values in found.items() if values}


def pass_at(world: World, number: int, problems: Sequence[ProblemFact], k: int) -> float | None:
    """In percent, by the share of all choices of k answers that hold none which passes."""
    counts = [[(cell.n, cell.c) for cell in world.cells_of(number, each.id) if cell.n > 0] for each in problems]
    counts = [items for items in counts if items]
    if not counts or any(n < k for items in counts for n, _ in items):
        return None
    means = [sum(1 - comb(n - c, k) / comb(n, k) for n, c in items) / len(items) for items in counts]
    return 100 * sum(means) / len(means)


def lacking(world: World, query: BoardQuery, number: int, problem_id: int) -> tuple[float, float]:
    """The part of a problem's items, and of the answers wanted to each, on which a run has a verdict, and its pass rate
    where the rest counts as failed; every run's cells say how many items there are."""
    needed = 1 if query.rules is Rules.LCB else world.samples.get(number, 1)
    items = world.items[problem_id]
    counts = {cell.item: cell for cell in world.cells_of(number, problem_id) if cell.n}
    parts = {item: min(1.0, cell.n / needed) for item, cell in counts.items()}
    return sum(parts.values()) / items, sum(parts[item] * counts[item].c / counts[item].n for item in counts) / items


def mean(values: Mapping[int, float], problems: Sequence[ProblemFact]) -> tuple[float | None, int]:
    """(score in percent, number) over those of `problems` that have a value."""
    present = [values[each.id] for each in problems if each.id in values]
    return (100 * sum(present) / len(present) if present else None), len(present)


def filtered(each: RunFact, query: BoardQuery) -> str:
    """The filter that leaves this run out, or nothing."""
    if query.models and each.model not in query.models:
        return "model"
    if query.languages and each.language not in query.languages:
        return "language"
    if query.cutoff_before and each.cutoff_on and each.cutoff_on >= query.cutoff_before:
        return "cutoff"
    return "started_by" if query.more and each.started_by not in dict(query.more)["started_by"] else ""


def naive_board(world: World, query: BoardQuery) -> tuple[list[NaiveRow], dict[str, int]]:
    """Rows by run id, those that filters of rows leave out among them, and how many runs each reason hides."""
    problems = selected(world, query)
    left_out = {each.id: reason for each in world.runs if (reason := filtered(each, query))}
    hidden: dict[str, int] = dict(Counter(left_out.values()))
    rows = []
    trials: dict[tuple[str, str, str], list[tuple[tuple[Any, ...], RunFact, NaiveRow]]] = {}
    for each in world.runs:
        row = naive_row(world, query, each, problems)
        if each.started_by is StartedBy.FILE:
            covers = each.imported or (row.wanted > 0 and row.covered / row.wanted >= 0.95)
            good = row.judged, covers, each.trial, each.id
        else:  # nothing that is asked for chooses among those of ours
            good = True, True, -each.trial, -each.id
        trials.setdefault((each.model, each.configuration, each.language), []).append((good, each, row))
    for those in trials.values():
        *others, (_, _, row) = sorted(those, key=lambda line: line[0])
        for other in (other for _, other, _ in others if other.id not in left_out):
            reason = "older_trial" if other.started_by is StartedBy.FILE else "later_trial"
            hidden[reason] = hidden.get(reason, 0) + 1
        hides = query.exposure is Exposure.HIDE and not row.fit
        late = query.prospective is Prospective.ONLY and not row.prospective
        reason = "unjudged" if not row.judged else "not_prospective" if late else "exposure" if hides else ""
        if row.judged and not hides:
            rows.append(row)
        if reason and row.run not in left_out:
            hidden[reason] = hidden.get(reason, 0) + 1
    return sorted(rows, key=lambda row: row.run), hidden


def may_have_seen(each: RunFact, one: ProblemFact, rules: Rules) -> bool:
    """Whether a run's model may have seen a problem: by its cutoff, or because its vendor had been sent it."""
    sent = each.started_by is StartedBy.VENDOR and one.id in each.served and rules is Rules.TIDEMARK
    return sent or is_exposed(one.released_on, each.cutoff_on)


def naive_row(world: World, query: BoardQuery, each: RunFact, problems: Sequence[ProblemFact]) -> NaiveRow:
    values = rates(world, each.id, problems)
    seen = [one for one in problems if may_have_seen(each, one, query.rules)]
    clean = [one for one in problems if one not in seen]
    registered = each.registered_at
    scored = clean if query.exposure is Exposure.SPLIT else problems
    present = [one for one in scored if one.id in values]
    estimate = clustered_mean([values[one.id] for one in present], [one.cluster for one in present])
    fit = not seen
    if query.rules is Rules.LCB:
        start = query.window.start or min((one.day for one in problems), default=FIRST)
        fit = each.cutoff_on is None or each.cutoff_on < start
    mine = [cell for one in problems for cell in world.cells_of(each.id, one.id)]
    served = len(each.served & {one.id for one in problems}) if query.rules is Rules.TIDEMARK else 0
    return NaiveRow(
        run=each.id,
        score=mean(values, scored)[0],
        ci=(100 * estimate.lo, 100 * estimate.hi) if present else None,
        n=len(present),
        covered=round(sum(lacking(world, query, each.id, one.id)[0] for one in present), 9),
        kept=sum(lacking(world, query, each.id, one.id)[1] for one in present),
        wanted=len(scored),
        exposed=len(seen),
        served=served,
        prospective=not served and registered is not None and all(registered < one.released_on for one in problems),
        fit=fit,
        by_level={level: mean(values, [one for one in scored if one.level is level]) for level in Level},
        parts=(mean(values, clean), mean(values, seen)),
        pending=sum(cell.pending for cell in mine),
        judge_errors=sum(cell.judge_errors for cell in mine),
        without_own=_without_own(each, values, problems, scored),
        pass_at=tuple(pass_at(world, each.id, scored, k) for k in (5, 10)),
        trials=sum((other.model, other.configuration) == (each.model, each.configuration) for other in world.runs),
    )


def _without_own(
    each: RunFact, values: Mapping[int, float], problems: Sequence[ProblemFact], scored: Sequence[ProblemFact]
) -> tuple[float | None, int] | str:
    """The score over problems that its own vendor did not set, or why there is none."""
    vendors = {vendor for one in problems for vendor in one.setters}
    if not vendors & set(each.vendors):
        return "no_part"
    if len(vendors) < 3:
        return "two_vendors"
    others = mean(values, [one for one in scored if not set(one.setters) & set(each.vendors)])
    return others if others[1] else "nothing_left"


def naive_ranks(rows: Sequence[NaiveRow]) -> dict[int, tuple[int, int, int]]:
    """run -> (rank, best, worst) by counting, for rows that may have a rank."""
    ranked = [row for row in rows if row.fit and row.n and row.covered / row.wanted >= 0.95]
    found = {}
    for row in ranked:
        score, lo, hi = row.stands
        found[row.run] = (
            1 + sum(round(other.stands[0], 8) > round(score, 8) for other in ranked),
            1 + sum(other.stands[1] > hi for other in ranked),
            sum(other.stands[2] >= lo for other in ranked),
        )
    return found
