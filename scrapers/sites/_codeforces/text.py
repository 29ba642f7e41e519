"""Text of a Codeforces statement, in the three ways in which the site has written formulas.

In the response they stand between `$$$` (or `$$$$$$` on a line of their own); a page saved from a browser holds
drawings of them beside `script type="math/tex"`; rounds before 2019 write them with i, sub and sup inside
`span.tex-span`, or as pictures.
"""

import re
from collections.abc import Iterator
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from scrapers.reading.html import SPACES, attribute, classes, is_dropped, sample_text, visible_strings, visible_text
from scrapers.reading.markdown import to_text

# Classes of MathJax's drawings beside the source of a formula.
_DRAWING_CLASSES: Final = frozenset({
    "MathJax", "MathJax_CHTML", "MathJax_Display", "MathJax_Error", "MathJax_Preview", "MathJax_Processing",
    "MathJax_SVG", "MathJax_SVG_Display", "MJX_Assistive_MathML", "MJXc-display", "MJXp-math", "mjx-chtml",
})  # fmt: skip
_FONT_TAGS: Final = {
    "tex-span": "var",
    "tex-font-style-tt": "code",
    "tex-font-style-bf": "b",
    "tex-font-style-it": "i",
    "tex-font-style-sl": "i",
    "tex-font-style-striked": "s",
}
_EMPHASIS_TAGS: Final = frozenset({"b", "strong", "i", "em", "tt"})
_LABELS: Final = {"section-title": "h3", "title": "h4"}
_DROPPED_TAG: Final = "template"  # this tag is dropped from every text
_LINE_CLASS: Final = "test-example-line"
_CDATA: Final = re.compile(r"^\s*%\s*<!\[CDATA\[|%\s*\]\]>\s*$")
_INLINE: Final = re.compile(r"display\s*:\s*inline", re.IGNORECASE)


def statement_text(root: Tag, base_url: str = "") -> str:
    """Return the text below `root` as Markdown, formulas as TeX between dollar signs.

    The tree is rewritten in place, so everything else must be read from it first; a second call returns the same text.
    Raises TextTooLong beyond any statement's size.
    """
    stack = [root]
    while stack:
        tag = stack.pop()
        for place, content in enumerate(tag.contents):
            if isinstance(content, Tag):
                if _rewrite(content):
                    stack.append(content)
            elif type(content) is NavigableString and "$$$" in content:
                # A new string needs no links to its neighbours: texts are read from `contents` alone.
                tag.contents[place] = NavigableString(content.replace("$$$", "$"))
    return to_text(root, base_url)


def _rewrite(tag: Tag) -> bool:
    """Rename a tag to the one that the Markdown writer knows; return whether its contents are to be rewritten too."""
    names = classes(tag)
    if tag.name == "script":
        _formula(tag)
        return False
    if not _DRAWING_CLASSES.isdisjoint(names):
        tag.name = _DROPPED_TAG
        return False
    if tag.name == "pre":
        if not is_inline(tag):
            tag.contents = _single_string(example_text(tag))
            return False
        tag.name = "code"
    elif tag.name in _EMPHASIS_TAGS or tag.name == "span":
        tag.name = next((_FONT_TAGS[name] for name in names if name in _FONT_TAGS), tag.name)
    elif tag.name in ("sub", "sup"):
        for content in tag.contents:
            if isinstance(content, Tag) and content.name == "i":  # there it is an index, not emphasis
                content.name = "span"
    elif tag.name == "div":
        tag.name = next((_LABELS[name] for name in names if name in _LABELS), "div")
    return True


def _formula(script: Tag) -> None:
    kind = attribute(script, "type").lower()
    if not kind.startswith("math/tex"):
        return
    tex = SPACES.sub(" ", _CDATA.sub("", "".join(str(content) for content in script.contents))).strip()
    mark = "$$" if "display" in kind else "$"
    script.name = "span"
    script.contents = _single_string(f"{mark}{tex}{mark}" if tex else "")


def _single_string(text: str) -> list[PageElement]:
    return [NavigableString(text)]


def example_text(pre: Tag) -> str:
    """Return the text of an example as a program would read it.

    A line of no-break spaces is an empty line, and so is a line's element without contents.
    """
    for content in pre.contents:
        if not isinstance(content, Tag) or _LINE_CLASS not in classes(content):
            continue
        if "".join(visible_strings(content)) == " ":  # the element itself is this empty line
            content.contents = _single_string("\u00a0")
    text = sample_text(pre)
    if not any("\u00a0" in string for string in visible_strings(pre)):
        return text
    return "\n".join(line if line.strip() else "" for line in text.split("\n"))


def is_inline(pre: Tag) -> bool:
    """Return whether a `pre` stands inside running text, as in the acm.sgu.ru archive."""
    return _INLINE.search(attribute(pre, "style")) is not None


def section_titles(root: Tag) -> Iterator[str]:
    """Yield the titles of a statement's sections, in order."""
    for tag in visible_tags(root):
        if "section-title" in classes(tag):
            yield visible_text(tag, 200)


def visible_tags(root: Tag) -> Iterator[Tag]:
    """Yield the tags below `root` in order, in one walk, without those that are dropped from texts."""
    stack = [content for content in reversed(root.contents) if isinstance(content, Tag)]
    while stack:
        tag = stack.pop()
        if is_dropped(tag):
            continue
        yield tag
        stack.extend(content for content in reversed(tag.contents) if isinstance(content, Tag))


def language_of(text: str) -> str:
    """Return "ru" for a text in Russian, else "en": the site has statements in these two languages."""
    letters = [letter for letter in text[:20_000] if letter.isalpha()]
    russian = sum(1 for letter in letters if "\u0400" <= letter <= "\u04ff")
    return "ru" if russian * 4 > len(letters) else "en"
