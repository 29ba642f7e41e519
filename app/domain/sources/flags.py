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


def add_report(words: Iterable[FlagReport], new: FlagReport) -> list[FlagReport]:
    """Add new flags, oldest first: of one kind of page the latest stays, and a page read again is replaced."""
    latest = {(word.kind, word.whole): word for word in words}
    previous = latest.get((new.kind, new.whole))
    if previous is None or previous.at <= new.at:
        latest[new.kind, new.whole] = new
    return sorted(latest.values(), key=_time_order)


def current_flags(words: Iterable[FlagReport]) -> list[str]:
    """Return the flags of a problem: those of the text that counts, and those that lists and similar pages add.

    A page without a text, such as one for subscribers, is overruled by a later one of its kind that has it.
    """
    history = sorted(words, key=_time_order)
    texts = {word.kind: word for word in history if word.whole}
    counting = sorted(texts.values(), key=_precedence)[-1:]
    beside = [word for word in history if not word.whole and (word.kind not in texts or texts[word.kind].at < word.at)]
    return sorted({flag for word in (*beside, *counting) for flag in word.flags})


def _precedence(word: FlagReport) -> tuple[object, ...]:
    return *precedence(Sighting(_ORIGINS.get(word.kind, Origin.PAGE), word.at)), word.kind


def _time_order(word: FlagReport) -> tuple[datetime, str, bool]:
    return word.at, word.kind, word.whole
