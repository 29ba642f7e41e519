"""Which trial of a model in one configuration stands on boards."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select

from app.db.kernel.session import Session
from app.db.tables import Run, Submission
from app.domain.states import RunOrigin

MOST_CONFIGURATIONS = 8


def others(session: Session, protocol_id: int) -> frozenset[int]:
    """The runs of a protocol for which another trial stands: the first that was sent a prompt and is not void.

    It stands whether it is public or not, or whoever saw its score would end it and order again. A trial that was
    ordered in private has no place on boards: what its vendor was sent by it counts against the next one. Before any
    trial was sent a prompt none of them is another, nor are those of files.
    """
    found = set[int]()
    for trials in _variants(session, protocol_id).values():
        first = _first(trials)
        found |= {run.id for run in trials if run.voided_at is not None or (first is not None and run is not first)}
    return frozenset(found)


def beyond(session: Session, protocol_id: int) -> frozenset[int]:
    """The runs of configurations before which eight others of their model were registered.

    What is registered counts, whether it was sent anything or was cancelled, or whoever saw how eight came out would
    choose others. What was ordered in private, or is void, has no place on boards and takes none.
    """
    by_model: dict[int, list[tuple[datetime, int, list[int]]]] = {}
    for (model, _), trials in _variants(session, protocol_id).items():
        shown = [run for run in trials if not run.private and run.voided_at is None]
        if shown:
            first = min(shown, key=lambda run: (run.registered_at, run.id))
            by_model.setdefault(model, []).append((first.registered_at, first.id, [run.id for run in trials]))
    return frozenset(
        run
        for configurations in by_model.values()
        for *_, runs in sorted(configurations)[MOST_CONFIGURATIONS:]
        for run in runs
    )


def next_after(session: Session, run: Run) -> tuple[int | None, int | None]:
    """The number and trial of what stands for a run's model and configuration once that run is void, if anything."""
    key = (run.model_id, configuration_label(run.configuration))
    first = _first(_variants(session, run.protocol_id)[key])
    return (None, None) if first is None else (first.id, first.trial)


def _variants(session: Session, protocol_id: int) -> dict[tuple[int, str], list[Row[Any]]]:
    variants: dict[tuple[int, str], list[Row[Any]]] = {}
    for row in session.execute(
        select(
            Run.id, Run.model_id, Run.configuration, Run.trial, Run.sent_at, Run.voided_at,
            func.coalesce(func.min(Submission.created_at), Run.created_at).label("registered_at"),
            func.coalesce(func.bool_or(Submission.visibility == "private"), False).label("private"),
        )
        .outerjoin(Submission, Submission.run_id == Run.id)
        .where(Run.protocol_id == protocol_id, Run.origin == RunOrigin.OWN)
        .group_by(Run.id)
    ):  # fmt: skip
        variants.setdefault((row.model_id, configuration_label(row.configuration)), []).append(row)
    return variants


def _first(trials: Sequence[Row[Any]]) -> Row[Any] | None:
    began = [run for run in trials if run.sent_at is not None and run.voided_at is None and not run.private]
    return min(began, key=lambda run: (run.sent_at, run.registered_at, run.id), default=None)


def configuration_label(configuration: Mapping[str, Any]) -> str:
    """A configuration as a row's suffix: `high` for an effort, `name=value` for the rest, in single spaces."""
    parts = (
        str(value) if name in {"effort", "reasoning_effort"} else f"{name}={value}"
        for name, value in sorted(configuration.items())
    )
    return ", ".join(" ".join(part.split()) for part in parts)
