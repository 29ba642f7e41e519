"""How often the contamination test speaks, in simulated worlds where the truth is known.

A world is Rasch-like: problems of sd 2 logits in contests of sd 0.5 that drift harder over time; models differ in
skill (sd 1), in discrimination (sd 0.2), by problem (sd 1) and by contest (sd 0.3). A leak lets a model solve a share
of the problems from before its cutoff almost surely, or surely.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from math import sqrt
from statistics import fmean

import numpy as np
import pytest
from numpy.typing import NDArray
from support.thinned import thinned
from support.work import little_work

from app.domain.contamination import Assessment, ContaminationFinding, Panel, Status, assess

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CUTOFF = date(2025, 1, 1)
_SURELY = 0.97
DROPS = (ContaminationFinding.EVIDENCE, ContaminationFinding.NOT_SPECIFIC)


@dataclass(frozen=True)
class World:
    """One target against controls of another time; `drift` in logits over the window, `leak` a share of problems.

    With `platform_sd` models differ by platform, and most problems move from one platform to another at the cutoff.
    Leaked problems are passed with chance `surely`; the target's `skill` is drawn unless given, and declines by as many
    logits over the window as `decline` says.
    """

    drift: float = 1.0
    leak: float = 0.0
    shift: float = 0.0
    leaky_controls: int = 0
    controls: int = 30
    pre: int = 300
    post: int = 120
    samples: int = 10
    platform_sd: float = 0.0
    surely: float = _SURELY
    skill: float | None = None
    decline: float = 0.0


def contests_of(rng: np.random.Generator, days: Ints) -> tuple[Ints, Ints]:
    """Contests of 3 to 6 problems over the sorted `days`, all of one contest on its first day."""
    sizes = rng.integers(3, 7, size=days.size)
    contest = np.repeat(np.arange(days.size), sizes)[: days.size]
    first = np.searchsorted(contest, contest)
    return contest, days[first]


def number_of(contest: Ints) -> int:
    """How many contests there are."""
    return int(contest.max()) + 1


def logits(rng: np.random.Generator, skill: Floats, contest: Ints, time: Floats, drift: float) -> Floats:
    """Of a pass, by model and problem; `time` runs from 0 to 1."""
    problems, number = contest.size, number_of(contest)
    hardness = 2 * rng.standard_normal(problems) + 0.5 * rng.standard_normal(number)[contest] + drift * (time - 0.5)
    slope = 1 + 0.2 * rng.standard_normal((skill.size, 1))
    own = rng.standard_normal((skill.size, problems)) + 0.3 * rng.standard_normal((skill.size, number))[:, contest]
    return slope * (skill[:, None] - hardness) + own


def one_target(rng: np.random.Generator, world: World) -> Assessment:
    """Model 0 is the target, the others were never exposed (or leak before the cutoff all the same)."""
    start, end = date(2024, 1, 1).toordinal(), date(2025, 6, 1).toordinal()
    apart = timedelta(days=32).days
    before = np.sort(rng.integers(start, CUTOFF.toordinal() - apart, world.pre))
    after = np.sort(rng.integers(CUTOFF.toordinal() + apart, end, world.post))
    halves = [contests_of(rng, each) for each in (before, after)]
    contest = np.concatenate([halves[0][0], halves[1][0] + world.pre])
    _, contest = np.unique(contest, return_inverse=True)
    days = np.concatenate([halve[1] for halve in halves])
    time = (days - start) / (end - start)
    models = world.controls + 1
    skill = rng.standard_normal(models)
    skill[0] = skill[0] if world.skill is None else world.skill
    chance = logits(rng, skill, contest, time, world.drift)
    chance[0, : world.pre] += world.shift
    chance[0] -= world.decline * (time - 0.5)
    moved = rng.random(number_of(contest)) < np.where(np.arange(number_of(contest)) < contest[world.pre], 0.3, 0.7)
    platform = moved[contest].astype(np.int64)
    chance += world.platform_sd * rng.standard_normal((models, 2))[:, platform]
    chance = 1 / (1 + np.exp(-chance))
    leaked = rng.random((models, world.pre)) < world.leak
    leaked[1 + world.leaky_controls :] = False
    if world.leaky_controls:
        leaked[1 : 1 + world.leaky_controls] = rng.random((world.leaky_controls, world.pre)) < 0.2
    chance[:, : world.pre][leaked] = world.surely
    c = rng.binomial(world.samples, chance)
    n = np.full(c.shape, world.samples)
    cutoffs = [CUTOFF] + [date(2023, 1, 1)] * world.controls
    panel = Panel.of(
        n, c, days, contest, platform if world.platform_sd else np.zeros_like(platform), cutoffs, range(models)
    )
    (found,) = assess(panel, targets=[0], end=date.fromordinal(end))
    return found


def at_most(rate: float, worlds: int) -> float:
    """A share of worlds that a true rate exceeds once in 1,000 runs."""
    return rate + 3.1 * sqrt(rate * (1 - rate) / worlds)


def rejected(seed: int, worlds: int, world: World) -> tuple[float, float]:
    """The share of worlds with p < .05, and the mean effect."""
    share, _, effect = tried(seed, worlds, world)
    return share, effect


def tried(seed: int, worlds: int, world: World) -> tuple[float, float, float]:
    """The share of worlds with p < .05, of those with evidence, and the mean effect."""
    rng = np.random.default_rng(seed)
    found = [one_target(rng, world) for _ in range(worlds)]
    drops = [each.drop for each in found if each.drop is not None]
    assert len(drops) == worlds
    return (
        fmean(drop.p < 0.05 for drop in drops),
        fmean(each.evidence for each in found),
        fmean(drop.effect for drop in drops),
    )


@dataclass(frozen=True)
class Board:
    """60 models with staggered cutoffs over 36 months; `share` of them leak a share `leak` of what came before."""

    share: float = 0.2
    leak: float = 0.2
    drift: float = 2.0
    models: int = 60
    problems: int = 900


def board(rng: np.random.Generator, world: Board) -> tuple[tuple[Assessment, ...], NDArray[np.bool_]]:
    """Assessments of all models, and which models leak."""
    start, end = date(2023, 1, 1).toordinal(), date(2026, 1, 1).toordinal()
    contest, days = contests_of(rng, np.sort(rng.integers(start, end, world.problems)))
    chance = logits(rng, rng.standard_normal(world.models), contest, (days - start) / (end - start), world.drift)
    chance = 1 / (1 + np.exp(-chance))
    cutoffs = rng.integers(start - 90, end - 30, world.models)
    leaky = rng.random(world.models) < world.share
    seen = (days < cutoffs[:, None]) & leaky[:, None] & (rng.random(chance.shape) < world.leak)
    chance[seen] = _SURELY
    dates = [date.fromordinal(int(cutoff)) for cutoff in cutoffs]
    n = np.full(chance.shape, 10)
    panel = Panel.of(n, rng.binomial(n, chance), days, contest, ["x"] * days.size, dates, range(world.models))
    return assess(panel, end=date.fromordinal(end)), leaky


def boards(seed: int, worlds: int, world: Board) -> dict[str, float]:
    """Over many boards: null rate, power to find a drop, and to call it evidence where both checks agree, false
    discovery rate, coverage of 0, models assessed on a board."""
    rng = np.random.default_rng(seed)
    counts: dict[str, list[float]] = {name: [] for name in ("null", "power", "evidence", "fdr", "covered", "assessed")}
    for _ in range(worlds):
        found, leaky = board(rng, world)
        drops = [(each, each.drop, bool(leaky[each.model])) for each in found if each.drop is not None]
        counts["null"] += [drop.p < 0.05 for _, drop, leaks in drops if not leaks]
        counts["covered"] += [drop.lo <= 0 <= drop.hi for _, drop, leaks in drops if not leaks]
        counts["power"] += [each.finding in DROPS for each, _, leaks in drops if leaks]
        counts["evidence"] += [each.evidence for each, _, leaks in drops if leaks]
        false = [not leaks for each, _, leaks in drops if each.finding in DROPS]
        counts["fdr"].append(fmean(false) if false else 0.0)
        counts["assessed"].append(len(drops))
    return {name: fmean(count) if count else 0.0 for name, count in counts.items()}


def test_a_model_that_saw_nothing_is_rarely_flagged_though_problems_drift_by_two_logits() -> None:
    share, effect = rejected(1, 30, World(drift=2))
    assert share <= at_most(0.06, 30)
    assert abs(effect) <= 1.5


def test_a_leak_of_a_fifth_is_usually_found() -> None:
    share, evidence, effect = tried(2, 20, World(leak=0.2))
    assert share >= 0.85
    assert evidence >= 0.7
    assert 8 <= effect <= 12


def test_a_model_that_declines_all_the_time_is_tested_as_if_it_dropped_and_rarely_called_so() -> None:
    share, evidence, effect = tried(10, 20, World(decline=2))
    assert share >= 0.9
    assert effect >= 10
    assert evidence <= at_most(0.05, 20)


def test_a_model_that_saw_nothing_is_hardly_ever_flagged() -> None:
    _, evidence, _ = tried(11, 20, World())
    assert evidence <= at_most(0.02, 20)


@pytest.mark.parametrize("samples", [1, 10])
@pytest.mark.parametrize("leak", [0.95, 0.99, 1.0])
def test_a_leak_of_all_problems_is_found(leak: float, samples: int) -> None:
    rng = np.random.default_rng(8)
    found = [one_target(rng, World(leak=leak, surely=1.0, samples=samples)) for _ in range(3)]
    assert all(each.evidence for each in found)
    assert leak < 1 or all(each.smoothed for each in found)


@pytest.mark.parametrize(("drift", "skill"), [*thinned(product((1.0, 2.0), (8.0, -8.0)), 3)])
def test_a_model_that_passes_everything_or_nothing_by_itself_is_not_flagged(drift: float, skill: float) -> None:
    rng = np.random.default_rng(9)
    found = [one_target(rng, World(drift=drift, skill=skill, samples=1, controls=12)) for _ in range(50)]
    smoothed = [each for each in found if each.smoothed]
    assert len(smoothed) >= 15
    assert fmean(each.drop is not None and each.drop.p < 0.05 for each in smoothed) <= at_most(0.05, len(smoothed))
    assert not any(each.evidence for each in smoothed)


def test_platforms_are_told_apart_from_the_cutoff() -> None:
    share, _ = rejected(3, 20, World(platform_sd=1))
    assert share <= at_most(0.06, 20)


def test_a_board_of_sixty_models_takes_seconds() -> None:
    with little_work():
        found, _ = board(np.random.default_rng(7), Board())
    assert len(found) == 60
    assert sum(each.status == Status.ASSESSED for each in found) >= 20


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "world",
    [
        World(),
        World(drift=2),
        World(platform_sd=1),
        World(leaky_controls=10),
        World(controls=10),
        World(samples=1),
        World(post=60),
    ],
    ids=str,
)
def test_the_size_holds_in_every_world(world: World) -> None:
    share, _ = rejected(4, 2000, world)
    assert share <= at_most(0.05, 2000)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("world", "power"),
    [
        (World(leak=0.2), 0.85),
        (World(leak=0.2, drift=2), 0.85),
        (World(leak=0.3), 0.95),
        (World(leak=0.1), 0.45),
        (World(leak=0.2, controls=10), 0.78),
        (World(leak=0.2, post=300), 0.93),
        (World(leak=0.2, samples=1), 0.5),
        (World(shift=0.5), 0.7),
    ],
    ids=str,
)
def test_the_power_holds_in_every_world(world: World, power: float) -> None:
    share, _ = rejected(5, 1000, world)
    assert share >= power


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("world", "power", "evidence"),
    [
        (Board(), 0.7, 0.6),
        (Board(share=0.0), 0.0, 0.0),
        (Board(share=0.5), 0.8, 0.65),
        (Board(leak=0.1), 0.1, 0.0),
        (Board(leak=0.3), 0.9, 0.8),
    ],
    ids=str,
)
def test_a_board_flags_those_who_leak_and_few_others(world: Board, power: float, evidence: float) -> None:
    """Who leaks has a drop as often as ever; the checks that make it evidence cost some of that."""
    found = boards(6, 60, world)
    assert found["assessed"] >= 20
    assert found["null"] <= 0.06
    assert found["fdr"] <= at_most(0.05, 60)
    assert found["power"] >= power
    assert found["evidence"] >= evidence
    assert found["covered"] >= 0.93
