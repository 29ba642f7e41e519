"""TeX formulas to MathML.

Formulas come from scraped pages and uploaded packages, so their length and depth are bounded, they may define nothing,
and the converter's result is written anew: known elements and attributes only, every text escaped.
"""

import re
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING, Final

from latex2mathml.converter import convert_to_element

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_FORMULA_CHARS: Final = 2000
MAX_FORMULA_DEPTH: Final = 40
MATHML: Final = frozenset({
    "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mprescripts",
    "mroot", "mrow", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
    "munderover", "none",
})  # fmt: skip
ATTRIBUTES: Final = frozenset({
    "accent", "accentunder", "columnalign", "columnlines", "display", "displaystyle", "fence", "form", "largeop",
    "linethickness", "mathvariant", "movablelimits", "notation", "rowlines", "scriptlevel", "separator", "stretchy",
    "symmetric", "width",
})  # fmt: skip
_VOID: Final = frozenset({"mspace", "none", "mprescripts"})
_VALUE: Final = re.compile(r"[a-z -]{1,60}|-?\d{0,2}(?:\.\d{1,4})?(?:em|ex|px|pt)?")
# Definitions may expand without end, and commands that read files do not belong in a formula.
_REFUSED: Final = re.compile(
    r"\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand|DeclareMathOperator|(?:re)?newenvironment|"
    r"csname|expandafter|loop|input|include|href|style|class)(?![A-Za-z])"
)


@lru_cache(maxsize=4096)
def formula(tex: str, *, block: bool = False) -> str | None:
    """Return the MathML of a formula, on a line of its own with `block`; None if it cannot be set."""
    if not tex.strip() or len(tex) > MAX_FORMULA_CHARS or _REFUSED.search(tex):
        return None
    try:
        root = convert_to_element(tex, display="block" if block else "inline")
    # The converter's own errors, but also IndexError, ValueError, RecursionError: it expects well-formed TeX.
    except Exception:
        return None
    return _markup(root)


def _markup(root: "Element") -> str | None:
    """Return an element as text; None if it is too deep or holds something that the converter did not understand."""
    parts: list[str] = []
    stack: list[tuple[Element | str, int]] = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        text = unescape(node.text or "")
        # The converter leaves an unknown command as it is, and an unknown character as its reference.
        if depth > MAX_FORMULA_DEPTH or node.tag not in MATHML or "\\" in text or "&#" in text:
            return None
        attributes = "".join(
            f' {name}="{value}"' for name, value in node.items() if name in ATTRIBUTES and _VALUE.fullmatch(value)
        )
        parts.append(f"<{node.tag}{attributes}>{escape(text)}")
        if node.tag in _VOID:
            parts.append(f"</{node.tag}>")
            continue
        stack.append((f"</{node.tag}>", depth))
        stack.extend((child, depth + 1) for child in reversed(node))
    return "".join(parts)
