"""The ease of problems from cells to rows: written once by the clock's report, the same for every model that comes."""

from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from factories import World
from sqlalchemy import Connection, delete, select
from sqlalchemy.exc import IntegrityError
from support.servers import Servers, rolled_back

from app.db.boards import cells
from app.db.evidence import evidence
from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.db.tables import Difficulty, Problem, ProtocolRow, ReportRow
from app.domain.asking.protocols import LCB, LCB_REPAIR
from app.domain.boards.board import BoardQuery
from app.domain.composites import task_ease
from app.domain.composites.ease import MIN_MODELS
from app.domain.problems import Level
from app.domain.states import RunOrigin
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.evidence import composites, ease, reports
from app.services.evidence.composites import CompositeRow, CompositeTable
from workers.context import Context
from workers.upkeep import make_reports

FILES = replace(LCB, slug="files")
QUERY = BoardQuery(protocol="files")
SCALE = "ease/codegen"
FIRST = date(2026, 1, 1)


class Made:
    """A protocol's problems and models with their true ease and skill, and the answers drawn from them."""

    def __init__(self, session: Session, folder: Path) -> None:
        self.world = World(session, protocol=FILES)
        self.session, self.cubes, self.now = session, CubeStore(folder), self.world.now
        self.rng = np.random.default_rng(7)
        self.problems: list[Problem] = []
        self.truth: list[float] = []
        self.results: dict[str, list[float]] = {}

    def more_problems(self, count: int, shift: float = 0.0) -> Sequence[Problem]:
        first = len(self.problems)
        for place in range(first, first + count):
            day = FIRST + timedelta(days=place)
            self.problems.append(self.world.problem(f"p{place}", day=day, source="atcoder", level=place % 3 + 1))
        self.truth += [shift + 3.0 * (place / count - 0.5) for place in range(count)]
        return self.problems[first:]

    def model(self, name: str, skill: float, problems: Sequence[Problem], *, public: bool = True) -> None:
        run = self.world.run(name, cutoff_on=date(2025, 1, 1), origin=RunOrigin.IMPORTED, public=public)
        for problem in problems:
            place = self.problems.index(problem)
            passed = int(self.rng.random() < 1 / (1 + np.exp(-(skill + self.truth[place]))))
            self.results.setdefault(name, []).append(passed)
            self.world.imported(run, problem, 1, passed, row=place)

    def report(self) -> None:
        """What the clock does until nothing is due, a day later each time."""
        self.world.count()
        self.now += timedelta(days=1)
        while (work := reports.claim_due_report(self.session, self.cubes, self.now)) is not None:
            reports.store_report(self.session, work, work.make(), self.now)

    def frozen(self) -> dict[int, float]:
        return difficulties.frozen_values(self.session, SCALE)

    def again(self, session: Session, folder: Path) -> "Made":
        """The same in a session that begins where this one's ended."""
        made = copy(self)
        made.session, made.cubes = session, CubeStore(folder)
        sources = {slug: session.merge(source, load=False) for slug, source in self.world._sources.items()}
        made.world = replace(self.world, session=session, _sources=sources)
        made.problems = [session.merge(problem, load=False) for problem in self.problems]
        made.rng, made.truth, made.results = deepcopy((self.rng, self.truth, self.results))
        return made

    def table(self) -> CompositeTable:
        return composites.composites(self.session, *board_views.board_with_cube(self.session, QUERY, self.cubes))


@pytest.fixture(scope="module")
def arranged(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Connection, Made]]:
    found: list[Made] = []

    def arrange(session: Session) -> None:
        found.append(Made(session, tmp_path_factory.mktemp("cubes")))
        found[0].more_problems(30)
        for number in range(MIN_MODELS):
            found[0].model(f"m{number}", 0.5 * number - 1, found[0].problems)
        found[0].world.count()

    with servers.arranged(arrange) as connection:
        yield connection, found[0]


@pytest.fixture
def made(arranged: tuple[Connection, Made], tmp_path: Path) -> Iterator[Made]:
    """Thirty problems that five models tried, counted."""
    connection, found = arranged
    with rolled_back(connection) as maker, maker() as session:
        yield found.again(session, tmp_path)


def _rows(table: CompositeTable) -> dict[str, CompositeRow]:
    return {row.row.model: row for row in table.rows}


def test_a_new_model_changes_nothing_of_the_old_rows(made: Made) -> None:
    made.report()
    frozen, before = made.frozen(), made.table()
    rates = np.array([made.results[f"m{number}"] for number in range(MIN_MODELS)])
    assert [frozen[problem.id] for problem in made.problems] == pytest.approx(task_ease(rates), abs=1e-6)
    assert before.with_ease == 30
    for number in range(3):
        made.model(f"new{number}", 4.0, made.problems)
    made.report()
    assert made.frozen() == frozen
    old, new = _rows(before), _rows(made.table())
    assert set(new) > set(old)
    for name, row in old.items():
        assert (new[name].dapr, new[name].lo, new[name].hi, new[name].weighted) == (
            row.dapr, row.lo, row.hi, row.weighted,
        )  # fmt: skip


def test_new_problems_get_theirs_once_enough_models_have_tried_them(made: Made) -> None:
    made.report()
    frozen = made.frozen()
    hard = made.more_problems(10, shift=-3.0)
    for number in range(MIN_MODELS - 1):
        made.model(f"late{number}", 0.5 * number - 1, made.problems)
    made.model("hidden", 0.0, made.problems, public=False)
    made.report()
    assert made.frozen() == frozen, "four public models are not enough"
    made.model("last", 1.0, made.problems)
    made.report()
    found = made.frozen()
    assert found.keys() == {problem.id for problem in made.problems}
    assert {each: found[each] for each in frozen} == frozen
    mean = np.mean([found[each.id] for each in hard])
    assert mean < np.mean(list(frozen.values())) - 4, "on the old scale, where they are hard"


def test_a_second_look_writes_nothing(made: Made) -> None:
    made.report()
    rows = select(Difficulty.problem_id, Difficulty.scale, Difficulty.value, Difficulty.observed_at)
    before = sorted(made.session.execute(rows).all())
    made.session.execute(delete(ReportRow))
    made.report()
    assert sorted(made.session.execute(rows).all()) == before
    protocol = made.session.scalars(select(ProtocolRow.id).where(ProtocolRow.slug == "files")).one()
    kept = evidence.report(made.session, ease.KIND, protocol)
    assert kept is not None
    assert kept.body == {"problems": 30, "runs": 5, "runs_left_out": 0, "frozen": 30, "written": 0}


def test_an_ease_is_no_difficulty_of_a_site(made: Made) -> None:
    bare = made.world.catalogued("bare", day=FIRST, source="atcoder", level=None)
    made.problems.append(bare)
    made.truth.append(0.0)
    for number in range(MIN_MODELS):
        made.model(f"bare{number}", 0.0, made.problems)
    made.world.count()
    before, binned = board_views.board(made.session, QUERY, made.cubes), cells.levels(made.session)
    made.report()
    assert bare.id in made.frozen()
    after = board_views.board(made.session, QUERY, made.cubes)
    assert cells.levels(made.session) == binned
    assert bare.id not in binned
    assert after.by_level == before.by_level
    assert after.facets["difficulty"] == before.facets["difficulty"]


def test_a_scenario_has_eases_of_its_own_over_all_its_protocols(made: Made) -> None:
    extra = made.more_problems(25)
    for number in range(MIN_MODELS):
        model = made.world.model(f"fixer{number}", cutoff_on=date(2025, 1, 1))
        repair = made.world.run(model, protocol=LCB_REPAIR, origin=RunOrigin.IMPORTED)
        other = made.world.run(model, protocol=replace(LCB, slug="more", language="cpp"), origin=RunOrigin.IMPORTED)
        for place, each in enumerate(extra):
            made.world.imported(repair, each, 1, int((place + number) % 3 > 0), row=place)
            made.world.imported(other, each, 1, int((place + number) % 4 > 0), row=place)
    made.report()
    assert made.frozen().keys() == {problem.id for problem in made.problems}, "one fit over two protocols"
    repairs = difficulties.frozen_values(made.session, "ease/self_repair")
    assert repairs.keys() == {each.id for each in extra}
    assert all(made.frozen()[repair] != repairs[repair] for repair in repairs)


def test_levels_that_lack_problems_are_told(made: Made) -> None:
    hard = [problem for place, problem in enumerate(made.problems) if place % 3 == 2]
    made.model("easy-only", 0.0, [problem for problem in made.problems if problem not in hard])
    made.world.count()
    row = _rows(made.table())["easy-only"]
    assert (row.weighted, row.lacking) == (None, (Level.HARD,))
    assert row.dapr is None, "nothing is frozen yet"
    assert made.table().with_ease == 0
    other = _rows(made.table())["m0"]
    passed = [other.levels[level].passed for level in composites.LEVELS]
    assert other.weighted == pytest.approx(100 * (passed[0] + 2 * passed[1] + 3 * passed[2]) / 10 / 6)
    assert other.lacking == other.incomplete == ()


def test_nothing_is_written_on_a_scale_that_has_moved_on(made: Made) -> None:
    made.world.count()
    [problem, other, *_] = [problem.id for problem in made.problems]
    now = made.world.now
    assert difficulties.freeze(made.session, SCALE, {problem: 20.0}, 0, now) == 1
    assert difficulties.freeze(made.session, SCALE, {other: 20.0}, 0, now) == 0
    assert difficulties.freeze(made.session, SCALE, {}, 1, now) == 0
    assert difficulties.freeze(made.session, SCALE, {problem: 21.0, other: 22.0}, 1, now + timedelta(days=1)) == 2
    assert made.frozen() == {problem: 20.0, other: 22.0}
    made.session.add(Difficulty(problem_id=problem, scale=SCALE, value=30.0, observed_at=now + timedelta(days=2)))
    with pytest.raises(IntegrityError):
        made.session.flush()


def test_of_too_many_runs_those_with_most_results_take_part(made: Made) -> None:
    made.model("short", 0.0, made.problems[:3])
    made.world.count()
    loaded = [made.cubes.load(made.session, protocol) for protocol in cells.protocols(made.session)]
    given = ease.prepare(made.session, loaded)
    whole, cut = ease.measure_ease(given), ease.measure_ease(given, 5 * 30 + 29)
    assert (whole["runs"], whole["runs_left_out"]) == (6, 0)
    assert (cut["runs"], cut["runs_left_out"]) == (5, 1)
    assert len(cut["values"]) == 30
    assert ease.measure_ease(given, 4 * 30)["values"] == {}, "four models are not enough"


def test_the_clock_s_task_freezes(ctx: Context, tmp_path: Path) -> None:
    with ctx.sessions.begin() as session:
        started = Made(session, tmp_path)
        started.more_problems(20)
        for number in range(MIN_MODELS):
            started.model(f"m{number}", number - 2.0, started.problems)
        started.world.count()
    make_reports()
    with ctx.sessions.begin() as session:
        assert len(difficulties.frozen_values(session, SCALE)) == 20
