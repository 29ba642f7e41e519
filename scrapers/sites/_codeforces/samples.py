"""Samples of a Codeforces statement: the `pre` of each input and output, in pairs.

How a `pre` holds its lines has changed with the years (newlines, br, one div a line); `example_text`
reads them alike.
"""

import re
from collections.abc import Iterator
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from scrapers.reading.html import classes, is_dropped, plain
from scrapers.records import Sample
from scrapers.sites._codeforces.text import example_text, is_inline

_SIDES: Final = frozenset({"input", "output"})
_AROUND: Final = frozenset({"sample-tests", "sample-test"})
_LABEL: Final = re.compile(
    r"\W*(?:sample|example|test)?\W*(?:input|output|(?:входные|выходные) данные)\W*\d*\W*", re.IGNORECASE
)
_EXAMPLES: Final = re.compile(
    r"\W*(?:sample|example|пример)(?:s|\(s\)|ы|\(ы\))?\W*(?:tests?(?:\(s\))?|(?:in|out)put)?\W*\d*\W*$", re.IGNORECASE
)
_HEADINGS: Final = frozenset({"b", "strong", "h3", "h4", "h5", "p", "center"})
_AFTER: Final = re.compile(r"\W*(?:notes?|hints?|explanations?|author|resource|date|source|remarks?)\b", re.IGNORECASE)


def find_samples(statement: Tag) -> tuple[tuple[Sample, ...], int]:
    """(samples in order, how many sample texts have no partner) of a statement of the present layout."""
    texts: list[tuple[str, str]] = []
    stack: list[tuple[PageElement, str, bool]] = [(statement, "", False)]
    while stack:
        tag, side, inside = stack.pop()
        if not isinstance(tag, Tag) or is_dropped(tag):
            continue
        names = classes(tag)
        inside = inside or not _AROUND.isdisjoint(names)
        side = next((name for name in names if name in _SIDES), side)
        if tag.name != "pre":
            stack.extend((content, side, inside) for content in reversed(tag.contents))
        elif inside and side:
            own, inner = _own_lines(tag)
            texts.append((side, example_text(own)))
            stack.extend((example, side, inside) for example in reversed(inner))
    return _paired(texts)


def _own_lines(pre: Tag) -> tuple[Tag, list[Tag]]:
    """(an example, the next ones it has swallowed): lines that are never closed keep their `pre` open."""
    inner = [
        content for content in pre.contents if isinstance(content, Tag) and not _SIDES.isdisjoint(classes(content))
    ]
    if not inner:
        return pre, []
    own = Tag(name="pre")
    own.contents = [
        content for content in pre.contents if not isinstance(content, Tag) or _SIDES.isdisjoint(classes(content))
    ]
    return own, inner


def find_old_samples(root: Tag) -> tuple[tuple[Sample, ...], int]:
    """The same of a page of the archive of acm.sgu.ru: each second `pre` below a heading is an output."""
    texts: list[str] = []
    for tag in _blocks(root):
        text = example_text(tag)
        if not _LABEL.fullmatch(text[:60].strip()):
            texts.append(text)
    return _paired([("output" if number % 2 else "input", text) for number, text in enumerate(texts)])


def _blocks(root: Tag) -> Iterator[Tag]:
    """The blocks of examples: from the heading that announces them to the next that ends them."""
    stack: list[PageElement] = [root]
    within = False
    while stack:
        node = stack.pop()
        if not isinstance(node, Tag) or is_dropped(node):
            continue
        if node.name in _HEADINGS:
            text = plain(node, 60)
            within = _EXAMPLES.match(text) is not None or (within and not _AFTER.match(text))
        if node.name == "pre":
            if within and not is_inline(node):
                yield node
            continue
        stack.extend(child for child in reversed(node.contents) if not isinstance(child, NavigableString))


def _paired(texts: list[tuple[str, str]]) -> tuple[tuple[Sample, ...], int]:
    """Each input with the output that follows it."""
    samples: list[Sample] = []
    alone = 0
    waiting: str | None = None
    for side, text in texts:
        if side == "input":
            alone += waiting is not None
            waiting = text
        elif waiting is None:
            alone += 1
        else:
            samples.append(Sample(waiting, text))
            waiting = None
    return tuple(samples), alone + (waiting is not None)
