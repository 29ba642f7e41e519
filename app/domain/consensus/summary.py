"""Public summary of a suite by consensus: its setters, and counts; no program, no input, no answer. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.consensus.vendors import OPERATOR


@dataclass(frozen=True, slots=True)
class ConsensusSummary:
    """Counts that show how sure a suite is; a count is None if it was not stored.

    `setters` are names with vendors. Of the `legal` inputs, brute forces of two vendors answered `truths` alike, and
    `large` were out of their reach; `dropped` had no answer that stands. Of `programs` that setters wrote to answer
    inputs, `refuted` were shown to be wrong. `caught` of `mutants` (changed right programs) fail on the tests.
    """

    setters: tuple[tuple[str, str], ...]
    legal: int | None
    truths: int | None
    large: int | None
    dropped: int | None
    programs: int | None
    refuted: int | None
    mutants: int | None
    caught: int | None
    operator: int | None  # answers that a maintainer added

    @property
    def vendors(self) -> int:
        """Number of different vendors."""
        return len({vendor for _, vendor in self.setters})


def read_summary(made: Mapping[str, Any]) -> ConsensusSummary:
    """Return the summary of a suite from its stored facts; other stored facts are left out."""
    dropped, mutants = _as_mapping(made.get("dropped")), _as_mapping(made.get("mutants"))
    return ConsensusSummary(
        setters=tuple((str(setter["setter"]), str(setter["vendor"])) for setter in made.get("setters") or ()),
        legal=_as_count(made.get("legal")),
        truths=_as_count(made.get("truths")),
        large=_as_count(made.get("large")),
        dropped=_as_count(dropped.get("dissent")),
        programs=_as_count(made.get("programs")),
        refuted=_as_count(made.get("refuted")),
        mutants=_as_count(mutants.get("tried")),
        caught=_as_count(mutants.get("caught")),
        operator=_as_count(made.get(OPERATOR)),
    )


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _as_count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
