"""Which trial of a model in one configuration stands on boards."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, func, select

from app.db.kernel.session import Session
from app.db.tables import Run, Submission
from app.domain.states import RunOrigin


def others(session: Session, protocol_id: int) -> frozenset[int]:
    """The runs of a protocol for which another trial stands: the first that was sent a prompt and is not void.

    It stands whether it is public or not, or whoever saw its score would end it and order again. A trial that was
    ordered in private has no place on boards: what its vendor was sent by it counts against the next one. Before any
    trial was sent a prompt none of them is another, nor are those of files.
    """
    variants: dict[tuple[int, str], list[Row[Any]]] = {}
    for row in session.execute(
        select(
            Run.id, Run.model_id, Run.configuration, Run.sent_at, Run.voided_at,
            func.coalesce(func.min(Submission.created_at), Run.created_at).label("registered_at"),
            func.coalesce(func.bool_or(Submission.visibility == "private"), False).label("private"),
        )
        .outerjoin(Submission, Submission.run_id == Run.id)
        .where(Run.protocol_id == protocol_id, Run.origin == RunOrigin.OWN)
        .group_by(Run.id)
    ):  # fmt: skip
        variants.setdefault((row.model_id, configuration_label(row.configuration)), []).append(row)
    found = set[int]()
    for trials in variants.values():
        began = [run for run in trials if run.sent_at is not None and run.voided_at is None and not run.private]
        first = min(began, key=lambda run: (run.sent_at, run.registered_at, run.id), default=None)
        found |= {run.id for run in trials if run.voided_at is not None or (first is not None and run is not first)}
    return frozenset(found)


def configuration_label(configuration: Mapping[str, Any]) -> str:
    """A configuration as a row's suffix: `high` for an effort, `name=value` for the rest, in single spaces."""
    parts = (
        str(value) if name in {"effort", "reasoning_effort"} else f"{name}={value}"
        for name, value in sorted(configuration.items())
    )
    return ", ".join(" ".join(part.split()) for part in parts)
