"""What anybody may know of a suite by consensus: who set it, and counts; no program, no input, no answer. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.setting.vendors import OPERATOR


@dataclass(frozen=True, slots=True)
class Told:
    """How sure a suite is; a count is None where none was kept.

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
    operator: int | None  # pieces that a maintainer added

    @property
    def vendors(self) -> int:
        """How many there are of them."""
        return len({vendor for _, vendor in self.setters})


def told(made: Mapping[str, Any]) -> Told:
    """Read it from what was kept of the suite; anything else that was kept is left out."""
    dropped, mutants = _mapping(made.get("dropped")), _mapping(made.get("mutants"))
    return Told(
        setters=tuple((str(one["setter"]), str(one["vendor"])) for one in made.get("setters") or ()),
        legal=_count(made.get("legal")),
        truths=_count(made.get("truths")),
        large=_count(made.get("large")),
        dropped=_count(dropped.get("dissent")),
        programs=_count(made.get("programs")),
        refuted=_count(made.get("refuted")),
        mutants=_count(mutants.get("tried")),
        caught=_count(mutants.get("caught")),
        operator=_count(made.get(OPERATOR)),
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
