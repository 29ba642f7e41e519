"""LeetCode's HTML pages of one problem, in the form of GraphQL's answer.

Two layouts are known: the server-rendered page of 2016 (statement in `div.question-content`, the rest in the arguments
of `aceCtrl.init`), and today's page, whose `__NEXT_DATA__` holds the GraphQL answers it was made from.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from bs4 import Tag

from app.domain.sources.records import Classification
from scrapers.reading.html import attribute, classes, tags, visible_text
from scrapers.reading.page import SourcePage
from scrapers.site import ParsedPage

_STRING: Final = re.compile(r"'((?:[^'\\]|\\(?s:.))*+)(?:'|\\?\Z)")  # always matches at a quote: one pass
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|([nrt'\"\\/]))")
_PLAIN: Final = {"n": "\n", "r": "\r", "t": "\t"}
_PROBLEM_LINK: Final = re.compile(r"/problems/([A-Za-z0-9\-_]{1,200})/?")
_LOCKED: Final = re.compile(
    r"subscribe to unlock|this (?:problem|question) is (?:locked|only for premium)", re.IGNORECASE
)
_MAX_DEPTH: Final = 8


def classify(page: SourcePage) -> ParsedPage | None:
    """Return the class of LeetCode's own pages without content; None for any other.

    A locked problem is a sign-in form that leads back to the problem: open problems need no account.
    """
    form = page.soup.find("form", action=re.compile("^/accounts/login"))
    onward = form.find("input", attrs={"name": "next"}) if isinstance(form, Tag) else None
    if isinstance(onward, Tag) and _PROBLEM_LINK.fullmatch(attribute(onward, "value")):
        return ParsedPage.not_read("paid_only", "the problem is for subscribers", Classification.PAID_ONLY)
    if page.soup.find(class_="question-content") is None and _LOCKED.search(page.text[:400_000]):
        return ParsedPage.not_read("paid_only", "the problem is for subscribers", Classification.PAID_ONLY)
    return None


def read_page(page: SourcePage) -> Mapping[str, Any] | None:
    """Return the question of an HTML page under GraphQL's names; None for an unknown layout."""
    script = page.soup.find("script", id="__NEXT_DATA__")
    if isinstance(script, Tag):
        return _read_state(script.string or "", page)
    content = page.soup.find(class_="question-content")
    return _read_2016_page(page, content) if isinstance(content, Tag) else None


def _read_state(text: str, page: SourcePage) -> Mapping[str, Any] | None:
    """Merge all partial answers about the page's own problem."""
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        return None
    parts = list(_questions(state))
    link = _PROBLEM_LINK.match(page.path)
    slug = link[1] if link else next((part["titleSlug"] for part in parts if _is_text(part.get("titleSlug"))), None)
    question: dict[str, Any] = {"titleSlug": slug} if slug else {}
    for part in parts:
        if part.get("titleSlug") in (None, slug):
            question |= {name: value for name, value in part.items() if value is not None}
    return question if "content" in question or "isPaidOnly" in question else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _questions(state: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every object called "question", down to a bounded depth."""
    stack = [(state, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _MAX_DEPTH:
            continue
        if isinstance(node, Mapping):
            question = node.get("question")
            if isinstance(question, Mapping):
                yield question
            stack.extend((value, depth + 1) for name, value in reversed(list(node.items())) if name != "question")
        elif isinstance(node, list):
            stack.extend((value, depth + 1) for value in reversed(node))


def _read_2016_page(page: SourcePage, content: Tag) -> Mapping[str, Any]:
    slug = re.search(r"questionTitleSlug:\s{0,5}'([A-Za-z0-9\-_]{1,200})'", page.text)
    heading = page.soup.find(class_="question-title")
    title = visible_text(next(tags(heading, "h1", "h2", "h3"), None), 400) if isinstance(heading, Tag) else ""
    info = page.soup.find(class_="question-info")
    level = re.search(r"Difficulty:\s{0,3}(\w{1,20})", visible_text(info, 400)) if isinstance(info, Tag) else None
    links = [attribute(link, "href") for link in tags(content, "a", within=20_000)]
    return {
        "titleSlug": slug[1] if slug else None,
        "title": re.sub(r"^\d{1,5}\.\s*", "", title) or None,
        "content": "".join(str(child) for child in content.contents if not _is_footer(child)),
        "difficulty": level[1] if level else None,
        "topicTags": [{"slug": match[1]} for link in links if (match := re.fullmatch(r"/tag/([\w\-]{1,80})/?", link))],
        **_editor(page),
    }


def _is_footer(node: Any) -> bool:
    """Return whether a part of the content is the site's own: companies that asked the question, tags, similar
    problems."""
    if not isinstance(node, Tag) or node.name != "div":
        return False
    inside = list(tags(node, "a", "div", "span", within=40))
    return any(
        attribute(tag, "id") in ("tags", "similar", "company_tags")
        or attribute(tag, "href").startswith("/subscribe")
        or "hidebutton" in classes(tag)
        for tag in inside
    )


def _editor(page: SourcePage) -> dict[str, Any]:
    """Return starter code, sample test and metaData from the editor's arguments."""
    editor = page.soup.find(attrs={"ng-init": re.compile(r"^\s{0,20}aceCtrl\.init\(")})
    if not isinstance(editor, Tag):
        return {}
    strings = [_unescape(match[1]) for match in _STRING.finditer(attribute(editor, "ng-init"))]
    snippets = [
        {"langSlug": strings[at + 1], "code": strings[at + 5]}
        for at in range(len(strings) - 5)
        if (strings[at], strings[at + 2], strings[at + 4]) == ("value", "text", "defaultCode")
    ]
    question: dict[str, Any] = {"codeSnippets": snippets}
    for before, text in pairwise(strings):
        if text.startswith("{") and '"name"' in text and '"params"' in text:
            question |= {"metaData": text, "sampleTestCase": before}
    return question


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _PLAIN.get(match[2], match[2]), text)
