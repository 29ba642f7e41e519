"""Registrations of runs: who started each, when, and which problems its vendor had been sent before."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select

from app.db.boards import deployments
from app.db.kernel.session import Session
from app.db.tables import (
    Endpoint,
    ExposureRow,
    LedgerEntry,
    Model,
    Organisation,
    Problem,
    ProblemVersion,
    Run,
    Sample,
    Setter,
    Source,
    Submission,
)  # fmt: skip
from app.domain.asking.retry_policy import MAX_SUBMISSION_WAIT
from app.domain.consensus.vendors import normalize_vendor
from app.domain.cube.facts import StartedBy
from app.domain.cutoffs import Cutoff, cutoff_of
from app.domain.states import RunOrigin
from app.domain.vendors.gateways import Deployment, deployment_of


@dataclass(frozen=True, slots=True)
class Registration:
    """Starter and registration time of a run, and the problems that its vendor had been sent by then.

    A run from a file has no known time. `served` holds ids of problems, including those that a vendor's run answered
    later than a submission may: what its vendor did in between is unknown.
    """

    started_by: StartedBy
    at: datetime | None = None
    served: frozenset[int] = frozenset()

    @property
    def exposed(self) -> frozenset[int]:
        """The problems that the model may have seen for that reason; empty unless a vendor started the run."""
        return self.served if self.started_by is StartedBy.VENDOR else frozenset()

    def cutoff(self, accepted: date | None, released: date | None, created: datetime) -> Cutoff:
        """Return the cutoff that counts for the run of a model that was registered at `created`.

        If nothing is declared for a vendor's model, each submission registers it anew: an old name proves nothing about
        the model that answers under it.
        """
        bound = self.at if self.started_by is StartedBy.VENDOR else None
        return cutoff_of(accepted, released, created if bound is None else max(created, bound))


_FEW_PROBLEMS: Final = 500
_ANSWERED = Sample.answered_at.is_not(None)


class _Vendor(NamedTuple):
    """Endpoints of an organisation, and the host of the run's own endpoint with all endpoints of its deployment.

    The host is empty if the endpoint is ours.
    """

    endpoints: frozenset[int]
    address: str
    at_address: frozenset[int]


def is_of_file() -> ColumnElement[bool]:
    """Return the condition that a run came from a file: imported results, or recorded answers judged here."""
    return or_(Run.origin == RunOrigin.IMPORTED, Run.provenance.has_key("sha256"))


def registrations(session: Session, run_ids: Collection[int]) -> dict[int, Registration]:
    """Return the registrations of these runs by id.

    A vendor's run is registered with its submission, a maintainers' run when it is made. A problem counts as served if
    it was sent, in any scenario, to endpoints of the run's organisation or to its endpoint's deployment, and these have
    answered. Our own weights and the bundled demo endpoint belong to no vendor.
    """
    ordered = func.min(Submission.created_at)
    rows = session.execute(
        select(
            Run.id,
            is_of_file().label("of_file"),
            Run.model_id,
            Run.created_at,
            ordered.label("ordered_at"),
            Endpoint.base_url,
            Endpoint.remote_name,
            Endpoint.trusted,
        )
        .outerjoin(Submission, Submission.run_id == Run.id)
        .outerjoin(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.id.in_(run_ids))
        .group_by(Run.id, Endpoint.id)
    ).all()
    endpoints = {} if all(row.of_file for row in rows) else _endpoints_by_model(session)
    gateways = deployments.gateways(session)
    neighbours = deployments.answering_endpoints(session, gateways)
    by_run: dict[int, Registration] = {}
    by_vendor: dict[_Vendor, dict[int, tuple[StartedBy, datetime]]] = {}
    for run, of_file, model, created_at, began_at, url, remote_name, trusted in rows:
        if of_file:
            by_run[run] = Registration(StartedBy.FILE)
            continue
        place = Deployment("") if trusted or not url else deployment_of(gateways, url, remote_name)
        vendor = _Vendor(endpoints.get(model, frozenset()), place.address, neighbours.get(place, frozenset()))
        start = (StartedBy.MAINTAINERS, created_at) if began_at is None else (StartedBy.VENDOR, began_at)
        by_vendor.setdefault(vendor, {})[run] = start
    ordered_at = {row.id: row.ordered_at for row in rows if row.ordered_at is not None and not row.of_file}
    late = _answered_late(session, ordered_at)
    all_sent = {
        vendor: _first_sent(session, vendor, max(at for _, at in runs.values())) for vendor, runs in by_vendor.items()
    }
    groups = _same_text_groups(session, frozenset[int]().union(*all_sent.values()))
    for vendor, runs in by_vendor.items():
        sent = _with_same_texts(all_sent[vendor], groups)
        for run, (started_by, at) in runs.items():
            served = frozenset(problem for problem, first in sent.items() if first < at)
            by_run[run] = Registration(started_by, at, served | late.get(run, frozenset()))
    return by_run


def _same_text_groups(session: Session, problems: Collection[int]) -> list[list[int]]:
    """Return groups of problems with the same text, whatever source and markup, that contain one of `problems`.

    A vendor that was sent one problem of a group was in effect sent all of them.
    """
    if not problems:
        return []
    wordings = select(ProblemVersion.wording).where(ProblemVersion.problem_id.in_(problems))
    few = len(problems) <= _FEW_PROBLEMS  # for many problems, reading all groups is faster
    rule = ProblemVersion.wording.in_(wordings) if few else ProblemVersion.wording.is_not(None)
    several = func.min(ProblemVersion.problem_id) < func.max(ProblemVersion.problem_id)
    groups = select(func.array_agg(ProblemVersion.problem_id)).where(rule)
    return list(session.scalars(groups.group_by(ProblemVersion.wording).having(several)))


def _with_same_texts(sent: Mapping[int, datetime], groups: Iterable[Collection[int]]) -> dict[int, datetime]:
    first_sent = dict(sent)
    for group in groups:
        if firsts := [sent[problem] for problem in group if problem in sent]:
            first_sent |= {problem: min(*firsts, first_sent.get(problem, firsts[0])) for problem in group}
    return first_sent


def _answered_late(session: Session, ordered_at: Mapping[int, datetime]) -> dict[int, frozenset[int]]:
    """Return the problems that vendors' runs answered later than a submission may, by run id.

    A replaced text is answered again, so the first answer to each question counts. The time of a held problem starts at
    its publication.
    """
    if not ordered_at:
        return {}
    ordered = (
        select(Submission.run_id, func.min(Submission.created_at).label("at"))
        .where(Submission.run_id.in_(ordered_at))
        .group_by(Submission.run_id)
        .subquery()
    )
    first, since = func.min(Sample.answered_at), func.greatest(ordered.c.at, Problem.found_at)
    name = Source.slug + "/" + Problem.external_id
    questions = session.execute(
        select(Sample.run_id, Sample.problem_id, name.label("name"), first.label("answered_at"))
        .join(ordered, ordered.c.run_id == Sample.run_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(_ANSWERED)
        .group_by(Sample.run_id, Sample.problem_id, Sample.item, Sample.ordinal, name, since)
        .having(first > since + MAX_SUBMISSION_WAIT)
    ).all()
    if not questions:
        return {}
    published = select(LedgerEntry.subject, func.min(LedgerEntry.at)).where(
        LedgerEntry.kind == "problem.added", LedgerEntry.subject.in_({row.name for row in questions})
    )
    added = {row[0]: row[1] for row in session.execute(published.group_by(LedgerEntry.subject))}
    by_run: dict[int, set[int]] = {}
    for run, problem, subject, at in questions:
        if at is not None and (subject not in added or at > added[subject] + MAX_SUBMISSION_WAIT):
            by_run.setdefault(run, set()).add(problem)
    return {run: frozenset(problems) for run, problems in by_run.items()}


def _endpoints_by_model(session: Session) -> Mapping[int, frozenset[int]]:
    """Return the endpoints of each model's organisation, by registration or by name; keys are model ids."""
    rows = session.execute(
        select(Model.id, Endpoint.id, Model.organisation_name, Organisation.name, Organisation.slug, Setter.vendor)
        .outerjoin(Organisation, Organisation.id == Model.organisation_id)
        .outerjoin(Endpoint, (Endpoint.model_id == Model.id) & Endpoint.weights.is_(None) & ~Endpoint.trusted)
        .outerjoin(Run, Run.endpoint_id == Endpoint.id)
        .outerjoin(Setter, Setter.run_id == Run.id)
        .distinct()
    ).all()
    # A model of no organisation is one of its own.
    names: dict[int, set[str]] = {}
    for model, _, *spelt in rows:
        names.setdefault(model, {f"\0{model}"}).update(_spellings(spelt))
    endpoints: dict[str, set[int]] = {}
    for model, endpoint, *_ in rows:
        for name in names[model] if endpoint is not None else ():
            endpoints.setdefault(name, set()).add(endpoint)
    return {
        model: frozenset(endpoint for name in own for endpoint in endpoints.get(name, ()))
        for model, own in names.items()
    }


def _spellings(names: Iterable[str | None]) -> set[str]:
    return {normalize_vendor(name) for name in names if name} - {""}


def _first_sent(session: Session, vendor: _Vendor, until: datetime) -> dict[int, datetime]:
    """Return when each problem was first sent to a vendor, for those sent before `until`.

    What an endpoint was sent before the first run, or canary, that it answered does not count: it learnt nothing that
    it could not have been refused, and a wrong path or key must cost nobody a rank.
    """
    rules: list[ColumnElement[bool]] = []
    if vendor.endpoints:
        rules.append(ExposureRow.endpoint_id.in_(vendor.endpoints))
    if vendor.address and vendor.at_address:
        rules.append(and_(ExposureRow.address == vendor.address, ExposureRow.endpoint_id.in_(vendor.at_address)))
    if not rules:
        return {}
    rows = session.execute(
        select(ExposureRow.problem_id, func.min(ExposureRow.sent_at))
        .join(Endpoint, Endpoint.id == ExposureRow.endpoint_id)
        .where(or_(*rules), ExposureRow.sent_at < until, ExposureRow.sent_at >= Endpoint.answering_since)
        .group_by(ExposureRow.problem_id)
    )
    return {row[0]: row[1] for row in rows}
