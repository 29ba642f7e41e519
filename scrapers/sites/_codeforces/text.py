"""The text of a Codeforces statement, in the three ways the site has written formulas.

On the wire they stand between `$$$` (or `$$$$$$` on a line of their own); a page saved from a browser
holds drawings of them beside `script type="math/tex"`; rounds before 2019 set them with i, sub and sup
inside `span.tex-span`, or as pictures.
"""

import re
from collections.abc import Iterator
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from scrapers.reading.html import SPACES, attribute, classes, is_dropped, plain, sample_text, strings
from scrapers.reading.markdown import to_text

# What MathJax draws beside the source of a formula.
_DRAWN: Final = frozenset({
    "MathJax", "MathJax_CHTML", "MathJax_Display", "MathJax_Error", "MathJax_Preview", "MathJax_Processing",
    "MathJax_SVG", "MathJax_SVG_Display", "MJX_Assistive_MathML", "MJXc-display", "MJXp-math", "mjx-chtml",
})  # fmt: skip
_FONTS: Final = {
    "tex-span": "var",
    "tex-font-style-tt": "code",
    "tex-font-style-bf": "b",
    "tex-font-style-it": "i",
    "tex-font-style-sl": "i",
    "tex-font-style-striked": "s",
}
_STRESSED: Final = frozenset({"b", "strong", "i", "em", "tt"})
_LABELS: Final = {"section-title": "h3", "title": "h4"}
_DROPPED: Final = "template"  # a tag that no text shows
_LINE: Final = "test-example-line"
_CDATA: Final = re.compile(r"^\s*%\s*<!\[CDATA\[|%\s*\]\]>\s*$")
_INLINE: Final = re.compile(r"display\s*:\s*inline", re.IGNORECASE)


def statement_text(root: Tag, base_url: str = "") -> str:
    """The text below `root` as Markdown, formulas as TeX between dollar signs.

    The tree is rewritten in place, so this comes after everything else that is read from it; written
    again it gives the same. Raises TooLong beyond any statement's size.
    """
    stack = [root]
    while stack:
        tag = stack.pop()
        for place, content in enumerate(tag.contents):
            if isinstance(content, Tag):
                if _rewrite(content):
                    stack.append(content)
            elif type(content) is NavigableString and "$$$" in content:
                # New strings need no place in the tree: texts are read from the contents alone.
                tag.contents[place] = NavigableString(content.replace("$$$", "$"))
    return to_text(root, base_url)


def _rewrite(tag: Tag) -> bool:
    """Give a tag the name under which texts are written; says whether its contents are to be rewritten."""
    names = classes(tag)
    if tag.name == "script":
        _formula(tag)
        return False
    if not _DRAWN.isdisjoint(names):
        tag.name = _DROPPED
        return False
    if tag.name == "pre":
        if not is_inline(tag):
            tag.contents = _only(example_text(tag))
            return False
        tag.name = "code"
    elif tag.name in _STRESSED or tag.name == "span":
        tag.name = next((_FONTS[name] for name in names if name in _FONTS), tag.name)
    elif tag.name in ("sub", "sup"):
        for content in tag.contents:
            if (
                isinstance(content, Tag) and content.name == "i"
            ):  # an index is a letter of its own there, nothing stressed
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
    script.contents = _only(f"{mark}{tex}{mark}" if tex else "")


def _only(text: str) -> list[PageElement]:
    return [NavigableString(text)]


def example_text(pre: Tag) -> str:
    """Return the text of an example as a program would read it.

    A line of no-break spaces stands for an empty one, and so does an element of a line that holds nothing.
    """
    for content in pre.contents:
        if not isinstance(content, Tag) or _LINE not in classes(content):
            continue
        if "".join(strings(content)) == " ":  # which the element itself stands for
            content.contents = _only("\u00a0")
    text = sample_text(pre)
    if not any("\u00a0" in string for string in strings(pre)):
        return text
    return "\n".join(line if line.strip() else "" for line in text.split("\n"))


def is_inline(pre: Tag) -> bool:
    """Whether a `pre` stands inside running text, as in the archive of acm.sgu.ru."""
    return _INLINE.search(attribute(pre, "style")) is not None


def section_titles(root: Tag) -> Iterator[str]:
    """The titles of a statement's sections, in order."""
    for tag in below(root):
        if "section-title" in classes(tag):
            yield plain(tag, 200)


def below(root: Tag) -> Iterator[Tag]:
    """The tags below `root` in order, in one walk, nothing inside what no text shows."""
    stack = [content for content in reversed(root.contents) if isinstance(content, Tag)]
    while stack:
        tag = stack.pop()
        if is_dropped(tag):
            continue
        yield tag
        stack.extend(content for content in reversed(tag.contents) if isinstance(content, Tag))


def language_of(text: str) -> str:
    """ "ru" for a text in Russian, else "en": the site has statements in these two."""
    letters = [letter for letter in text[:20_000] if letter.isalpha()]
    russian = sum(1 for letter in letters if "\u0400" <= letter <= "\u04ff")
    return "ru" if russian * 4 > len(letters) else "en"
