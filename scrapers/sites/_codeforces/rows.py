"""Rows of a contest's table of problems: index, title, limits and files, without statements."""

import re
from typing import Final

from bs4 import PageElement, Tag

from app.domain.sources.records import ScrapedProblem
from scrapers.reading.html import attribute, classes, visible_text
from scrapers.sites._codeforces.facts import PageLocation, location_of, memory_limit_mb, problem_path, time_limit_ms
from scrapers.sites._codeforces.headers import STANDARD

_FILE: Final = re.compile(r"\w\.(?!\d)\w{1,5}\b")  # matches input.txt, but not 0.5 seconds


def problem_of_row(row: Tag, where: PageLocation, base_url: str) -> ScrapedProblem | None:
    """Return the problem that a row links to; None for another contest's, or a row without one."""
    location, texts, notice = PageLocation(), list[str](), ""
    stack: list[PageElement] = list(reversed(row.contents))
    for _ in range(400):
        if not stack:
            break
        tag = stack.pop()
        if not isinstance(tag, Tag):
            continue
        if tag.name == "a":
            linked = location_of(attribute(tag, "href"))
            if linked.index and (location.index is None or linked == location):
                location = linked
                texts.append(visible_text(tag, 300))
        elif "notice" in classes(tag):
            notice = notice or visible_text(tag, 300)
        stack.extend(reversed(tag.contents))
    if location.contest is None or location.index is None or (where.contest and location.contest != where.contest):
        return None
    # One of the two streams may be standard and the other a file.
    standard = not notice or (STANDARD.search(notice) is not None and _FILE.search(notice) is None)
    return ScrapedProblem(
        external_id=f"{location.contest}/{location.index}",
        contest=location.contest,
        index=location.index,
        title=next((text for text in texts if text and text.upper() != location.index), None),
        url=base_url + problem_path(location.contest, location.index, location.group or where.group),
        time_limit_ms=time_limit_ms(notice),
        memory_limit_mb=memory_limit_mb(notice),
        flags=() if standard else ("file_io",),
    )
