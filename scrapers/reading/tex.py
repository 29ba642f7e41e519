"""Check of the formulas of a statement: TeX that cannot be typeset shows that a page was read wrongly."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from latex2mathml.converter import convert_to_element

MAX_FORMULA_CHARS: Final = 2000  # of one formula
_MAX_DEPTH: Final = 40
# distinct ones of one text; no statement has nearly as many
_MAX_FORMULAS: Final = 2000

_FENCE: Final = re.compile(r"[ >]*(`{3,})")
_CODE: Final = re.compile(r"`[^`]*`")
_SPAN: Final = re.compile(
    r"\${3,}|\$\$((?:[^$\\]|\\.|\$(?!\$)){1,4000})\$\$|\$((?:[^$\\]|\\.){1,4000})\$(?!\d)|\\.", re.DOTALL
)
_DEFINES: Final = re.compile(r"\\(?:[egx]?def|let|(?:re)?newcommand|providecommand|newenvironment|csname)(?![A-Za-z])")


def formulas(text: str) -> Iterator[str]:
    """Yield the TeX between dollar signs in a Markdown text, in order, without code; no formula spans a blank line."""
    paragraph: list[str] = []
    fence = ""
    for line in [*text.split("\n"), ""]:
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark is not None and len(mark[1]) >= len(fence) else fence
            continue
        if mark is not None:
            fence = mark[1]
        elif line.strip():
            paragraph.append(line)
            continue
        for match in _SPAN.finditer(_CODE.sub(" ", "\n".join(paragraph))):
            tex = match[1] or match[2]
            if tex is not None:
                yield tex
        paragraph = []


def find_broken_formulas(text: str) -> list[str]:
    """Return the formulas of a text that cannot be typeset, each once."""
    texts = dict.fromkeys(formulas(text))
    return [tex for tex, _ in zip(texts, range(_MAX_FORMULAS), strict=False) if not can_be_typeset(tex)]


def can_be_typeset(tex: str) -> bool:
    """Return whether a formula is TeX that the converter knows; one that defines commands, or is too long, is not."""
    if not tex.strip() or len(tex) > MAX_FORMULA_CHARS or _DEFINES.search(tex):
        return False
    try:
        stack = [(convert_to_element(tex), 1)]
    # Its own errors, but also IndexError, ValueError and RecursionError: the converter expects well-meant input.
    except Exception:
        return False
    while stack:
        element, depth = stack.pop()
        text = unescape(element.text or "")
        # A command it does not know stays as it was written.
        if depth > _MAX_DEPTH or "\\" in text or "&#" in text:
            return False
        stack.extend((child, depth + 1) for child in element)
    return True
