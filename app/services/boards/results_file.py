"""A board made of a results file alone, as the installation that wrote it shows it; needs no database."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from app.db.boards.cells import ProtocolFact
from app.db.boards.trials import configuration_label
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, Protocol
from app.domain.boards import named_boards
from app.domain.boards.board import Board, BoardQuery, HiddenRow
from app.domain.boards.lineup import Lineup
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact, StartedBy
from app.domain.cutoffs import cutoff_of
from app.domain.errors import InvalidInput
from app.domain.exports import as_imported
from app.domain.imports import ImportBatch, ImportedModel, ImportedProblem, ImportedRun
from app.domain.known_models import find_known_model, with_known_dates
from app.domain.problems import ProblemFact
from app.domain.publishing.bands import label_of
from app.domain.scenarios import shipped_protocols
from app.domain.states import RunOrigin, RunState
from app.services.boards.board_views import earlier_answers, rank_loaded
from app.services.boards.cubes import LoadedProtocol
from app.services.boards.filter_values import check_filter_values


def board_of(
    batch: ImportBatch, query: BoardQuery, today: date, protocol: str | None = None, reference: str | None = None
) -> Board:
    """Return the board that `query` asks of a file; `protocol` may be left out if the file has one for this board.

    Models without known dates count as registered `today`. Cells with n = 0 are missing answers. Raises InvalidInput
    when the protocol, the reference or a filter's value is not in the file.
    """
    loaded = load_results(batch, query.board, today, protocol)
    check_filter_values(loaded, query)
    boards = {protocol.slug: named_boards.board_of(protocol) for protocol in _original_protocols(_runs(batch))}

    def find(slug: str) -> LoadedProtocol | None:
        board = boards.get(slug)
        return None if board is None else load_results(batch, board, today, slug)

    query = replace(query, protocol=loaded.protocol.slug)
    return rank_loaded(loaded, query, reference, {}, earlier_answers(loaded, find))


def load_results(batch: ImportBatch, board: str, today: date, protocol: str | None = None) -> LoadedProtocol:
    """Return one protocol of a file, loaded; ids count from 1 in the file's order. Raises as `board_of` does."""
    file_runs = _runs(batch)
    protocol_by_run = {
        run.key: protocol for run, protocol in zip(file_runs, _original_protocols(file_runs), strict=True)
    }
    scope = _choose_protocol(batch.file_name, protocol_by_run.values(), board, protocol)
    runs = {run.key: (number, run) for number, run in enumerate(file_runs, 1) if protocol_by_run[run.key] == scope}
    cells = [cell for cell in batch.cells if cell.model in runs]
    names = {(cell.source, cell.problem) for cell in cells}
    demo = {source.slug: source.demo for source in batch.sources}
    problems = {
        (problem.source, problem.external_id): _problem_fact(number, problem, scope, demo=demo[problem.source])
        for number, problem in enumerate(batch.problems, 1)
        if (problem.source, problem.external_id) in names
    }
    models = {model.slug: model for model in batch.models}
    facts = {key: _run_fact(number, run, models[run.model], scope, today) for key, (number, run) in runs.items()}
    retired = {key for key, (_, run) in runs.items() if run.state is RunState.RETIRED}
    entries = [fact for key, fact in facts.items() if key not in retired]
    wanted: dict[int, set[int]] = {fact.id: set() for fact in entries if scope.imported or scope.recorded}
    counted = []
    for cell in cells:
        run, problem = facts[cell.model].id, problems[cell.source, cell.problem].id
        counted.append(Cell(run, problem, cell.n, cell.c, cell.pending, cell.judge_errors, cell.item))
        if run in wanted:
            wanted[run].add(problem)
    return LoadedProtocol(
        protocol=ProtocolFact(0, scope.slug, scope.title, scope),
        axes_revision=0,
        lineup=Lineup.of(entries),
        wanted={run: frozenset(numbers) for run, numbers in wanted.items()},
        unpublished={},
        retired=tuple(
            HiddenRow(fact.model, fact.configuration, "retired") for key, fact in facts.items() if key in retired
        ),
        absent={},
        cube=Cube.build(list(problems.values()), entries, counted, 0),
    )


def _runs(batch: ImportBatch) -> Sequence[ImportedRun]:
    """Return the runs of a file, or one of each model if it lists none."""
    if batch.runs:
        return batch.runs
    protocol = next(protocol for protocol in BUILT_IN_PROTOCOLS if protocol.slug == batch.protocol)
    return [
        ImportedRun(
            key=model.slug,
            model=model.slug,
            protocol=protocol,
            configuration={},
            trial=1,
            state=RunState.ACTIVE,
            origin=RunOrigin.IMPORTED,
            demo=False,
            n_inferred=model.n_inferred,
            listed_on=model.listed_on,
        )
        for model in batch.models
    ]


def _original_protocols(runs: Iterable[ImportedRun]) -> Iterator[Protocol]:
    """Yield the protocol that each run has in the installation that exported it."""
    by_import_slug = {as_imported(protocol).slug: protocol for protocol in shipped_protocols().values()}
    return (by_import_slug[run.protocol.slug] if run.origin == RunOrigin.OWN else run.protocol for run in runs)


def _choose_protocol(file: str, protocols: Iterable[Protocol], board: str, name: str | None) -> Protocol:
    by_slug = {protocol.slug: protocol for protocol in protocols}
    fitting = {slug: protocol for slug, protocol in by_slug.items() if named_boards.board_of(protocol) == board}
    if name is not None and name in fitting:
        return fitting[name]
    if name is not None or not fitting:
        contents = f"results of protocol {name!r}" if name is not None else "results"
        raise InvalidInput(
            f"{file} holds no {contents} for board {board}; it has {', '.join(by_slug)}", pointer="/protocol"
        )
    if len(fitting) > 1:
        message = f"{file} holds results of several protocols, so name one with --protocol: {', '.join(fitting)}"
        raise InvalidInput(message, pointer="/protocol")
    return next(iter(fitting.values()))


def _problem_fact(number: int, problem: ImportedProblem, scope: Protocol, *, demo: bool) -> ProblemFact:
    """Return a problem; its cluster is the file's, else its release moment, or its release day in results of others."""
    assert problem.released_on is not None  # every row of such a file has its date
    moment = problem.released_on.date() if scope.imported else problem.released_on
    return ProblemFact(
        id=number,
        slug=f"{problem.source}/{problem.external_id}",
        platform=problem.source,
        released_on=problem.released_on,
        cluster=(not scope.imported and problem.cluster) or f"{problem.source}:{moment.isoformat()}",
        level=label_of(dict([problem.difficulty])) if problem.difficulty else None,
        demo=demo,
        tests=problem.tests_origin,
    )


def _run_fact(number: int, run: ImportedRun, model: ImportedModel, scope: Protocol, today: date) -> RunFact:
    model = model if run.demo else with_known_dates(model)
    cutoff, basis = cutoff_of(model.cutoff_on, model.released_on, model.registered_on or today)
    return RunFact(
        id=number,
        model=model.slug,
        name=model.name,
        organisation=model.organisation,
        configuration=configuration_label(run.configuration),
        trial=run.trial,
        language=scope.language,
        imported=run.origin != RunOrigin.OWN,
        demo=run.demo,
        cutoff_on=cutoff,
        cutoff_basis=basis,
        released_on=model.released_on,
        n_inferred=run.n_inferred,
        listed_on=run.listed_on,
        started_by=StartedBy.FILE,
        unknown_model=not run.demo and model.cutoff_on is None and find_known_model(model.name) is None,
    )
