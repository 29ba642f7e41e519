"""Reading the rows of a JSON answer one by one, those that cannot be read as findings."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from scrapers.reading.page import scrub
from scrapers.records import Record
from scrapers.site import Classification, Finding, Parsed

_T = TypeVar("_T")
_MAX_FINDINGS: Final = 20

BROKEN: Final = (LookupError, TypeError, ValueError, AttributeError, OverflowError, OSError)


class Rows:
    """Reads rows one by one; those that cannot be read are findings."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.findings: list[Finding] = []
        self.bad = 0

    def read(self, items: Iterable[Any], read: Callable[[Any], _T]) -> list[_T]:
        """What `read` makes of each item it can read."""
        results: list[_T] = []
        for place, item in enumerate(items):
            try:
                results.append(read(item))
            except BROKEN as broken:
                self.bad += 1
                if self.bad <= _MAX_FINDINGS:
                    self.findings.append(Finding("bad_row", f"{self._what}, row {place}: {why(broken)}"))
        if self.bad > _MAX_FINDINGS:
            self.findings.append(Finding("bad_rows", f"{self._what}: {self.bad} rows cannot be read"))
        return results

    def parsed(self, records: Iterable[Record], pages: int | None = None) -> Parsed:
        """What was read; where every row was bad, a changed format."""
        rows = tuple(records)
        if self.bad and not rows:
            return Parsed(Classification.FORMAT_CHANGED, findings=tuple(self.findings))
        return Parsed(Classification.OK, rows, tuple(self.findings), pages)


def why(broken: BaseException) -> str:
    """What was wrong, in one short line."""
    return f"{type(broken).__name__}: {scrub(str(broken))[:200]}"


def collect(items: Iterable[Any], read: Callable[[Any], Iterable[Record]], what: str) -> Parsed:
    """The records of all items that can be read."""
    rows = Rows(what)
    return rows.parsed(record for group in rows.read(items, lambda item: tuple(read(item))) for record in group)
