"""The rows of a contest's table of problems: index, title, limits and files, without statements."""

import re
from typing import Final

from bs4 import PageElement, Tag

from scrapers.reading.html import attribute, classes, plain
from scrapers.records import Problem
from scrapers.sites._codeforces.facts import Place, memory_limit_mb, place_of, problem_path, time_limit_ms
from scrapers.sites._codeforces.heads import STANDARD

_FILE: Final = re.compile(r"\w\.(?!\d)\w{1,5}\b")  # input.txt, and no 0.5 seconds


def problem_of_row(row: Tag, where: Place, base_url: str) -> Problem | None:
    """The problem a row links to; None for another contest's, or a row without one."""
    place, texts, notice = Place(), list[str](), ""
    stack: list[PageElement] = list(reversed(row.contents))
    for _ in range(400):
        if not stack:
            break
        tag = stack.pop()
        if not isinstance(tag, Tag):
            continue
        if tag.name == "a":
            linked = place_of(attribute(tag, "href"))
            if linked.index and (place.index is None or linked == place):
                place = linked
                texts.append(plain(tag, 300))
        elif "notice" in classes(tag):
            notice = notice or plain(tag, 300)
        stack.extend(reversed(tag.contents))
    if place.contest is None or place.index is None or (where.contest and place.contest != where.contest):
        return None
    # One of the two streams may be standard and the other a file.
    standard = not notice or (STANDARD.search(notice) is not None and _FILE.search(notice) is None)
    return Problem(
        external_id=f"{place.contest}/{place.index}",
        contest=place.contest,
        index=place.index,
        title=next((text for text in texts if text and text.upper() != place.index), None),
        url=base_url + problem_path(place.contest, place.index, place.group or where.group),
        time_limit_ms=time_limit_ms(notice),
        memory_limit_mb=memory_limit_mb(notice),
        flags=() if standard else ("file_io",),
    )
