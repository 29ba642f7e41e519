"""Signatures of maintainers on findings of contamination tests: an unsigned finding is not public."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.boards import cells
from app.db.evidence import evidence, signatures
from app.db.kernel import logs
from app.db.kernel.session import Session
from app.domain.contamination.signing import (
    ReportSignature,
    SignatureState,
    needs_signature,
    public_row,
    signature_state,
    signed_part,
)
from app.domain.errors import Conflict, NotFound
from app.services.runs.models import refuse_own_run

KIND = "contamination"
SIGNED, RETRACTED = "contamination.sign", "contamination.retract"
_LEDGER = "model.contamination"
_FIGURES = ("effect", "lo", "hi", "q")


@dataclass(frozen=True, slots=True)
class ContaminationResult:
    """A row of a report as maintainers see it; `subject` names it with its data."""

    subject: str
    protocol: str
    protocol_title: str
    made_at: datetime
    row: Mapping[str, Any]
    review: SignatureState
    signed: ReportSignature | None

    @property
    def run(self) -> int:
        """Id of the run that was tested."""
        return int(self.row["run"])

    @property
    def model(self) -> str:
        """Slug of the model that was tested."""
        return str(self.row["model"])


def public_rows(session: Session, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of a report without unsigned findings."""
    signed = signatures.newest(session, [row["run"] for row in rows])
    return [public_row(row, signed.get(row["run"])) for row in rows]


def results_to_sign(session: Session) -> list[ContaminationResult]:
    """Return the results to sign and the signed ones, over all protocols, unsigned ones first."""
    results = []
    for protocol in cells.protocols(session):
        report = evidence.report(session, KIND, protocol.id)
        if report is None:
            continue
        public = cells.public_models(session, protocol.id)
        rows = [row for row in report.body["models"] if row["model"] in public and needs_signature(row)]
        by_run = signatures.newest(session, [row["run"] for row in rows])
        for row in rows:
            signed = by_run.get(row["run"])
            subject = _subject(row)
            standing = signature_state(row, signed)
            results.append(
                ContaminationResult(subject, protocol.slug, protocol.title, report.made_at, row, standing, signed)
            )
    return sorted(
        results, key=lambda entry: (entry.review is SignatureState.SIGNED, entry.protocol, entry.row["model"])
    )


def count_unsigned(session: Session) -> int:
    """Return the number of results that wait for a signature."""
    return sum(entry.review is not SignatureState.SIGNED for entry in results_to_sign(session))


def sign(session: Session, subject: str, reason: str, now: datetime, actor: str) -> None:
    """Publish the finding of a test, for the data that the subject names.

    Raises NotFound, and Conflict if it is signed already, if other data have been tested since, or if the model is of
    the actor's own organisation.
    """
    result = _find_result(session, subject)
    refuse_own_run(session, result.run, actor)
    if result.subject != subject:
        raise Conflict(f"{result.model} was tested on newer data since; look at the new result")
    if result.review is SignatureState.SIGNED:
        raise Conflict(f"the result of {result.model} is signed already")
    if not needs_signature(result.row):
        raise Conflict(f"{result.model} has no result to sign")
    body = signed_part(result.row)
    signatures.add(session, result.run, result.row["data"], body, result.made_at, actor, now)
    _log_signing(session, result, SIGNED, reason, now, actor, result.row)


def retract(session: Session, subject: str, reason: str, now: datetime, actor: str) -> None:
    """Take a signature back.

    Raises NotFound, and Conflict if there is none or the model is of the actor's own organisation.
    """
    result = _find_result(session, subject)
    refuse_own_run(session, result.run, actor)
    if result.signed is None or result.signed.body is None:
        raise Conflict(f"no result of {result.model} is signed")
    signatures.add(session, result.run, result.signed.data, None, result.signed.made_at, actor, now)
    _log_signing(session, result, RETRACTED, reason, now, actor, None)


def _subject(row: Mapping[str, Any]) -> str:
    return f"{row['run']}:{row['data']}"


def _find_result(session: Session, subject: str) -> ContaminationResult:
    number = subject.partition(":")[0]
    run = int(number) if number.isascii() and number.isdigit() and len(number) <= 18 else 0
    place = signatures.lock_signable(session, run, KIND)
    row = None if place is None else next((row for row in place[2].body["models"] if row["run"] == run), None)
    if place is None or row is None:
        raise NotFound("there is no such result")
    protocol, title, report = place
    signed = signatures.newest(session, [run]).get(run)
    return ContaminationResult(
        _subject(row), protocol, title, report.made_at, row, signature_state(row, signed), signed
    )


def _log_signing(
    session: Session,
    result: ContaminationResult,
    action: str,
    reason: str,
    now: datetime,
    actor: str,
    row: Mapping[str, Any] | None,
) -> None:
    """Add an audit line and a public one, with the finding that was public before."""
    before = None if result.signed is None or result.signed.body is None else _public_facts(result, result.signed.body)
    after = None if row is None else _public_facts(result, row)
    logs.write_audit(session, now, actor, action, f"{result.model} ({result.protocol})", reason, before, after)
    logs.write_ledger(session, now, _LEDGER, result.model, reason, before, after)


def _public_facts(result: ContaminationResult, row: Mapping[str, Any]) -> dict[str, Any]:
    about = {"protocol": result.protocol, "configuration": result.row["configuration"], "trial": result.row["trial"]}
    parts = {"all": row["pooled"], **row["platforms"]}
    return {**about, "cutoff": row["cutoff"], "found": {name: _figures(part) for name, part in parts.items()}}


def _figures(part: Mapping[str, Any]) -> dict[str, Any]:
    drop = part["drop"] or {}
    return {"finding": part["finding"], **{name: drop[name] for name in _FIGURES if name in drop}}
