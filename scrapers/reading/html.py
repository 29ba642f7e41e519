"""Text of hostile HTML: what a page shows on one line, and examples as a program would read them.

Trees are walked with a stack, never by recursion, so nesting costs no more than memory in proportion to the page.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from scrapers.reading.hidden_text import hides_text, visibility_by_property

MAX_STATEMENT_CHARS: Final = 400_000  # characters of one statement

_DROPPED_TAGS: Final = frozenset({
    "applet", "audio", "base", "button", "canvas", "embed", "form", "frame", "frameset", "head", "iframe",
    "input", "link", "meta", "noscript", "object", "option", "script", "select", "style", "svg", "template",
    "textarea", "title", "video",
})  # fmt: skip
# Copy buttons that the sites' scripts add, which pages saved from a browser hold.
_DROPPED_CLASSES: Final = frozenset({
    "btn-copy", "btn-sample-copy", "div-btn-copy", "div-sample-copy", "input-copier", "input-output-copier",
    "output-copier",
})  # fmt: skip
_MAX_VISITED_NODES: Final = 10  # nodes visited inside a hidden tag
BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "html", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead",
    "tr", "ul",
})  # fmt: skip
SPACES: Final = re.compile(r"[ \t\r\n\f\v\u00a0]+")


def visible_text(node: PageElement | None, limit: int = MAX_STATEMENT_CHARS) -> str:
    """Return all text below `node` on one line, without markup; at most `limit` characters and tags are read."""
    if node is None:
        return ""
    parts: list[str] = []
    size = 0
    for text in visible_strings(node):
        parts.append(text)
        size += max(1, len(text))
        if size > limit:
            break
    return SPACES.sub(" ", "".join(parts)).strip()


def visible_strings(node: PageElement) -> Iterator[str]:
    """Yield the visible strings below `node` in order: no comments, scripts, buttons; br and blocks as spaces."""
    stack: list[PageElement] = [node]
    while stack:
        element = stack.pop()
        if type(element) is NavigableString:
            yield str(element)
        elif isinstance(element, Tag) and not is_dropped(element):
            yield " " if element.name in BLOCKS or element.name == "br" else ""
            stack.extend(reversed(readable_contents(element)))


def readable_contents(tag: Tag) -> list[PageElement]:
    """Return the contents of a tag that its text is read from.

    A browser's drawing of a formula holds it up to three times, rendered twice and once in TeX: only the TeX is read.
    """
    if tag.name == "semantics":
        return _child_or_all(tag, lambda child: child.name == "annotation")
    if tag.name == "span" and "katex" in classes(tag):
        return _child_or_all(tag, lambda child: "katex-mathml" in classes(child))
    return tag.contents


def _child_or_all(tag: Tag, rule: Callable[[Tag], bool]) -> list[PageElement]:
    child = next((content for content in tag.contents if isinstance(content, Tag) and rule(content)), None)
    return tag.contents if child is None else [child]


def tags(node: Tag, *names: str, within: int = 400) -> Iterator[Tag]:
    """Yield the tags of these names (all tags without any) below `node` in order; at most `within` nodes are visited.

    Each search of bs4 costs the depth of the tree, which makes the time quadratic on a hostile page.
    """
    stack: list[PageElement] = list(reversed(node.contents))
    for _ in range(within):
        if not stack:
            return
        element = stack.pop()
        if isinstance(element, Tag):
            if not names or element.name in names:
                yield element
            stack.extend(reversed(element.contents))


def is_dropped(tag: Tag) -> bool:
    """Return whether a tag and all it holds is left out of every text: controls, and what a style hides from readers.

    This holds on every site: readers do not see such text, and on LeetCode it is a trap for models. `display: none`
    drops nothing, because pages saved from a browser hide the other language of a statement with it.
    """
    return tag.name in _DROPPED_TAGS or not _DROPPED_CLASSES.isdisjoint(classes(tag)) or _is_hidden(tag)


def _is_hidden(tag: Tag) -> bool:
    style = attribute(tag, "style")
    if not style or tag.name in ("html", "body"):  # a page that fades in may be saved while invisible
        return False
    if hides_text(style):
        return True
    hidden = [name for name, shows in visibility_by_property(style).items() if not shows]
    return any(not _is_shown_inside(tag, name) for name in hidden)


def _is_shown_inside(tag: Tag, name: str) -> bool:
    """Return whether a tag inside makes visible again what this property hides."""
    return any(
        visibility_by_property(attribute(element, "style")).get(name)
        for element in tags(tag, within=_MAX_VISITED_NODES)
    )


def classes(tag: Tag) -> list[str]:
    """Return the classes of a tag."""
    value = tag.get("class")
    return value.split() if isinstance(value, str) else list(value or ())


def attribute(tag: Tag, name: str) -> str:
    """Return an attribute as one string; "" if absent."""
    value = tag.get(name)
    return value if isinstance(value, str) else " ".join(value or ())


def sample_text(node: Tag) -> str:
    """Return the text of an example as a program would read it.

    Lines are joined by newlines, entities decoded, outer blank lines trimmed, and one final newline is added ("" for an
    empty example); trailing spaces inside belong to the example. A div or br ends a line; a no-break space is a space.
    """
    parts: list[str] = []
    stack: list[PageElement | str] = [node]
    while stack:
        element = stack.pop()
        if isinstance(element, Tag):
            _open_sample_tag(element, parts, stack, root=element is node)
        elif type(element) is NavigableString:
            parts.append(str(element))
        elif type(element) is str and not _at_line_start(parts):
            parts.append(element)
    text = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    lines = text.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines) + "\n" if lines else ""


def _open_sample_tag(tag: Tag, parts: list[str], stack: list[PageElement | str], *, root: bool) -> None:
    if tag.name == "br":
        parts.append("\n")
    elif not is_dropped(tag):
        if not root and tag.name in {"div", "p", "li"}:
            if not _at_line_start(parts):
                parts.append("\n")
            stack.append("\n")
        stack.extend(reversed(readable_contents(tag)))


def _at_line_start(parts: list[str]) -> bool:
    return not parts or parts[-1].endswith("\n")
