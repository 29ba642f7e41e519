"""From bytes to records, without a network: the only way in which a body is read.

A crawl reads each fresh body through `parse_page`, and a replay reads the stored bytes through the same function, so a
replay equals the first parse.
"""

from dataclasses import replace

from app.domain.sources.records import Classification, PageFinding
from scrapers.classify import MAX_BYTES, classify_page, classify_response
from scrapers.reading.html import visible_text
from scrapers.reading.page import REPLACEMENT_CHARACTER, SourcePage
from scrapers.reading.shape import shape_of
from scrapers.response import Response
from scrapers.site import Media, ParsedPage, Site

_CHARS_PER_LOST_CHAR = 20  # one character in so many may be lost; beyond that a text is no longer the site's


def parse_response(site: Site, kind: str, response: Response) -> ParsedPage:
    """Parse a response, fresh or stored; how the server answered decides first.

    An interface may give a more precise reason for refusing in its body than in its status.
    """
    reader = site.kind(kind)
    refusal = classify_response(site, reader, response)
    if refusal is None:
        return parse_page(site, kind, response.body, response.url)
    if reader.media is Media.JSON and refusal.findings and refusal.findings[0].code == "status":
        answer = parse_page(site, kind, response.body, response.url)
        if answer.classification not in (Classification.OK, Classification.FORMAT_CHANGED):
            return answer
    return refusal


def parse_page(site: Site, kind: str, body: bytes, url: str = "") -> ParsedPage:
    """Parse one body of a site. `url` is where it came from; it names what the page itself may not.

    Never raises for the body's content: a body that the parser cannot read is FORMAT_CHANGED, with the parser's error
    as a finding. Raises NotFound for an unknown kind.
    """
    reader = site.kind(kind)
    if len(body) > MAX_BYTES[reader.media]:
        return ParsedPage.not_read("too_large", f"{len(body)} bytes are more than a {kind} may have")
    try:
        page = SourcePage(body, url=url, base_url=site.base_url_of(url))
        parsed = classify_page(site, reader, page) or reader.parse(page)
        if parsed.classification in (Classification.OK, Classification.FORMAT_CHANGED):
            parsed = replace(parsed, shape=shape_of(page, reader.media))
    except Exception as broken:  # a hostile page may break a parser in any way; it must not stop a crawl
        return ParsedPage.not_read("parser", f"{type(broken).__name__}: {str(broken)[:300]}")
    damage = page.text.count(REPLACEMENT_CHARACTER)
    if not damage:
        return parsed
    finding = PageFinding("encoding", f"{damage} characters could not be decoded")
    if parsed.classification is Classification.OK and _is_spoiled(page):
        return ParsedPage(Classification.FORMAT_CHANGED, findings=(finding,), shape=parsed.shape)
    return replace(parsed, findings=(*parsed.findings, finding))


def _is_spoiled(page: SourcePage) -> bool:
    """Return whether too much of the visible text was lost in decoding."""
    text = visible_text(page.soup) if page.text.lstrip().startswith("<") else page.text
    return text.count(REPLACEMENT_CHARACTER) * _CHARS_PER_LOST_CHAR > len(text) - text.count(" ")
