"""One LeetCode problem with its statements, from GraphQL or from a page."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bs4 import Tag

from app.domain.sources.records import Classification, PageFinding, ScrapedProblem
from scrapers.reading.hidden_text import is_absent
from scrapers.reading.html import attribute, tags, visible_text
from scrapers.reading.markdown import TextTooLong, to_text
from scrapers.reading.page import SourcePage, parse_html, scrub
from scrapers.site import ParsedPage
from scrapers.sites._leetcode.contests import difficulty_level, problem_url
from scrapers.sites._leetcode.flags import categories, flags_of
from scrapers.sites._leetcode.json import graphql_errors, read_answer, short_text, slug
from scrapers.sites._leetcode.pages import read_page
from scrapers.sites._leetcode.samples import find_samples
from scrapers.sites._leetcode.signature import CallSpec, read_call_spec

_MAX_CONTENT_CHARS: Final = 1_000_000  # of HTML
_MAX_CODE_CHARS: Final = 50_000
_MAX_LANGUAGES: Final = 60
_CJK: Final = re.compile("[\u4e00-\u9fff]")
_ADDRESS: Final = re.compile(r"/problems/([A-Za-z0-9\-_]{1,200})(?:[/?#]|$)|#question/([A-Za-z0-9\-_]{1,200})$")
_ABSENT: Final = re.compile(r"^English description is not available", re.IGNORECASE)
_PAID: Final = ("isPaidOnly", "paidOnly", "paid_only")


def parse_question(page: SourcePage) -> ParsedPage:
    """Read the one problem of a GraphQL answer or of a problem page."""
    if page.text.lstrip().startswith("<"):
        content = read_page(page)
        if content is None:
            return ParsedPage.not_read("unknown_layout", "the page is no problem page we know")
        return _read(page, content)
    value, refusal = read_answer(page)
    if refusal is not None:
        return refusal
    data = value.get("data", value) if isinstance(value, Mapping) else None
    if not isinstance(data, Mapping):
        return ParsedPage.not_read("no_question", "the answer holds no question")
    question = _question(data)
    if question is None:
        if "question" in data and data["question"] is None:
            return ParsedPage.not_read("not_found", "the site knows no such problem", Classification.NOT_FOUND)
        return ParsedPage.not_read("no_question", "the answer holds no question")
    parsed = _read(page, question)
    error = graphql_errors(value)
    if error is None:
        return parsed
    return ParsedPage(parsed.classification, parsed.records, (*parsed.findings, PageFinding("graphql_error", error)))


# A notice may stand in place of a statement, which is never so short.
_MIN_STATEMENT_CHARS: Final = 400
_LOCKED_NOTICE: Final = re.compile(r"\bsubscribe\b|\bsign in\b|\blog ?in\b|\bpremium\b|请登录|订阅|会员", re.IGNORECASE)


def _question(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the first question: by that name at the top, below one field, or in a list's first element."""
    for value in (data, *data.values()):
        row = value[0] if isinstance(value, list) and value else value
        if isinstance(row, Mapping) and isinstance(row.get("question"), Mapping):
            question: Mapping[str, Any] = row["question"]
            return question
    return None


def _read(page: SourcePage, question: Mapping[str, Any]) -> ParsedPage:
    address = _ADDRESS.search(page.url)
    name = _slug(question) or (address[1] or address[2] if address else None)
    if address and (address[1] or address[2]) != name:
        return ParsedPage.not_read("another_page", f"the answer says that it is {name}")
    paid_only = any(question.get(flag) is True for flag in _PAID)
    contents = _contents(question)
    if not contents:
        if paid_only:
            return ParsedPage.not_read("paid_only", "the problem is for subscribers", Classification.PAID_ONLY)
        return ParsedPage.not_read("no_statement", "the question has no content")
    if max(map(len, contents.values())) > _MAX_CONTENT_CHARS:
        return ParsedPage.not_read("too_long", "the statement is longer than any")
    try:
        problem, findings = _problem(page, question, name, contents, paid_only=paid_only)
    except TextTooLong as long:
        return ParsedPage.not_read("too_long", str(long))
    for text in problem.statements.values():
        if len(text) < _MIN_STATEMENT_CHARS and _LOCKED_NOTICE.search(text):
            return ParsedPage.not_read("paid_only", text.strip()[:200], Classification.PAID_ONLY)
    if not any(problem.statements.values()):
        return ParsedPage.not_read("empty_statement", "the statement is empty")
    return ParsedPage(Classification.OK, (problem,), tuple(findings))


def _slug(question: Mapping[str, Any]) -> str | None:
    for name in ("titleSlug", "questionTitleSlug"):
        try:
            return slug(question.get(name))
        except TypeError:
            continue
    return None


def _problem(
    page: SourcePage, question: Mapping[str, Any], name: str | None, contents: Mapping[str, str], *, paid_only: bool
) -> tuple[ScrapedProblem, list[PageFinding]]:
    starter = _starter(question)
    labels = _tags(question)
    topics = categories(question, labels, starter)
    # SQL, shell scripts and threads cannot be called here, whatever metaData says.
    shape = CallSpec() if topics else read_call_spec(question.get("metaData"), starter)
    roots = {locale: _root(html) for locale, html in contents.items()}
    samples, findings = ((), []) if topics else find_samples(roots, shape, _testcases(question), name)
    texts = [visible_text(root) for root in roots.values()]
    image = any(next(tags(root, "img", within=50_000), None) is not None for root in roots.values())
    problem = ScrapedProblem(
        external_id=name,
        title=short_text(question.get("title"))
        or short_text(question.get("questionTitle"))
        or short_text(question.get("translatedTitle")),
        url=problem_url(page.base_url, name) if name else None,
        form=shape.form,
        locales=tuple(roots),
        statements={locale: to_text(root, page.base_url) for locale, root in roots.items()},
        samples=samples,
        tags=labels,
        difficulty=difficulty_level(question.get("difficulty")),
        starter_code=starter,
        signature=shape.signature,
        flags=flags_of(texts, starter, shape, topics, image=image, paid_only=paid_only),
    )
    return problem, [*_missing(problem, shape, called=not topics), *findings]


def _root(html: str) -> Tag:
    """Return the tree of a statement without what is not displayed; no script would ever show it."""
    root = parse_html(html)
    for tag in tags(root, within=_MAX_CONTENT_CHARS):
        if tag.has_attr("hidden") or is_absent(attribute(tag, "style")):
            tag.name = "template"  # this tag is dropped from every text
    return root


def _missing(problem: ScrapedProblem, shape: CallSpec, *, called: bool) -> Iterator[PageFinding]:
    subject = problem.external_id
    if problem.external_id is None:
        yield PageFinding("missing_id", "neither the address nor the answer names the problem", subject)
    if problem.title is None:
        yield PageFinding("missing_title", "the problem has no title", subject)
    if shape.broken:
        yield PageFinding("broken_metadata", "metaData cannot be read", subject)
    if called and problem.signature is None:
        yield PageFinding(
            "missing_signature", "neither metaData nor the starter code tells how to call a program", subject
        )
    if called and not problem.samples:
        yield PageFinding("missing_samples", "the statement has no sample we can read", subject)


def _contents(question: Mapping[str, Any]) -> dict[str, str]:
    """Return the statement's HTML by language, English first."""
    contents: dict[str, str] = {}
    for name, locale in (("content", "en"), ("questionContent", "en"), ("translatedContent", "zh")):
        html = question.get(name)
        if not isinstance(html, str) or not html.strip():
            continue
        text = re.sub(r"<[^>]{0,1000}>|&\w{1,10};|\s", "", html[:20_000])
        if not text or _ABSENT.match(re.sub(r"<[^>]{0,1000}>", "", html[:400]).strip()):
            continue
        if len(_CJK.findall(text)) * 10 > len(text):
            locale = "zh"  # problems that only the Chinese site has, have no English content
        contents.setdefault(locale, scrub(html))
    return contents


def _tags(question: Mapping[str, Any]) -> tuple[str, ...]:
    topics = question.get("topicTags")
    rows = topics[:60] if isinstance(topics, list) else []
    slugs = (row.get("slug") for row in rows if isinstance(row, Mapping))
    return tuple(dict.fromkeys(name for label in slugs if (name := short_text(label, 80)) is not None))


def _starter(question: Mapping[str, Any]) -> dict[str, str]:
    """Return starter code by the site's slug of the language; until about 2018 it came as a JSON string."""
    snippets = question.get("codeSnippets") or question.get("codeDefinition")
    if isinstance(snippets, str):
        try:
            snippets = json.loads(snippets)
        except (ValueError, RecursionError):
            snippets = None
    starter: dict[str, str] = {}
    for snippet in snippets[:_MAX_LANGUAGES] if isinstance(snippets, list) else ():
        if isinstance(snippet, Mapping):
            language = short_text(snippet.get("langSlug") or snippet.get("value"), 40)
            code = snippet.get("code") if "code" in snippet else snippet.get("defaultCode")
            if language and isinstance(code, str):
                starter[language] = scrub(code[:_MAX_CODE_CHARS]).replace("\r\n", "\n").replace("\r", "\n")
    return starter


def _testcases(question: Mapping[str, Any]) -> list[str] | None:
    """Return the lines of the examples' inputs, one argument each; None if the answer holds none."""
    for name in ("exampleTestcaseList", "jsonExampleTestcases", "exampleTestcases", "sampleTestCase"):
        value = question.get(name)
        if isinstance(value, str) and value.startswith('["') and name == "jsonExampleTestcases":
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                continue
        parts = [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str)]
        text = "\n".join(part.replace("\r\n", "\n").replace("\r", "\n").strip("\n") for part in parts)
        if text.strip():
            return text.split("\n")[:2000]
    return None
