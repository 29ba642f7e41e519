"""Answers to vendors: models, endpoints, submissions, and organisations that had the same addresses asked."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.values import Cursor, CutoffDay, DayText, InstantText
from app.db.vendors.addresses import AddressUsage
from app.services.vendors.registrations import RegisteredEndpoint, RegisteredModel
from app.services.vendors.submissions import SubmissionView


class DeclaredCutoff(CutoffDay):
    """The cutoff that counts, and its evidence."""

    evidence: str | None


class WaitingDeclaration(TypedDict):
    """The vendor's own dates of the model, until a maintainer has decided."""

    date: DayText | None
    released_on: DayText | None
    evidence: str | None


class ModelAnswer(TypedDict):
    """A model of yours."""

    object: Literal["model"]
    slug: str
    name: str
    released_on: DayText | None
    cutoff: DeclaredCutoff
    waiting: WaitingDeclaration | None


class EndpointAnswer(TypedDict):
    """An endpoint of yours, without its secret."""

    object: Literal["endpoint"]
    id: int
    protocol: str
    remote_name: str
    base_url: str
    has_secret: bool
    max_concurrency: int
    timeout_s: float | None
    stopped: Annotated[str | None, Field(description="why it is not asked; null while it is")]


InstantWindow = TypedDict("InstantWindow", {"from": InstantText | None, "to": InstantText | None})
InstantWindow.__doc__ = "Release times `[from, to)`; null for an open end."


class SubmissionBudget(TypedDict):
    """US dollars that an order may cost (null for no limit), and those it has cost."""

    usd: float | None
    spent_usd: float


class SubmissionProgress(TypedDict):
    """Numbers of an order's answers."""

    total: int
    generated: int
    judged: int
    no_answer: int
    failed_vendor: int
    failed_ours: int


class FailureAnswer(TypedDict):
    """The commonest failure of the answers that are missing, and who owns it."""

    reason: str
    owner: str
    samples: int


class SubmissionAnswer(TypedDict):
    """An order as it stands; `owner` owns the next step."""

    object: Literal["submission"]
    id: str
    state: str
    state_reason: str | None
    state_since: InstantText
    deadline: InstantText | None
    owner: str
    endpoint: int
    protocol: str
    run: Annotated[int | None, Field(description="its run, once there is one")]
    configuration: Mapping[str, Any]
    window: InstantWindow
    continuous: bool
    visibility: str
    embargo_until: InstantText | None
    created_at: InstantText
    budget: SubmissionBudget
    progress: SubmissionProgress | None
    failure: FailureAnswer | None


class SubmissionPage(TypedDict):
    """Your orders, newest first."""

    data: list[SubmissionAnswer]
    next_cursor: Cursor


class AddressAsker(TypedDict):
    """An organisation that had an address of yours asked; null stands for maintainers of this site."""

    address: str
    organisation: str | None
    problems: int
    first_sent_at: InstantText
    last_sent_at: InstantText
    answered: bool


class AskerList(TypedDict):
    """Organisations that had your addresses asked."""

    data: list[AddressAsker]


def model_json(model: RegisteredModel) -> ModelAnswer:
    """Return a model as the API shows it."""
    waiting = model.waiting
    return {
        "object": "model",
        "slug": model.slug,
        "name": model.name,
        "released_on": _iso(model.released_on),
        "cutoff": {"date": _iso(model.cutoff.on), "basis": model.cutoff.basis, "evidence": model.evidence},
        "waiting": None if waiting is None else {
            "date": _iso(waiting.cutoff_on), "released_on": _iso(waiting.released_on), "evidence": waiting.evidence,
        },
    }  # fmt: skip


def endpoint_json(endpoint: RegisteredEndpoint) -> EndpointAnswer:
    """Return an endpoint as the API shows it, without its secret."""
    return {
        "object": "endpoint",
        "id": endpoint.id,
        "protocol": endpoint.backend,
        "remote_name": endpoint.remote_name,
        "base_url": endpoint.base_url,
        "has_secret": endpoint.has_secret,
        "max_concurrency": endpoint.max_concurrency,
        "timeout_s": endpoint.timeout_s,
        "stopped": endpoint.stopped_reason,
    }


def submission_json(submission: SubmissionView) -> SubmissionAnswer:
    """Return a submission as the API shows it."""
    progress = submission.progress
    return {
        "object": "submission",
        "id": submission.public_id,
        "state": submission.state,
        "state_reason": submission.state_reason,
        "state_since": submission.state_since.isoformat(),
        "deadline": _iso(submission.deadline),
        "owner": submission.owner,
        "endpoint": submission.endpoint_id,
        "protocol": submission.protocol,
        "run": submission.run_id,
        "configuration": submission.configuration,
        "window": {"from": _iso(submission.window_start), "to": _iso(submission.window_end)},
        "continuous": submission.continuous,
        "visibility": submission.visibility,
        "embargo_until": _iso(submission.embargo_until),
        "created_at": submission.created_at.isoformat(),
        "budget": {
            "usd": None if submission.budget_usd is None else float(submission.budget_usd),
            "spent_usd": float(submission.spent_usd),
        },
        "progress": None if progress is None else {
            "total": progress.total,
            "generated": progress.total - progress.waiting,
            "judged": progress.graded,
            "no_answer": progress.unanswered,
            "failed_vendor": progress.failed_vendor,
            "failed_ours": progress.failed_ours,
        },
        "failure": None if submission.failure is None else {
            "reason": submission.failure.reason,
            "owner": submission.failure.owner,
            "samples": submission.failure.samples,
        },
    }  # fmt: skip


def asker_json(usage: AddressUsage) -> AddressAsker:
    """Return an organisation's use of an address as the API shows it."""
    return {
        "address": usage.address,
        "organisation": usage.organisation,
        "problems": usage.problems,
        "first_sent_at": usage.first.isoformat(),
        "last_sent_at": usage.last.isoformat(),
        "answered": usage.answered,
    }


def _iso(value: date | datetime | None) -> str | None:
    return None if value is None else value.isoformat()
