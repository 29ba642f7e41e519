"""Choice of the trial that stands on boards, for each model and configuration."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, func, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Run, Submission
from app.domain.asking.configuration import normalise_setting, normalise_value
from app.domain.states import RunOrigin

MAX_CONFIGURATIONS = 8


def other_trials(session: Session, protocol_id: int) -> frozenset[int]:
    """Return the runs of a protocol for which another trial stands: the first that was answered and is not void.

    It stands whether it is public or not; otherwise a vendor could see its score, end it and submit again. A trial
    submitted in private has no place on boards, but the problems that its vendor was sent count against the next one.
    A trial without an answer has no result to choose by. Before any trial was answered, none of them is "another", nor
    are trials of files.
    """
    return _others(_runs_by_variant(session, protocol_id).values())


def other_trials_of_model(session: Session, model_id: int) -> frozenset[int]:
    """Return the runs of a model for which another trial stands, under any protocol, as `other_trials` does."""
    variants: dict[tuple[int, str], list[Row[Any]]] = {}
    for row in session.execute(_trials().where(Run.model_id == model_id)):
        variants.setdefault((row.protocol_id, configuration_label(row.configuration)), []).append(row)
    return _others(variants.values())


def _others(variants: Iterable[Sequence[Row[Any]]]) -> frozenset[int]:
    run_ids = set[int]()
    for trials in variants:
        first = _first_trial(trials)
        run_ids |= {run.id for run in trials if run.voided_at is not None or (first is not None and run is not first)}
    return frozenset(run_ids)


def surplus_runs(session: Session, protocol_id: int) -> frozenset[int]:
    """Return the runs of configurations registered after eight others of their model.

    Registered configurations count even if they were cancelled or sent nothing; otherwise a vendor could look at eight
    results and choose others. Private and void runs have no place on boards and are not counted.
    """
    variants = _runs_by_variant(session, protocol_id)
    first = _waiting(session, protocol_id)
    for variant, trials in variants.items():
        for run in trials:
            registered = (run.registered_at, run.id)
            if not run.private and run.voided_at is None:
                first[variant] = min(first.get(variant, registered), registered)
    by_model: dict[int, list[tuple[tuple[datetime, int], str]]] = {}
    for (model, label), at in first.items():
        by_model.setdefault(model, []).append((at, label))
    return frozenset(
        run.id
        for model, labels in by_model.items()
        for _, label in sorted(labels)[MAX_CONFIGURATIONS:]
        for run in variants.get((model, label), ())
    )


def _waiting(session: Session, protocol_id: int) -> dict[tuple[int, str], tuple[datetime, int]]:
    """Return when each public submission without a run was placed, with 0 as the run's number."""
    rows = session.execute(
        select(Endpoint.model_id, Submission.configuration, Submission.created_at)
        .join(Endpoint, Endpoint.id == Submission.endpoint_id)
        .where(
            Submission.protocol_id == protocol_id, Submission.run_id.is_(None), Submission.visibility != "private"
        )
        .order_by(Submission.created_at.desc())
    )  # fmt: skip
    return {(row.model_id, configuration_label(row.configuration)): (row.created_at, 0) for row in rows}


def next_standing_trial(session: Session, run: Run) -> tuple[int | None, int | None]:
    """Return the id and trial that will stand for a run's model and configuration once the run is void, if any."""
    key = (run.model_id, configuration_label(run.configuration))
    first = _first_trial(_runs_by_variant(session, run.protocol_id)[key])
    return (None, None) if first is None else (first.id, first.trial)


class ModelTrials(NamedTuple):
    """Trials of a model under a protocol: the standing one of a configuration, and its registered configurations."""

    standing: int | None
    configurations: frozenset[str]


def trials_of_model(
    session: Session, protocol_id: int, model_id: int, configuration: Mapping[str, Any]
) -> ModelTrials:  # fmt: skip
    """Return what boards already hold of a model under a protocol, before another order of this configuration."""
    variants = _runs_by_variant(session, protocol_id)
    first = _first_trial(variants.get((model_id, configuration_label(configuration)), ()))
    run = {label for (model, label), runs in variants.items() if model == model_id and not all(r.private for r in runs)}
    placed = {label for model, label in _waiting(session, protocol_id) if model == model_id}
    return ModelTrials(None if first is None else first.id, frozenset(run | placed))


def _runs_by_variant(session: Session, protocol_id: int) -> dict[tuple[int, str], list[Row[Any]]]:
    variants: dict[tuple[int, str], list[Row[Any]]] = {}
    for row in session.execute(_trials().where(Run.protocol_id == protocol_id)):
        variants.setdefault((row.model_id, configuration_label(row.configuration)), []).append(row)
    return variants


def _trials() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Run.id, Run.model_id, Run.protocol_id, Run.configuration, Run.trial, Run.bound_at, Run.voided_at,
            func.coalesce(func.min(Submission.created_at), Run.created_at).label("registered_at"),
            func.coalesce(func.bool_or(Submission.visibility == "private"), False).label("private"),
        )
        .outerjoin(Submission, Submission.run_id == Run.id)
        .where(Run.origin == RunOrigin.OWN)
        .group_by(Run.id)
    )  # fmt: skip


def _first_trial(trials: Sequence[Row[Any]]) -> Row[Any] | None:
    bound = [run for run in trials if run.bound_at is not None and run.voided_at is None and not run.private]
    return min(bound, key=lambda run: (run.bound_at, run.registered_at, run.id), default=None)


def configuration_label(configuration: Mapping[str, Any]) -> str:
    """Return a configuration as a row's suffix: `high` for an effort, `name=value` for the rest.

    Values are normalised, and empty ones are left out.
    """
    parts = (
        str(value) if name in {"effort", "reasoning_effort"} else f"{name}={value}"
        for name, value in sorted(normalise_setting("", normalise_value(configuration)).items())
        if value not in ("", None, {}, [])
    )
    return ", ".join(" ".join(part.split()) for part in parts)
