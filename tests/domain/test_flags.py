"""Whose word on a problem's flags counts: each kind of page's latest, and a text's over all before it."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

from app.domain.sources.flags import FlagReport, add_report, current_flags

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def page(kind: str, hours: int, *flags: str, whole: bool = False) -> FlagReport:
    return FlagReport(kind, NOON + timedelta(hours=hours), whole, flags)


def text(hours: int, *flags: str, kind: str = "task") -> FlagReport:
    return page(kind, hours, *flags, whole=True)


def said(*words: FlagReport) -> list[str]:
    found: list[FlagReport] = []
    for word in words:
        found = add_report(found, word)
    return current_flags(found)


def test_flags_are_what_the_latest_pages_say() -> None:
    for words, flags in [
        ((), []),
        ((text(0, "interactive", "image"), text(1, "image")), ["image"]),
        ((text(1, "image"), text(0, "interactive")), ["image"]),
        ((text(0, "interactive"), text(0)), []),
        ((text(0, "interactive"), page("list", 1)), ["interactive"]),
        ((page("list", 0, "interactive"), text(1)), ["interactive"]),
        ((page("list", 0, "interactive"), text(1), page("list", 2)), []),
        ((page("list", 0, "question"), page("contest", 1, "file_io")), ["file_io", "question"]),
        ((text(0, "image", kind="saved"), text(1, kind="task")), []),
        ((text(0, "image"), page("task", 1, "paid_only")), ["image", "paid_only"]),
        ((page("task", 0, "paid_only"), text(1)), []),
    ]:  # fmt: skip
        assert said(*words) == flags, (words, flags)


def test_the_order_in_which_pages_are_read_again_does_not_matter() -> None:
    words = (page("list", 0, "interactive"), text(1, "image"), text(3), page("list", 2, "question"))
    assert {tuple(said(*order)) for order in permutations(words)} == {("question",)}
    assert said(*words, *words) == ["question"]


def test_a_word_is_stored_as_plain_values() -> None:
    assert FlagReport.from_json(text(0, "image").as_json()) == text(0, "image")
