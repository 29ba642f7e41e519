"""Facts Codeforces writes the same way on many pages: ids in addresses, limits, divisions, titles."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final
from urllib.parse import unquote, urlsplit

from scrapers.reading.amounts import amount

FIRST_GYM: Final = 100_000  # contests from this id on are trainings ("gym") and mashups, not rounds
ACMSGURU: Final = "99999"  # id of the acm.sgu.ru archive in addresses

_INDEX: Final = r"[A-Za-z0-9]{1,8}"
_PLACE: Final = re.compile(
    rf"(?:/group/(?P<group>[A-Za-z0-9]{{1,40}}))?/(?P<where>contest|gym)/(?P<contest>\d{{1,9}})"
    rf"(?:/problem/(?P<index>{_INDEX}))?(?=/|$)"
)
_ARCHIVE: Final = re.compile(
    rf"/(?:problemset/(?:problem|gymProblem)|problemsets?/(?P<set>[a-z]{{1,30}})/problem)"
    rf"/(?P<contest>\d{{1,9}})/(?P<index>{_INDEX})(?=/|$)"
)
_PAGE_TITLE: Final = re.compile(r"^\S{1,12} - (\d{1,6})([A-Z]\d{0,2}) - ")

_NUMBER: Final = r"(\d{1,9}(?:[.,]\d{1,9})?)"
_TIME: Final = re.compile(
    rf"{_NUMBER}\s*(?:(?P<ms>ms|msecs?|milliseconds?|мс|миллисекунд\w{{0,2}})"
    r"|(?P<min>mins?|minutes?|мин|минут\w?)|(?P<s>s|secs?|seconds?|с|сек|секунд\w?))(?!\w)",
    re.IGNORECASE,
)
_MEMORY: Final = re.compile(
    rf"{_NUMBER}\s*(?:(?P<k>kib|kb|kilobytes?|кб|килобайт\w{{0,2}})|(?P<m>mib|mb|megabytes?|мб|мегабайт\w{{0,2}})"
    r"|(?P<g>gib|gb|gigabytes?|гб|гигабайт\w{0,2})|(?P<b>b|bytes?|байт\w{0,2}))(?!\w)",
    re.IGNORECASE,
)
_DIVISION: Final = re.compile(
    r"\b(?:Div|Див)(?:ision|изион)?s?\b\.?\s*([1-4])\b((?:\s*(?:[+&,/]|and\b|и\b)\s*[1-4]\b){0,3})", re.IGNORECASE
)
_EDUCATIONAL: Final = re.compile(r"^Educational Codeforces Round\b", re.IGNORECASE)
_TITLE: Final = re.compile(rf"({_INDEX})\.\s+(\S.*)$")
_LOOKS_LIKE_INDEX: Final = re.compile(r"[A-Z]\d{0,2}|\d{1,4}")


@dataclass(frozen=True, slots=True)
class PageLocation:
    """Location of a page: a round, a training, a group's contest or an archive, and which problem of it."""

    contest: str | None = None
    index: str | None = None
    group: str | None = None
    archive: str | None = None  # the problem set's name, for pages below /problemsets/
    listed: bool = False  # below /problemset/, where a problem has no contest around it


def location_of(url: str) -> PageLocation:
    """Return the contest and problem that an address names, on any host."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return PageLocation()
    match = _ARCHIVE.search(path)
    if match:
        return PageLocation(_id(match["contest"]), match["index"].upper(), archive=match["set"], listed=True)
    match = _PLACE.search(path)
    if match is None:
        return PageLocation()
    index = match["index"]
    return PageLocation(_id(match["contest"]), index.upper() if index else None, group=match["group"])


def location_of_title(title: str) -> PageLocation:
    """Return the location in the title of a page of the problem set, as in "Problem - 1220C - Codeforces"."""
    match = _PAGE_TITLE.match(title)
    return PageLocation(_id(match[1]), match[2], listed=True) if match else PageLocation()


def _id(digits: str) -> str:
    return str(int(digits))


def problem_path(contest: str, index: str, group: str | None = None, archive: str | None = None) -> str:
    """Return the public path of a problem."""
    if archive or contest == ACMSGURU:
        return f"/problemsets/{archive or 'acmsguru'}/problem/{contest}/{index}"
    if group:
        return f"/group/{group}/contest/{contest}/problem/{index}"
    return f"/{'gym' if is_gym(contest) else 'contest'}/{contest}/problem/{index}"


def is_gym(contest: str) -> bool:
    """Return whether a contest is a training or a mashup, by its id."""
    return contest.isdecimal() and int(contest) >= FIRST_GYM


def time_limit_ms(text: str) -> int | None:
    """Return the milliseconds of a limit such as "0.5 seconds", "2 секунды" or "250 ms"; None without one."""
    match = amount(_TIME, text)
    if match is None:
        return None
    scale = 1 if match["ms"] else 60_000 if match["min"] else 1000
    return _positive(_number(match[1]) * scale)


def memory_limit_mb(text: str) -> int | None:
    """Return the site's number of megabytes, MB and MiB alike; None without one."""
    match = amount(_MEMORY, text)
    if match is None:
        return None
    number = _number(match[1])
    if match["k"]:
        # 65536 KB is 64 MB and 1000000 KB is 1000 MB: divide by 1000 or 1024, whichever leaves no rest.
        return _positive(number / 1000 if number % 1024 and not number % 1000 else number / 1024)
    scale = Decimal(1) if match["m"] else Decimal(1024) if match["g"] else Decimal(1) / 2**20
    return _positive(number * scale)


def division_of(title: str) -> str | None:
    """Return the division in a contest's title, as "Div. 2" or "Div. 1 + Div. 2"; None without one.

    Educational rounds are for the second division, also if their title does not say so.
    """
    numbers = {
        digit for match in _DIVISION.finditer(title[:1000]) for digit in re.findall("[1-4]", match[1] + match[2])
    }
    if not numbers and _EDUCATIONAL.match(title):
        return "Div. 2"
    return " + ".join(f"Div. {number}" for number in sorted(numbers)) or None


def split_title(heading: str, index: str | None) -> tuple[str | None, str | None]:
    """Return (index, title) of a heading such as "A1. Dual"; without an index all of it is the title.

    `index` is the one that the page is known by, if any.
    """
    text = " ".join(heading.split())
    match = _TITLE.match(text)
    if match and (_LOOKS_LIKE_INDEX.fullmatch(match[1]) or match[1].upper() == index):
        return match[1], match[2]
    return None, text or None


def _number(text: str) -> Decimal:
    whole, comma, part = text.partition(",")
    # A comma sets off thousands in English and decimals in Russian.
    plain = whole + part if comma and len(part) == 3 and int(whole) else text.replace(",", ".")
    try:
        return Decimal(plain)
    except InvalidOperation:
        return Decimal(0)


def _positive(number: Decimal) -> int | None:
    """Return a limit rounded up, as it must never be tighter than the site's; None for zero."""
    return math.ceil(number) if 0 < number < 2**31 else None
