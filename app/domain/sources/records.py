"""Content of a page as values, from the parsers to the storage: its class, its records, and findings about its faults.

An absent fact is None or empty, never guessed. Times are aware and in UTC. Limits are the site's own numbers (MB and
MiB alike), tags its own words. `tidemark parse` prints records as JSON; findings are stored as JSON.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar

from app.domain.problems import Entry, Param
from app.domain.reasons import Reason, reason_from_json, reason_to_json


class Classification(StrEnum):
    """Class of a response. Only `OK` may create or change a problem.

    `FORMAT_CHANGED` is a page that we cannot read, which is never the same as an empty page.
    """

    OK = "ok"
    BLOCKED = "blocked"
    RATE_LIMITED = "rate_limited"
    LOGIN = "login"
    PAID_ONLY = "paid_only"
    NOT_FOUND = "not_found"
    NOT_OPEN = "not_open"
    FORMAT_CHANGED = "format_changed"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class ScrapedExample:
    """One public example as a program would read and write it: lines, one final newline."""

    input: str
    output: str


@dataclass(frozen=True, slots=True)
class DifficultyRating:
    """A difficulty on a named scale."""

    scale: str
    value: float | str


@dataclass(frozen=True, slots=True)
class ScrapedContest:
    """A contest; `problems` are the external ids a task list shows, in its order."""

    type: ClassVar[str] = "contest"

    external_id: str
    title: str | None = None
    kind: str | None = None
    division: str | None = None
    rated_range: str | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    phase: str | None = None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScrapedProblem:
    """A problem; a list page fills the facts it shows and leaves the rest absent.

    `statements` maps a locale to plain text with TeX between dollar signs. `signature` is what programs must define.
    """

    type: ClassVar[str] = "problem"

    external_id: str | None
    contest: str | None = None
    index: str | None = None
    title: str | None = None
    url: str | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    time_limit_ms: int | None = None
    memory_limit_mb: int | None = None
    points: float | None = None
    form: str | None = None
    locales: tuple[str, ...] = ()
    statements: Mapping[str, str] = field(default_factory=dict)
    samples: tuple[ScrapedExample, ...] = ()
    tags: tuple[str, ...] = ()
    difficulty: DifficultyRating | None = None
    starter_code: Mapping[str, str] = field(default_factory=dict)
    signature: Entry | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScrapedDifficulty:
    """Difficulty of one problem on a scale, as one source estimates it now."""

    type: ClassVar[str] = "difficulty"

    external_id: str
    scale: str
    value: float
    experimental: bool | None = None


@dataclass(frozen=True, slots=True)
class ScrapedStanding:
    """One row of a contest's standings; `rating` is the one before the contest.

    Stored rows have no `participant`: models are compared with ratings, not with people.
    """

    type: ClassVar[str] = "standing"

    rank: int | None
    participant: str | None = None
    rating: int | None = None
    points: float | None = None
    penalty: float | None = None
    solved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScrapedRatingChange:
    """One participant's rating before and after a contest."""

    type: ClassVar[str] = "rating_change"

    rank: int | None
    old: int | None
    new: int | None


Record = ScrapedContest | ScrapedProblem | ScrapedDifficulty | ScrapedStanding | ScrapedRatingChange
Records = Sequence[Record]


@dataclass(frozen=True, slots=True)
class PageFinding:
    """A fault: a code for machines, a sentence for people, and its subject.

    `in_context` marks one that only other pages or the redirects show: the page parsed again alone cannot.
    """

    code: str
    message: str
    subject: str | None = None
    in_context: bool = False


def finding_to_json(finding: PageFinding) -> dict[str, Any]:
    """Return a finding as it is stored; a message that is a reason also as such, to be worded where it is shown."""
    stored = {
        "code": finding.code,
        "message": str(finding.message),
        "subject": finding.subject,
        "in_context": finding.in_context,
    }
    is_reason = isinstance(finding.message, Reason)
    return stored | ({"reason": reason_to_json(finding.message)} if is_reason else {})


def finding_from_json(stored: Mapping[str, Any]) -> PageFinding:
    """Return a stored finding. Raises KeyError for a reason with an unknown code."""
    message = reason_from_json(stored.get("reason") or stored.get("message", ""))
    return PageFinding(stored.get("code", ""), message, stored.get("subject"), stored.get("in_context", False))


def iso(instant: datetime) -> str:
    """Return ISO 8601 in UTC with a Z, as in 2018-06-16T12:00:00Z."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def record_to_json(record: Record) -> dict[str, Any]:
    """Return the record as plain JSON values, its type first."""
    return {"type": record.type} | {slot.name: _plain_value(getattr(record, slot.name)) for slot in fields(record)}


def _plain_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain_value(item) for key, item in value.items()}
    if isinstance(value, ScrapedExample):
        return {"input": value.input, "output": value.output}
    if isinstance(value, DifficultyRating):
        return {"scale": value.scale, "value": value.value}
    return _signature_to_json(value) if isinstance(value, Entry) else value


def _signature_to_json(signature: Entry) -> dict[str, Any]:
    """Return a function by its name, or a class by its own with its methods."""
    params = _params_to_json(signature.params)
    if not signature.name:
        methods = {
            name: {"params": _params_to_json(method.params), "returns": method.returns}
            for name, method in signature.methods.items()
        }
        return {"class": signature.cls, "params": params, "methods": methods}
    output = {} if signature.output_param is None else {"output_param": signature.output_param}
    return {"name": signature.name, "params": params, "returns": signature.returns, **output}


def _params_to_json(params: Sequence[Param]) -> list[dict[str, str]]:
    return [{"name": param.name, "type": param.type} for param in params]
