"""Flags of a problem from pages and imports: the latest of each kind counts, within what that kind can know."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.publishing.origins import Origin, Sighting, precedence

_IMPORT_KINDS = {Origin.PACKAGE: "package", Origin.SUITE: "import"}
_ORIGINS = {kind: origin for origin, kind in _IMPORT_KINDS.items()}


@dataclass(frozen=True, slots=True)
class FlagReport:
    """Flags that a page of some kind, or an import, gave a problem, and when it was fetched.

    `whole` marks a page with the problem's text: a flag that follows from a text is on it or does not apply.
    """

    kind: str
    at: datetime
    whole: bool
    flags: tuple[str, ...]

    @classmethod
    def from_import(cls, origin: Origin, at: datetime, whole: bool, flags: tuple[str, ...]) -> "FlagReport":
        """Return the flags of an import."""
        return cls(_IMPORT_KINDS[origin], at, whole, flags)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "FlagReport":
        """Read flags from what `as_json` returned."""
        return cls(data["kind"], datetime.fromisoformat(data["at"]), data["whole"], tuple(data["flags"]))

    def as_json(self) -> dict[str, Any]:
        """Return the flags in plain values."""
        return {"kind": self.kind, "at": self.at.isoformat(), "whole": self.whole, "flags": list(self.flags)}


def add_report(reports: Iterable[FlagReport], new: FlagReport) -> list[FlagReport]:
    """Add new flags, oldest first: of one kind of page the latest stays, and a page read again is replaced."""
    latest = {(report.kind, report.whole): report for report in reports}
    previous = latest.get((new.kind, new.whole))
    if previous is None or previous.at <= new.at:
        latest[new.kind, new.whole] = new
    return sorted(latest.values(), key=_time_order)


def current_flags(reports: Iterable[FlagReport]) -> list[str]:
    """Return the flags of a problem: those of the text that counts, and those that lists and similar pages add.

    A page without a text, such as one for subscribers, is overruled by a later one of its kind that has it.
    """
    history = sorted(reports, key=_time_order)
    texts = {report.kind: report for report in history if report.whole}
    counting = sorted(texts.values(), key=_precedence)[-1:]
    beside = [
        report
        for report in history
        if not report.whole and (report.kind not in texts or texts[report.kind].at < report.at)
    ]
    return sorted({flag for report in (*beside, *counting) for flag in report.flags})


def _precedence(report: FlagReport) -> tuple[object, ...]:
    return *precedence(Sighting(_ORIGINS.get(report.kind, Origin.PAGE), report.at)), report.kind


def _time_order(report: FlagReport) -> tuple[datetime, str, bool]:
    return report.at, report.kind, report.whole
