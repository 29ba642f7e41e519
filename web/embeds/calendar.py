"""`/calendar.ics`: contests that will be read or were read lately, for a calendar program (RFC 5545)."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from starlette.responses import Response

from app.services.sources.contest_dates import ContestDates, contest_dates
from web.context import PageRequest

_PAST, _FUTURE = timedelta(days=60), timedelta(days=120)
_MAX_LINE_OCTETS: Final = 75  # RFC 5545, section 3.1


def calendar(page: PageRequest) -> Response:
    """Return the contests of the last 60 and the next 120 days, each with its source and its problems' page."""
    with page.state.sessions() as session:
        contests = contest_dates(session, page.now - _PAST, page.now + _FUTURE)
    body = "".join(_fold(line) for line in _lines(page, contests))
    return Response(body, media_type="text/calendar; charset=utf-8", headers={"Cache-Control": "public, max-age=900"})


def _lines(page: PageRequest, contests: Sequence[ContestDates]) -> Iterator[str]:
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tidemark//Contests//EN", "CALSCALE:GREGORIAN")
    yield f"X-WR-CALNAME:{_escape(page.t('calendar.title'))}"
    for contest in contests:
        yield "BEGIN:VEVENT"
        yield f"UID:{_escape(f'{contest.source}/{contest.external_id}')}@tidemark"
        yield f"DTSTAMP:{_instant(contest.starts_at)}"
        yield f"DTSTART:{_instant(contest.starts_at)}"
        yield f"DTEND:{_instant(contest.ends_at)}"
        yield f"SUMMARY:{_escape(f'{contest.source_title}: {contest.title}')}"
        yield f"URL:{page.state.public_url}{page.href('/problems', [('platform', contest.source)])}"
        yield "END:VEVENT"
    yield "END:VCALENDAR"


def _instant(value: datetime) -> str:
    return f"{value:%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    """Return text with what has a meaning in a value escaped (RFC 5545, section 3.3.11); control characters go."""
    plain = "".join(
        character for character in text.replace("\r\n", "\n") if character.isprintable() or character == "\n"
    )
    for character in ("\\", ";", ","):
        plain = plain.replace(character, f"\\{character}")
    return plain.replace("\n", "\\n")


def _fold(line: str) -> str:
    """Return a line cut into pieces of at most 75 octets, none of which breaks a character."""
    pieces, piece, size = [], "", 0
    for character in line:
        width = len(character.encode())
        if size + width > _MAX_LINE_OCTETS:
            pieces.append(piece)
            piece, size = " ", 1
        piece, size = piece + character, size + width
    return "\r\n".join([*pieces, piece]) + "\r\n"
