"""Content of a page as values: the records that every parser returns and `tidemark parse` prints.

An absent fact is None or empty, never guessed. Times are aware and in UTC. Limits are the site's own numbers (MB and
MiB alike), tags its own words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, ClassVar


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

    `statements` maps a locale to plain text with TeX between dollar signs.
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
    signature: Mapping[str, Any] | None = None
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
    """One row of a contest's standings; `rating` is the one before the contest."""

    type: ClassVar[str] = "standing"

    rank: int | None
    participant: str
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


def iso(instant: datetime) -> str:
    """Return ISO 8601 in UTC with a Z, as in 2018-06-16T12:00:00Z."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def as_json(record: Record) -> dict[str, Any]:
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
    return value
