"""Header of a Codeforces statement: title, limits, and the files that a program reads and writes."""

import re
from dataclasses import dataclass
from typing import Final

from bs4 import NavigableString, Tag

from scrapers.reading.html import classes, visible_text
from scrapers.sites._codeforces.facts import memory_limit_mb, time_limit_ms
from scrapers.sites._codeforces.text import visible_tags

STANDARD: Final = re.compile(r"standard|stdin|stdout|стандартн|screen|keyboard|консол", re.IGNORECASE)
_OLD_TIME_LABEL: Final = r"(?:time limit|ограничение (?:по )?времени)"
_OLD_MEMORY_LABEL: Final = r"(?:memory limit|ограничение (?:по )?памяти)"
_PER_TEST: Final = r"(?: per test| на тест)?\s*:?(.{0,40})"
_OLD_TIME: Final = re.compile(_OLD_TIME_LABEL + _PER_TEST, re.IGNORECASE)
_OLD_MEMORY: Final = re.compile(_OLD_MEMORY_LABEL + _PER_TEST, re.IGNORECASE)
_OLD_FILE: Final = re.compile(r"\b(?:input|output)\s*:\s*([\w\-]{1,30}\.\w{1,4})\b", re.IGNORECASE)
_OLD_HEAD: Final = re.compile(
    rf"#|\W*(?:(?:{_OLD_TIME_LABEL}|{_OLD_MEMORY_LABEL}).{{0,200}}|(?:input|output)\s*:\s*\S{{1,40}}\s*)$",
    re.IGNORECASE,
)
_OLD_TITLE: Final = re.compile(
    rf"\W{{0,3}}(\d{{1,4}}\. .{{1,200}}?)\s*(?={_OLD_TIME_LABEL}|{_OLD_MEMORY_LABEL})", re.IGNORECASE
)
_OLD_TOP_CHARS: Final = 400  # at the top, which hold the limits


@dataclass(frozen=True, slots=True)
class StatementHeader:
    """Facts above a statement."""

    title: str = ""
    time_ms: int | None = None
    memory_mb: int | None = None
    files: tuple[str, ...] = ()  # lines that name files to read and write instead of the standard streams


def split_header(root: Tag) -> tuple[StatementHeader, Tag]:
    """Return (the header of a statement, the statement without it)."""
    head = next((tag for tag in visible_tags(root) if "header" in classes(tag)), None)
    if head is None:
        return StatementHeader(), root
    parts: dict[str, tuple[str, str]] = {}
    for tag in head.contents:
        if isinstance(tag, Tag):
            for name in classes(tag):
                parts.setdefault(name, _property(tag))
    files = tuple(
        f"{label or name.partition('-')[0]}: {value}"
        for name in ("input-file", "output-file")
        for label, value in (parts.get(name, ("", "")),)
        if value and not STANDARD.search(value)
    )
    return (
        StatementHeader(
            title=parts.get("title", ("", ""))[1],
            time_ms=time_limit_ms(parts.get("time-limit", ("", ""))[1]),
            memory_mb=memory_limit_mb(parts.get("memory-limit", ("", ""))[1]),
            files=files,
        ),
        _without_header(head, root),
    )


def _property(tag: Tag) -> tuple[str, str]:
    """Return (label, value) of a part of the header."""
    label = next(
        (visible_text(content, 100) for content in tag.contents if isinstance(content, Tag) and _is_label(content)), ""
    )
    rest = (visible_text(content, 500) if isinstance(content, Tag) else str(content)[:500] for content in tag.contents
            if (isinstance(content, Tag) and not _is_label(content)) or type(content) is NavigableString)  # fmt: skip
    return label, " ".join(" ".join(rest).split())


def _is_label(tag: Tag) -> bool:
    return "property-title" in classes(tag)


def _without_header(head: Tag, root: Tag) -> Tag:
    """Return the statement without its header: a new tag around the other contents, which stay in the tree."""
    around = head.parent or root
    body = Tag(name="div")
    body.contents = [content for content in around.contents if content is not head]
    return body


def split_old_header(root: Tag) -> tuple[StatementHeader, Tag]:
    """Return (header, statement) of a page of the acm.sgu.ru archive, whose header is part of the text."""
    heading = next((tag for tag in visible_tags(root) if tag.name in ("h2", "h3", "h4")), None)
    top = visible_text(root, _OLD_TOP_CHARS)
    time, memory, bare = _OLD_TIME.search(top), _OLD_MEMORY.search(top), _OLD_TITLE.match(top)
    files = tuple(match[0] for match in _OLD_FILE.finditer(top) if not STANDARD.search(match[1]))
    return (
        StatementHeader(
            title=visible_text(heading, 500) or (bare[1] if bare else ""),
            time_ms=time_limit_ms(time[1]) if time else None,
            memory_mb=memory_limit_mb(memory[1]) if memory else None,
            files=files,
        ),
        root,
    )


def drop_old_header(text: str, title: str) -> str:
    """Return a text of the old archive without its title and the lines of limits at its top."""
    lines = text.split("\n")
    while lines and (
        not lines[0].strip() or _OLD_HEAD.match(lines[0]) or (title and lines[0].lstrip("*").startswith(title))
    ):
        lines.pop(0)
    return "\n".join(lines)
