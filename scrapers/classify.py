"""Classification of responses before any parser reads them.

`classify_response` looks at how the server answered, `classify_page` at what it sent: a challenge, a sign-in form or an
error page with status 200 must never reach a parser as a problem. Sites add their own error pages through
`Site.classify`.
"""

import re
from typing import Final
from urllib.parse import unquote

from app.domain.sources.records import Classification, PageFinding
from scrapers.reading.html import visible_text
from scrapers.reading.page import SourcePage
from scrapers.response import Response
from scrapers.site import Media, PageKind, ParsedPage, Site

FORBIDDEN_BY_ROBOTS: Final = "refused"  # code of a page that robots.txt forbids, which was not requested

MAX_BYTES: Final = {Media.HTML: 4 * 2**20, Media.JSON: 128 * 2**20, Media.TEXT: 4 * 2**20}

# Marks of a page that demands a browser or a person: its title, or a script that only such pages contain.
_CHALLENGE_TITLE = re.compile(
    r"^(?:just a moment|attention required!?\s*\| cloudflare|please wait\W|checking your browser|ddos-guard"
    r"|access denied|security check|one more step)",
    re.IGNORECASE,
)
_CHALLENGE_MARK = re.compile(
    r"_cf_chl_opt|cf-browser-verification|document\.cookie\s*=\s*[\"']RCPC=|CSRF verification failed"
    r"|Enable JavaScript and cookies to continue|Sorry, you have been blocked|\bwindow\.gokuProps\b",
    re.IGNORECASE,
)
# Cloudflare's challenge in other languages. A problem's title may begin with these words, so all of it must match.
_MOMENT_TITLE = re.compile(
    r"(?:один момент|(?:nur )?einen moment|un momento|um momento|un instant|een moment|chwileczkę|bir dakika|请稍候"
    r"|請稍候|しばらくお待ちください|잠시만 기다리십시오)\s*(?:…|\.{3}|&hellip;)\s*",
    re.IGNORECASE,
)
# Cloudflare's page for clients that ask too often has the same title as the one for those it keeps out.
_LIMIT_TITLE = re.compile(r"access denied\b|error 1015\b", re.IGNORECASE)
_LIMIT = re.compile(r"error-code\"?>\s*1015\b|\berror(?: code:?)? 1015\b|You are being rate limited", re.IGNORECASE)
# A page that only says that the browser is being checked; a statement may say it among other things.
_CHECK = re.compile(
    r"(?:please wait\W{1,5}|one moment\W{1,5})?(?:(?:we are )?checking (?:if )?(?:your|the) browser\b"
    r"|(?:your|the) browser is being checked\b)"
    r"|(?:пожалуйста\W{1,3})?(?:подождите\W{1,5})?(?:ваш браузер провер|проверка (?:вашего )?браузера)",
    re.IGNORECASE,
)
_HIDDEN_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|title)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE
)
_MAX_CHECK_CHARS = 400
# A status in titles of servers, frameworks and Cloudflare ("site.com | 504: ..."). A problem's number ends in a dot.
_ERROR_TITLE = re.compile(
    r"(?:(?:[\w\-]{1,63}\.){1,9}\w{2,63} \| )?(?:error\s*|http status )?(4\d\d|5\d\d)\b(?!\. )|(?:page )?not found\b"
    r"|(?:server error|bad request|forbidden|not found) \((4\d\d|5\d\d)\)$",
    re.IGNORECASE,
)
# CloudFront and old Tomcats show the status in a heading.
_VAGUE_TITLE = re.compile(
    r"error: the request could not be satisfied$|apache tomcat.{0,40} - error report$", re.IGNORECASE
)
_ERROR_HEADING = re.compile(r"(?:http status )?(4\d\d|5\d\d)\b", re.IGNORECASE)
_STORE_ERROR = re.compile(r"\s*(?:<\?xml[^<>]{0,200}\?>\s*)?<Error>\s*<Code>(\w{1,60})</Code>")
_NOAI = re.compile(r"\bno(?:image)?ai\b", re.IGNORECASE)
_HEAD_CHARS = 40_000  # of a page, which are searched for these marks
_TAIL_CHARS = 2_000  # that may follow the end of a page, such as comments of a server

_BY_STATUS: Final = {
    401: Classification.LOGIN,
    402: Classification.PAID_ONLY,
    403: Classification.BLOCKED,
    404: Classification.NOT_FOUND,
    408: Classification.UNREACHABLE,
    410: Classification.NOT_FOUND,
    425: Classification.RATE_LIMITED,
    429: Classification.RATE_LIMITED,
    451: Classification.BLOCKED,
}


_BY_STORE: Final = {  # error codes of Amazon's S3, where some sites store files
    "AccessDenied": Classification.BLOCKED,
    "InternalError": Classification.UNREACHABLE,
    "NoSuchBucket": Classification.NOT_FOUND,
    "NoSuchKey": Classification.NOT_FOUND,
    "ServiceUnavailable": Classification.UNREACHABLE,
    "SlowDown": Classification.RATE_LIMITED,
}


def class_of_status(status: int) -> Classification:
    """Return the class that a status alone stands for; a 2xx is OK until its body says otherwise."""
    if 200 <= status < 300:
        return Classification.OK
    if status >= 500:
        return Classification.UNREACHABLE
    return _BY_STATUS.get(status, Classification.FORMAT_CHANGED)


def is_challenge(body: bytes) -> bool:
    """Return whether the body is a page that keeps programs out."""
    text = body[:_HEAD_CHARS].decode("utf-8", "replace")
    if _CHALLENGE_MARK.search(text):
        return True
    title = _title(text)
    if _CHALLENGE_TITLE.match(title) or _MOMENT_TITLE.fullmatch(title):
        return not _says_limit(text)
    return text.lstrip().startswith("<") and _only_checks(text)


def is_limit(body: bytes) -> bool:
    """Return whether the body is Cloudflare's page for clients that ask too often."""
    return _says_limit(body[:_HEAD_CHARS].decode("utf-8", "replace"))


def _says_limit(text: str) -> bool:
    return _LIMIT_TITLE.match(_title(text)) is not None and _LIMIT.search(text) is not None


def _title(text: str) -> str:
    match = re.search(r"<title[^>]{0,500}>\s*([^<]{0,200})", text, re.IGNORECASE)
    return match[1] if match else ""


def _only_checks(text: str) -> bool:
    content = " ".join(_HIDDEN_MARKUP.sub(" ", text).split())
    return len(content) <= _MAX_CHECK_CHARS and _CHECK.match(content) is not None


def classify_response(site: Site, kind: PageKind, response: Response) -> ParsedPage | None:
    """Return the class of a response that must not be parsed, with its reason; None if it may be parsed."""
    if response.refusal is not None:
        return ParsedPage.not_read(FORBIDDEN_BY_ROBOTS, response.refusal, Classification.BLOCKED)
    if response.over_daily_limit:
        return ParsedPage.not_read("day_spent", response.error or "not today", Classification.RATE_LIMITED)
    if response.status is None:
        return ParsedPage.not_read("unreachable", response.error or "no answer", Classification.UNREACHABLE)
    refusal = _find_refusal(response.body, challenge=_asks_for_a_person(response))
    if refusal is not None:
        return refusal
    if site.login_path.search(SourcePage(b"", url=response.final_url).path):
        return ParsedPage.not_read("login", "the site asks to sign in", Classification.LOGIN)
    by_code = class_of_status(response.status)
    if by_code is not Classification.OK:
        return ParsedPage.not_read("status", f"HTTP {response.status}", by_code)
    if response.error is not None:  # too large, or a redirect that leads away
        return ParsedPage.not_read("response", response.error)
    if _path(response.final_url) != _path(response.url):
        elsewhere = f"the site led on to {_path(response.final_url)[:200]}"
        return ParsedPage(
            Classification.FORMAT_CHANGED, findings=(PageFinding("another_page", elsewhere, in_context=True),)
        )
    if kind.statement and site.robots.obey_noai and _wants_no_ai(response):
        return ParsedPage.not_read("noai", "the owner asks not to use this page for AI", Classification.BLOCKED)
    return None


def _find_refusal(body: bytes, *, challenge: bool = False) -> ParsedPage | None:
    """Return why a body is a challenge or a rate limit; None if it is neither. `challenge` is set if a header said
    so."""
    if challenge or is_challenge(body):
        return ParsedPage.not_read("challenge", "the site asks for a browser or a person", Classification.BLOCKED)
    if is_limit(body):
        return ParsedPage.not_read("limit", "the site says that it was asked too often", Classification.RATE_LIMITED)
    return None


def _asks_for_a_person(response: Response) -> bool:
    """Return whether a header of Cloudflare or Amazon says that the body is a challenge."""
    waf = response.headers.get("x-amzn-waf-action", "").lower()
    return "challenge" in response.headers.get("cf-mitigated", "") or "challenge" in waf or "captcha" in waf


def _path(url: str) -> str:
    return unquote(SourcePage(b"", url=url).path).rstrip("/")


def _wants_no_ai(response: Response) -> bool:
    if _NOAI.search(response.headers.get("x-robots-tag", "")):
        return True
    head = response.body[:_HEAD_CHARS].decode("utf-8", "replace")
    metas = re.findall(r"<meta\b[^>]{0,500}>", head, re.IGNORECASE)
    return any(re.search(r"name\s*=\s*[\"']?robots", meta, re.IGNORECASE) and _NOAI.search(meta) for meta in metas)


def classify_page(site: Site, kind: PageKind, page: SourcePage) -> ParsedPage | None:
    """Return the class of a body that must not be parsed as its kind; None if it may be parsed."""
    if not page.text.strip():
        return ParsedPage.not_read("empty", "the body is empty")
    challenge = _find_refusal(page.text[:_HEAD_CHARS].encode("utf-8", "replace"))
    if challenge is not None:
        return challenge
    if kind.media is Media.JSON and page.text.lstrip()[:1] not in ("{", "["):
        if not page.text.lstrip().startswith("<"):
            return ParsedPage.not_read("not_json", "the body is no JSON object or list")
        return _classify_html(site, page) or ParsedPage.not_read("not_json", "an HTML page came instead of JSON")
    if kind.media is Media.JSON or (kind.media is Media.TEXT and not page.text.lstrip().startswith("<")):
        return None
    # For kinds with several types of body, the site's own rules are better than those for all sites.
    site_refusal = site.classify(page) if kind.media is Media.TEXT else None
    refusal = site_refusal or _classify_html(site, page)
    if refusal is None and "</html" not in page.text[-_TAIL_CHARS:].lower():
        return ParsedPage.not_read("cut", "the page breaks off before its end")
    return refusal


def _classify_html(site: Site, page: SourcePage) -> ParsedPage | None:
    error = _error_of(page)
    if error is not None:
        return ParsedPage.not_read("error_page", f"the page is titled {page.title!r}", error)
    store = _STORE_ERROR.match(page.text)
    if store and store[1] in _BY_STORE:
        return ParsedPage.not_read("error_page", f"the body is the error {store[1]}", _BY_STORE[store[1]])
    if _asks_to_sign_in(page):
        return ParsedPage.not_read("login", "the page is a sign-in form", Classification.LOGIN)
    return site.classify(page)


def _error_of(page: SourcePage) -> Classification | None:
    """Return the class of a page that is titled as an error; None for any other."""
    error = _ERROR_TITLE.match(page.title)
    if error:
        return class_of_status(int(error[1] or error[2] or 404))
    if not _VAGUE_TITLE.match(page.title):
        return None
    status = _ERROR_HEADING.match(visible_text(page.soup.h1, 100))
    return class_of_status(int(status[1])) if status else Classification.UNREACHABLE


def _asks_to_sign_in(page: SourcePage) -> bool:
    """Return whether the page asks for a password, other than in a dialogue behind a button."""
    for field in page.soup.find_all("input", attrs={"type": re.compile("^password$", re.IGNORECASE)}, limit=3):
        form = field.find_parent("form")
        around = form.find_parent(class_=re.compile(r"modal|dialog|popup|dropdown")) if form is not None else None
        if form is not None and around is None:
            return True
    return False
