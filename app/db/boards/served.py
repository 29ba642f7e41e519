"""Who had a run made and when it was registered; which problems its vendor had been sent before that."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select

from app.db.kernel.session import Session
from app.db.tables import (
    Endpoint,
    Exposure,
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
from app.domain.addresses import host_of
from app.domain.asking.patience import LONGEST_WAIT
from app.domain.cube.facts import StartedBy
from app.domain.cutoffs import Cutoff, cutoff_of
from app.domain.setting.vendors import one_spelling
from app.domain.states import RunOrigin


@dataclass(frozen=True, slots=True)
class Registration:
    """Who had a run made, from when on it was bound to answer, and what its vendor had been sent by then.

    Where a file brought the run nobody knows when. `served` holds ids of problems, those too that a vendor's run was
    asked in time and answered later than an order may wait: whatever its vendor did meanwhile is not known.
    """

    started_by: StartedBy
    at: datetime | None = None
    served: frozenset[int] = frozenset()

    @property
    def exposed(self) -> frozenset[int]:
        """The problems that its model may have seen for that reason: nobody gains by a run that maintainers began."""
        return self.served if self.started_by is StartedBy.VENDOR else frozenset()

    def cutoff(self, accepted: date | None, released: date | None, created: datetime) -> Cutoff:
        """The cutoff that counts for the run, of a model that was written down at `created`.

        Where nothing is said of a vendor's model, it is registered with each order: a name that was there long ago says
        nothing of what answers under it.
        """
        bound = self.at if self.started_by is StartedBy.VENDOR else None
        return cutoff_of(accepted, released, created if bound is None else max(created, bound))


_FEW: Final = 500
_ANSWERED = Sample.answered_at.is_not(None)


class _Vendor(NamedTuple):
    """Where an organisation is asked: its endpoints by id, and the address of the run's own."""

    endpoints: frozenset[int]
    address: str


def is_of_file() -> ColumnElement[bool]:
    """Whether a file brought a run: results of others, or recorded answers, which are judged here."""
    return or_(Run.origin == RunOrigin.IMPORTED, Run.provenance.has_key("sha256"))


def registrations(session: Session, run_ids: Collection[int]) -> dict[int, Registration]:
    """Of these runs, by id.

    A vendor's order registers its run; what maintainers began is registered when it was made. Problems count that were
    sent, in any scenario, to endpoints of the run's organisation or to its endpoint's address. Weights of our own and
    the bundled demo endpoint are nobody's.
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
            Endpoint.trusted,
        )
        .outerjoin(Submission, Submission.run_id == Run.id)
        .outerjoin(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.id.in_(run_ids))
        .group_by(Run.id, Endpoint.id)
    ).all()
    asked = {} if all(row.of_file for row in rows) else _asked(session)
    found: dict[int, Registration] = {}
    by_vendor: dict[_Vendor, dict[int, tuple[StartedBy, datetime]]] = {}
    for run, of_file, model, created_at, began_at, url, trusted in rows:
        if of_file:
            found[run] = Registration(StartedBy.FILE)
            continue
        vendor = _Vendor(asked.get(model, frozenset()), "" if trusted or not url else host_of(url))
        began = (StartedBy.MAINTAINERS, created_at) if began_at is None else (StartedBy.VENDOR, began_at)
        by_vendor.setdefault(vendor, {})[run] = began
    ordered_at = {row.id: row.ordered_at for row in rows if row.ordered_at is not None and not row.of_file}
    late = _answered_late(session, ordered_at)
    all_sent = {
        vendor: _first_sent(session, vendor, max(at for _, at in runs.values())) for vendor, runs in by_vendor.items()
    }
    twins = _twins(session, frozenset[int]().union(*all_sent.values()))
    for vendor, runs in by_vendor.items():
        sent = _with_twins(all_sent[vendor], twins)
        for run, (started_by, at) in runs.items():
            served = frozenset(problem for problem, first in sent.items() if first < at)
            found[run] = Registration(started_by, at, served | late.get(run, frozenset()))
    return found


def _twins(session: Session, problems: Collection[int]) -> list[list[int]]:
    """Groups of problems that are one by their text, whatever its source and markup, those in which one of `problems`
    is: who was sent one of them was sent all."""
    if not problems:
        return []
    wordings = select(ProblemVersion.wording).where(ProblemVersion.problem_id.in_(problems))
    few = len(problems) <= _FEW  # of many all groups are found faster
    rule = ProblemVersion.wording.in_(wordings) if few else ProblemVersion.wording.is_not(None)
    several = func.min(ProblemVersion.problem_id) < func.max(ProblemVersion.problem_id)
    groups = select(func.array_agg(ProblemVersion.problem_id)).where(rule)
    return list(session.scalars(groups.group_by(ProblemVersion.wording).having(several)))


def _with_twins(sent: Mapping[int, datetime], twins: Iterable[Collection[int]]) -> dict[int, datetime]:
    found = dict(sent)
    for group in twins:
        if firsts := [sent[problem] for problem in group if problem in sent]:
            found |= {problem: min(*firsts, found.get(problem, firsts[0])) for problem in group}
    return found


def _answered_late(session: Session, ordered_at: Mapping[int, datetime]) -> dict[int, frozenset[int]]:
    """The problems that runs of vendors answered later than an order may wait, by the run's id.

    A text that was replaced is answered anew: the first answer to each question counts. What was held waited for us
    until it was published.
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
        .having(first > since + LONGEST_WAIT)
    ).all()
    if not questions:
        return {}
    published = select(LedgerEntry.subject, func.min(LedgerEntry.at)).where(
        LedgerEntry.kind == "problem.added", LedgerEntry.subject.in_({row.name for row in questions})
    )
    added = {row[0]: row[1] for row in session.execute(published.group_by(LedgerEntry.subject))}
    found: dict[int, set[int]] = {}
    for run, problem, subject, at in questions:
        if at is not None and (subject not in added or at > added[subject] + LONGEST_WAIT):
            found.setdefault(run, set()).add(problem)
    return {run: frozenset(problems) for run, problems in found.items()}


def _asked(session: Session) -> Mapping[int, frozenset[int]]:
    """The endpoints of each model's organisation, by the model's id: one registered it, or it goes by the name."""
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
    return {one_spelling(name) for name in names if name} - {""}


def _first_sent(session: Session, vendor: _Vendor, until: datetime) -> dict[int, datetime]:
    """When each problem was first sent to a vendor, for those sent earlier than `until`."""
    rules: list[ColumnElement[bool]] = []
    if vendor.endpoints:
        rules.append(Exposure.endpoint_id.in_(vendor.endpoints))
    if vendor.address:
        # Anybody can have an address asked with a key that it refuses, to take the rank of whoever owns it.
        answer = select(Sample.id).join(Run, Run.id == Sample.run_id).where(Run.endpoint_id == Endpoint.id, _ANSWERED)
        rules.append(
            and_(
                Exposure.address == vendor.address, Exposure.endpoint_id.in_(select(Endpoint.id).where(answer.exists()))
            )
        )
    if not rules:
        return {}
    rows = session.execute(
        select(Exposure.problem_id, func.min(Exposure.sent_at))
        .where(or_(*rules), Exposure.sent_at < until)
        .group_by(Exposure.problem_id)
    )
    return {row[0]: row[1] for row in rows}
