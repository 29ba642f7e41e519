"""Samples of a Codeforces statement: the `pre` of each input and output, in pairs.

The lines of a `pre` have been written in several ways over the years (newlines, br, one div a line); `example_text`
reads them alike.
"""

import re
from collections.abc import Iterator
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from app.domain.sources.records import ScrapedExample
from scrapers.reading.html import classes, is_dropped, visible_text
from scrapers.sites._codeforces.text import example_text, is_inline

_SIDES: Final = frozenset({"input", "output"})
_CONTAINER_CLASSES: Final = frozenset({"sample-tests", "sample-test"})
_LABEL: Final = re.compile(
    r"\W*(?:sample|example|test)?\W*(?:input|output|(?:входные|выходные) данные)\W*\d*\W*", re.IGNORECASE
)
_EXAMPLES: Final = re.compile(
    r"\W*(?:sample|example|пример)(?:s|\(s\)|ы|\(ы\))?\W*(?:tests?(?:\(s\))?|(?:in|out)put)?\W*\d*\W*$", re.IGNORECASE
)
_HEADINGS: Final = frozenset({"b", "strong", "h3", "h4", "h5", "p", "center"})
_EXAMPLES_END: Final = re.compile(
    r"\W*(?:notes?|hints?|explanations?|author|resource|date|source|remarks?)\b", re.IGNORECASE
)


def find_samples(statement: Tag) -> tuple[tuple[ScrapedExample, ...], int]:
    """Return (samples in order, how many sample texts have no partner) of a statement in the present layout."""
    texts: list[tuple[str, str]] = []
    stack: list[tuple[PageElement, str, bool]] = [(statement, "", False)]
    while stack:
        tag, side, inside = stack.pop()
        if not isinstance(tag, Tag) or is_dropped(tag):
            continue
        names = classes(tag)
        inside = inside or not _CONTAINER_CLASSES.isdisjoint(names)
        side = next((name for name in names if name in _SIDES), side)
        if tag.name != "pre":
            stack.extend((content, side, inside) for content in reversed(tag.contents))
        elif inside and side:
            own, inner = _split_nested(tag)
            texts.append((side, example_text(own)))
            stack.extend((example, side, inside) for example in reversed(inner))
    return _pair_texts(texts)


def _split_nested(pre: Tag) -> tuple[Tag, list[Tag]]:
    """Return (an example, the examples inside it): an unclosed line keeps its `pre` open over the next ones."""
    inner = [
        content for content in pre.contents if isinstance(content, Tag) and not _SIDES.isdisjoint(classes(content))
    ]
    if not inner:
        return pre, []
    outer = Tag(name="pre")
    outer.contents = [
        content for content in pre.contents if not isinstance(content, Tag) or _SIDES.isdisjoint(classes(content))
    ]
    return outer, inner


def find_old_samples(root: Tag) -> tuple[tuple[ScrapedExample, ...], int]:
    """Return (samples, texts without a partner) of a page of the acm.sgu.ru archive, where every second `pre` below a
    heading is an output."""
    texts: list[str] = []
    for tag in _blocks(root):
        text = example_text(tag)
        if not _LABEL.fullmatch(text[:60].strip()):
            texts.append(text)
    return _pair_texts([("output" if number % 2 else "input", text) for number, text in enumerate(texts)])


def _blocks(root: Tag) -> Iterator[Tag]:
    """Yield the blocks of examples: from the heading that announces them to the next that ends them."""
    stack: list[PageElement] = [root]
    within = False
    while stack:
        node = stack.pop()
        if not isinstance(node, Tag) or is_dropped(node):
            continue
        if node.name in _HEADINGS:
            text = visible_text(node, 60)
            within = _EXAMPLES.match(text) is not None or (within and not _EXAMPLES_END.match(text))
        if node.name == "pre":
            if within and not is_inline(node):
                yield node
            continue
        stack.extend(child for child in reversed(node.contents) if not isinstance(child, NavigableString))


def _pair_texts(texts: list[tuple[str, str]]) -> tuple[tuple[ScrapedExample, ...], int]:
    """Pair each input with the output that follows it."""
    samples: list[ScrapedExample] = []
    unpaired = 0
    waiting: str | None = None
    for side, text in texts:
        if side == "input":
            unpaired += waiting is not None
            waiting = text
        elif waiting is None:
            unpaired += 1
        else:
            samples.append(ScrapedExample(waiting, text))
            waiting = None
    return tuple(samples), unpaired + (waiting is not None)
