"""Reader of the rows of a JSON answer; a row that cannot be read becomes a finding."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from app.domain.sources.records import Classification, PageFinding, Record
from scrapers.reading.page import scrub
from scrapers.site import ParsedPage

_T = TypeVar("_T")
_MAX_FINDINGS: Final = 20

ROW_ERRORS: Final = (LookupError, TypeError, ValueError, AttributeError, OverflowError, OSError)


class RowReader:
    """Reader of rows one by one; rows that cannot be read become findings."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.findings: list[PageFinding] = []
        self.bad = 0

    def read(self, items: Iterable[Any], read: Callable[[Any], _T]) -> list[_T]:
        """Return the result of `read` for each item that it can read."""
        results: list[_T] = []
        for place, item in enumerate(items):
            try:
                results.append(read(item))
            except ROW_ERRORS as broken:
                self.bad += 1
                if self.bad <= _MAX_FINDINGS:
                    self.findings.append(PageFinding("bad_row", f"{self._what}, row {place}: {describe_error(broken)}"))
        if self.bad > _MAX_FINDINGS:
            self.findings.append(PageFinding("bad_rows", f"{self._what}: {self.bad} rows cannot be read"))
        return results

    def to_page(self, records: Iterable[Record], pages: int | None = None) -> ParsedPage:
        """Return the records; a changed format if every row was bad."""
        rows = tuple(records)
        if self.bad and not rows:
            return ParsedPage(Classification.FORMAT_CHANGED, findings=tuple(self.findings))
        return ParsedPage(Classification.OK, rows, tuple(self.findings), pages)


def describe_error(broken: BaseException) -> str:
    """Return an error as one short line."""
    return f"{type(broken).__name__}: {scrub(str(broken))[:200]}"


def collect(items: Iterable[Any], read: Callable[[Any], Iterable[Record]], what: str) -> ParsedPage:
    """Return the records of all items that can be read."""
    rows = RowReader(what)
    return rows.to_page(record for group in rows.read(items, lambda item: tuple(read(item))) for record in group)
