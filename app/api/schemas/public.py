"""Pages of lists, and the answers of probes."""

from typing import Literal

from typing_extensions import TypedDict

from app.api.schemas.values import Cursor
from app.db.evidence.directory import ListedProblem
from app.db.runs.models import ListedModel
from app.db.vendors.addresses import AddressAsker
from app.services.operations.changes import PublicChange


class ModelPage(TypedDict):
    """Models with public results."""

    data: list[ListedModel]
    next_cursor: Cursor


class ProblemPage(TypedDict):
    """Public problems, newest first."""

    data: list[ListedProblem]
    next_cursor: Cursor


class ChangePage(TypedDict):
    """Lines of the public ledger, newest first."""

    data: list[PublicChange]
    next_cursor: Cursor


class AskerList(TypedDict):
    """Organisations that had your addresses asked."""

    data: list[AddressAsker]


class ServiceLiveness(TypedDict):
    """The process answers."""

    status: Literal["up"]


class ServiceReadiness(TypedDict):
    """State of the whole service; `reasons` say why it is not ready."""

    status: Literal["ready", "not ready"]
    reasons: list[str]
