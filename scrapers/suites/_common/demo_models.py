"""Demo models of a league's folder: the facts of each, and how the bundled endpoint plays it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.problems import Level
from scrapers.suites._common.league_files import table

_DEFAULT_REPAIR_FACTOR: Final = 0.6  # share of its skill that a model keeps for a problem it failed before


@dataclass(frozen=True, slots=True)
class DemoBehaviour:
    """Behaviour of a demo model in one configuration. Shares and chances are from 0 to 1, latencies in ms.

    `repair_factor` multiplies its skill when it is told why its program failed.
    """

    skill: Mapping[Level, float]
    skill_late: Mapping[Level, float] | None
    habits: Mapping[str, float]
    latency_ms: tuple[float, float]
    reasoning: str
    thought_tokens: int
    repair_factor: float


@dataclass(frozen=True, slots=True)
class DemoModel:
    """A demo model as its vendor would describe it, and how it is played.

    `efforts` are its configurations in order, empty for a model without; prices are in USD per million tokens.
    `behaviours` has one entry for each effort, or one under the empty name.
    """

    slug: str
    name: str
    organisation: str
    released_on: date
    cutoff_on: date
    price_input: float
    price_output: float
    efforts: tuple[str, ...] = ()
    behaviours: Mapping[str, DemoBehaviour] = field(default_factory=dict)


def load_demo_models(folder: Path) -> tuple[DemoModel, ...]:
    """Read the demo models of a league's folder, in order. Raises InvalidProblem naming the file."""
    path = folder / "models.toml"
    try:
        return tuple(_model(row) for row in table(path)["model"])
    except (KeyError, TypeError, ValueError) as wrong:
        raise InvalidProblem(f"{path}: {type(wrong).__name__}: {wrong}") from wrong


def _model(row: Mapping[str, Any]) -> DemoModel:
    efforts: dict[str, dict[str, Any]] = row.get("effort", {})
    played = {name: {**row, **effort} for name, effort in efforts.items()} or {"": dict(row)}
    return DemoModel(
        slug=row["slug"],
        name=row["name"],
        organisation=row["organisation"],
        released_on=row["released_on"],
        cutoff_on=row["cutoff_on"],
        price_input=float(row["price_input"]),
        price_output=float(row["price_output"]),
        efforts=tuple(efforts),
        behaviours={name: _manner(effort) for name, effort in played.items()},
    )


def _manner(row: Mapping[str, Any]) -> DemoBehaviour:
    late = row.get("skill_late")
    fastest, slowest = row["latency_ms"]
    return DemoBehaviour(
        skill={level: float(row["skill"][level]) for level in Level},
        skill_late=None if late is None else {level: float(late[level]) for level in Level},
        habits={name: float(share) for name, share in row["habits"].items()},
        latency_ms=(float(fastest), float(slowest)),
        reasoning=row["reasoning"],
        thought_tokens=int(row["thought_tokens"]),
        repair_factor=float(row.get("mends", _DEFAULT_REPAIR_FACTOR)),
    )
