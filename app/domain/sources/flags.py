"""What pages and imports say of a problem: each kind its latest word, and none of what it cannot know."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.publishing.origins import Origin, Sighting, precedence

_IMPORTED = {Origin.PACKAGE: "package", Origin.SUITE: "import"}
_ORIGINS = {kind: origin for origin, kind in _IMPORTED.items()}


@dataclass(frozen=True, slots=True)
class Word:
    """The flags that a page of some kind, or an import, gave a problem, and when it was fetched.

    `whole` is a page with the problem's text: all that follows from a text is said by it, or is not so.
    """

    kind: str
    at: datetime
    whole: bool
    flags: tuple[str, ...]

    @classmethod
    def imported(cls, origin: Origin, at: datetime, whole: bool, flags: tuple[str, ...]) -> "Word":
        """What an import says."""
        return cls(_IMPORTED[origin], at, whole, flags)

    @classmethod
    def stored(cls, data: Mapping[str, Any]) -> "Word":
        """A word as `as_json` gave it."""
        return cls(data["kind"], datetime.fromisoformat(data["at"]), data["whole"], tuple(data["flags"]))

    def as_json(self) -> dict[str, Any]:
        """The word in plain values."""
        return {"kind": self.kind, "at": self.at.isoformat(), "whole": self.whole, "flags": list(self.flags)}


def heard(words: Iterable[Word], new: Word) -> list[Word]:
    """The words with one more, oldest first: of one kind of page the latest stays, and a page read again is mended."""
    latest = {(word.kind, word.whole): word for word in words}
    previous = latest.get((new.kind, new.whole))
    if previous is None or previous.at <= new.at:
        latest[new.kind, new.whole] = new
    return sorted(latest.values(), key=_order)


def in_force(words: Iterable[Word]) -> list[str]:
    """The flags of a problem: those of the text that counts, and those that lists and the like give it besides.

    A page without a text, such as one for subscribers, is overruled by a later one of its kind that has it.
    """
    history = sorted(words, key=_order)
    texts = {word.kind: word for word in history if word.whole}
    counting = sorted(texts.values(), key=_precedence)[-1:]
    beside = [word for word in history if not word.whole and (word.kind not in texts or texts[word.kind].at < word.at)]
    return sorted({flag for word in (*beside, *counting) for flag in word.flags})


def _precedence(word: Word) -> tuple[object, ...]:
    return *precedence(Sighting(_ORIGINS.get(word.kind, Origin.PAGE), word.at)), word.kind


def _order(word: Word) -> tuple[datetime, str, bool]:
    return word.at, word.kind, word.whole
