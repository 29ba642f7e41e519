"""A model under one protocol: its place on the board, its skills, its configurations and its newest answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from app.db.boards import trials
from app.db.boards.cells import ProtocolFact
from app.db.boards.trials import configuration_label
from app.db.evidence import profiles as store
from app.db.evidence.profiles import PublicRunLine
from app.db.kernel.session import Session
from app.db.runs import results
from app.db.runs.results import RunVoiding
from app.domain.boards.board import Board, BoardRow, RunUsage
from app.domain.boards.named_boards import board_of, board_place
from app.domain.boards.selection import Selection
from app.domain.errors import UnknownName
from app.domain.states import RunState
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore, LoadedProtocol
from app.services.evidence import run_evidence
from app.services.evidence.run_evidence import RunEvidence
from app.services.runs import result_views, usage
from app.services.runs.result_views import CellFilter, ModelView, RunView, standing_of

MAX_TOPICS = 8


@dataclass(frozen=True, slots=True)
class SkillScore:
    """Mean pass rate in percent over the `n` judged problems of a level, a topic or a scenario; None without any."""

    name: str
    score: float | None
    n: int


@dataclass(frozen=True, slots=True)
class ScenarioScore:
    """A skill in a scenario, with the board that shows it and the protocol it was measured under."""

    board: str
    protocol: str
    score: float
    n: int


@dataclass(frozen=True, slots=True)
class TrialLine:
    """One run of the model under the protocol, with its row on the board, or the reason why it has none.

    `standing` and `voided` are as `RunView` has them.
    """

    configuration: str
    trial: int
    standing: str
    row: BoardRow | None
    hidden: str | None
    voided: RunVoiding | None
    usage: RunUsage

    @property
    def cost_per_solve(self) -> float | None:
        """Mean cost of one solved problem in dollars; None if a price or a score is unknown, or nothing is solved."""
        cost, score = self.usage.cost_per_problem, None if self.row is None else self.row.score
        return None if cost is None or not score else 100 * cost / score


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """A model under the protocol `shown`; `run` is the run shown, `line` that run on the protocol's board.

    `board` is the view that the protocol's board opens with, None for a protocol that no board shows. Levels and topics
    are over its problems, scenarios over all problems judged in each. Without any public run there is no protocol.
    """

    view: ModelView
    protocols: tuple[tuple[ProtocolFact, str | None], ...]
    shown: ProtocolFact | None
    board: Board | None
    run: RunView | None
    lines: tuple[TrialLine, ...]
    line: TrialLine | None
    topics: tuple[SkillScore, ...]
    scenarios: tuple[ScenarioScore, ...]
    evidence: RunEvidence | None

    @property
    def ranked(self) -> int:
        """Number of rows with a rank on the board."""
        return 0 if self.board is None else sum(row.rank is not None for row in (*self.board.rows, *self.board.beside))

    @property
    def levels(self) -> tuple[SkillScore, ...]:
        """Scores on the levels that the board shows."""
        row = None if self.line is None else self.line.row
        return () if row is None else tuple(SkillScore(name, *score) for name, score in row.by_difficulty.items())


def model_profile(session: Session, slug: str, cubes: CubeStore, cells: CellFilter, today: date) -> ModelProfile:
    """Return a model under the protocol, configuration and trial of `cells`, or under those that say most of it.

    By default that is the first board's default protocol, the configuration highest on the board, and its standing
    trial. Raises NotFound for an unknown model, and UnknownName for a protocol or configuration without a public run.
    """
    model = result_views.find_model(session, slug)
    protocols = _by_board(store.protocols_of_model(session, model.id))
    fact = _choose_protocol(protocols, cells.protocol)
    others, every = trials.other_trials_of_model(session, model.id), store.public_runs(session, model.id)
    runs = [run for run in every if fact is not None and run.protocol_id == fact.id]
    board, loaded = (None, None) if fact is None else _opening_board(session, fact, cubes, today)
    lines = _trial_lines(session, runs, others, board, slug)
    line = _choose_line(lines, cells)
    shown = replace(
        cells,
        protocol=None if fact is None else fact.slug,
        configuration=None if line is None else line.configuration,
        trial=0 if line is None else line.trial,
    )
    view = result_views.model(session, slug, shown)
    run = next(iter(view.runs), None)
    return ModelProfile(
        view=view,
        protocols=protocols,
        shown=fact,
        board=board,
        run=run,
        lines=tuple(lines),
        line=line,
        topics=() if board is None or loaded is None or run is None else _topics(session, loaded, board, run.id),
        scenarios=_scenarios(session, protocols, every, others, line),
        evidence=None if run is None else run_evidence.evidence_by_run(session, view)[run.id],
    )


def _by_board(facts: Sequence[ProtocolFact]) -> tuple[tuple[ProtocolFact, str | None], ...]:
    """Return the protocols with their boards, in the order of the boards; each board's default protocol comes first."""
    ordered = sorted(facts, key=lambda fact: (*board_place(fact.protocol), fact.id))
    return tuple((fact, board_of(fact.protocol)) for fact in ordered)


def _choose_protocol(protocols: Sequence[tuple[ProtocolFact, str | None]], slug: str | None) -> ProtocolFact | None:
    if slug is None:
        return protocols[0][0] if protocols else None
    chosen = next((fact for fact, _ in protocols if fact.slug == slug), None)
    if chosen is None:
        raise UnknownName("protocol", slug, [fact.slug for fact, _ in protocols], where="among this model's runs")
    return chosen


def _opening_board(
    session: Session, fact: ProtocolFact, cubes: CubeStore, today: date
) -> tuple[Board, LoadedProtocol] | tuple[None, None]:
    if board_of(fact.protocol) is None:
        return None, None
    loaded = cubes.load(session, fact)
    return board_views.opening_board(session, loaded, cubes, today), loaded


def _trial_lines(
    session: Session, runs: Sequence[PublicRunLine], others: frozenset[int], board: Board | None, slug: str
) -> list[TrialLine]:
    """Return the runs in the order of the board; those that it does not show come last."""
    rows = {} if board is None else {row.run: (place, row) for place, row in enumerate(board.rows)}
    hidden = {} if board is None else {row.configuration: row.reason for row in board.hidden if row.model == slug}
    voids, used = results.voided_runs(session, slug), usage.costs_by_run(session, [run.id for run in runs])

    def place(run: PublicRunLine) -> tuple[int, bool, bool]:
        return rows[run.id][0] if run.id in rows else len(rows), run.id in others, run.state == RunState.RETIRED

    ordered = sorted(runs, key=place)
    lines = []
    for run in ordered:
        label = configuration_label(run.configuration)
        row = rows[run.id][1] if run.id in rows else None
        standing = standing_of(run.id, others, voided=run.voided_at is not None)
        lines.append(
            TrialLine(
                configuration=label,
                trial=run.trial,
                standing=standing,
                row=row,
                hidden=hidden.get(label) if row is None and standing == "stands" else None,
                voided=voids.get(run.id),
                usage=used.get(run.id, RunUsage()),
            )
        )
    return lines


def _choose_line(lines: Sequence[TrialLine], cells: CellFilter) -> TrialLine | None:
    chosen = [
        line
        for line in lines
        if cells.configuration in (None, line.configuration) and cells.trial in (None, line.trial)
    ]
    if lines and not chosen:
        names = sorted({line.configuration for line in lines})
        raise UnknownName("configuration", cells.configuration or "", names, where="under this protocol")
    return next((line for line in chosen if line.standing == "stands"), next(iter(chosen), None))


def _topics(session: Session, loaded: LoadedProtocol, board: Board, run: int) -> tuple[SkillScore, ...]:
    """Return the topics with the most judged problems of the board's window, the most frequent first."""
    axes = loaded.cube.axes
    column = axes.columns_of(np.array([run], dtype=np.int64))
    if column[0] < 0:
        return ()
    rates: dict[int, float] = {}
    for rows, (rate, graded) in loaded.cube.pass_rates(np.flatnonzero(Selection.of(axes, board.query).chosen), column):
        judged = graded[:, 0]
        rates |= dict(zip(axes.ids[rows[judged]].tolist(), rate[judged, 0].tolist(), strict=True))
    by_topic: dict[str, list[float]] = {}
    for problem, topics in store.topics(session, rates.keys()).items():
        for topic in topics:
            by_topic.setdefault(topic, []).append(rates[problem])
    most = sorted(by_topic.items(), key=lambda entry: (-len(entry[1]), entry[0]))[:MAX_TOPICS]
    return tuple(SkillScore(topic, 100 * sum(values) / len(values), len(values)) for topic, values in most)


def _scenarios(
    session: Session,
    protocols: Sequence[tuple[ProtocolFact, str | None]],
    runs: Sequence[PublicRunLine],
    others: frozenset[int],
    line: TrialLine | None,
) -> tuple[ScenarioScore, ...]:
    """Return the score on each board: of the configuration shown if it has one there, under its first protocol."""
    by_protocol: dict[int, list[PublicRunLine]] = {}
    for run in runs:
        if run.id not in others:
            by_protocol.setdefault(run.protocol_id, []).append(run)
    configuration = "" if line is None else line.configuration
    chosen: dict[str, tuple[ProtocolFact, int]] = {}
    for fact, board in protocols:
        standing = by_protocol.get(fact.id, [])
        same = [run for run in standing if configuration_label(run.configuration) == configuration]
        for run in [*same, *standing][:1]:
            if board is not None:
                chosen.setdefault(board, (fact, run.id))
    counts: dict[int, list[store.RateCount]] = {}
    for count in store.rate_counts(session, [run for _, run in chosen.values()]):
        counts.setdefault(count.run, []).append(count)
    return tuple(
        ScenarioScore(board, fact.slug, *_mean(counts[run])) for board, (fact, run) in chosen.items() if run in counts
    )


def _mean(counts: Sequence[store.RateCount]) -> tuple[float, int]:
    problems = sum(count.problems for count in counts)
    return 100 * sum(count.problems * count.c / count.n for count in counts) / problems, problems


def months_of(profile: ModelProfile) -> Sequence[Mapping[str, Any]]:
    """Return the months of the run shown."""
    return () if profile.evidence is None else profile.evidence.months
