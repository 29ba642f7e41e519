"""What a run of the reference decides of tests written for unittest: which must run beside a program. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.domain.problems import Test

BESIDE = "beside"  # of a test's expected value, and of what a proof found out
COVERED = "covered"  # of what a proof found out
OWN = 999  # as such a number: the reference returns a value of a class of its own, which answers what tests ask
SPARED = "#"  # between a test's name and the number of an expected value without which the reference passes as well


class Covered(NamedTuple):
    """How many tests ran on the reference, and how many of its branches they took; it may have no branches."""

    tests: int
    branches: int
    taken: int

    @property
    def share(self) -> float | None:
        """Branch coverage in percent; None where there are no branches."""
        return 100 * self.taken / self.branches if self.branches else None


def by_place(unpacked: Iterable[tuple[int, str]]) -> dict[str, list[str]]:
    """Names of tests by the place of their source, as a proof keeps them."""
    places: dict[str, list[str]] = {}
    for place, name in sorted(set(unpacked)):
        places.setdefault(str(place), []).append(name)
    return places


def spared_of(name: str, decided: Iterable[str]) -> tuple[int, ...]:
    """The expected values of a test, by number, that decide nothing."""
    parts = (one.partition(SPARED) for one in decided)
    return tuple(int(number) for test, _, number in parts if test == name and number.isdecimal())


def settled(tests: Sequence[Test], beside: Mapping[str, Sequence[str]]) -> tuple[Test, ...]:
    """The sources with the names of those tests that run beside a program, more than they name themselves."""
    return tuple(_settled(test, beside.get(str(place), ())) for place, test in enumerate(tests))


def _settled(test: Test, names: Sequence[str]) -> Test:
    if not names:
        return test
    reference = dict(test.expected or {})
    reference[BESIDE] = sorted({*(reference.get(BESIDE) or ()), *names})
    return replace(test, expected=reference)
