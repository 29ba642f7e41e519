"""Facts about unittest tests that a run of the reference establishes: which must run beside a program. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.domain.problems import Test

BESIDE_KEY = "beside"  # key in a test's expected value, and in a proof's findings
COVERAGE_KEY = "covered"  # key in a proof's findings
OWN_CLASS = 999  # in place of such a number: the reference returns a value whose own class answers the assertions
SPARED_SEPARATOR = "#"  # separates a test's name from the number of an expected value that the reference passes without


class BranchCoverage(NamedTuple):
    """The number of tests that ran on the reference, its branches, and those they took; it may have no branches."""

    tests: int
    branches: int
    taken: int

    @property
    def share(self) -> float | None:
        """Branch coverage in percent; None without branches."""
        return 100 * self.taken / self.branches if self.branches else None


def group_by_place(unpacked: Iterable[tuple[int, str]]) -> dict[str, list[str]]:
    """Group names of tests by the place of their source, as a proof stores them."""
    places: dict[str, list[str]] = {}
    for place, name in sorted(set(unpacked)):
        places.setdefault(str(place), []).append(name)
    return places


def spared_values(name: str, decided: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of a test's expected values that decide nothing."""
    parts = (entry.partition(SPARED_SEPARATOR) for entry in decided)
    return tuple(int(number) for test, _, number in parts if test == name and number.isdecimal())


def mark_beside(tests: Sequence[Test], beside: Mapping[str, Sequence[str]]) -> tuple[Test, ...]:
    """Return the sources with the names of those tests that run beside a program, in addition to their own."""
    return tuple(_with_names(test, beside.get(str(place), ())) for place, test in enumerate(tests))


def _with_names(test: Test, names: Sequence[str]) -> Test:
    if not names:
        return test
    reference = dict(test.expected or {})
    reference[BESIDE_KEY] = sorted({*(reference.get(BESIDE_KEY) or ()), *names})
    return replace(test, expected=reference)
