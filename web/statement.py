"""A problem's statement, Markdown with TeX between dollar signs, as HTML with MathML.

Statements are written by others. Their HTML is shown as text, their pictures as words (a page loads nothing from other
hosts), and the result is cleaned by an allowlist, so that a fault here cannot put a script on a page.
"""

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

from web.tex import ATTRIBUTES, MATHML, formula

# Longer texts are shown as plain text: no site's statement is so long, and parsers are quadratic on some texts.
MAX_STATEMENT_CHARS: Final = 40_000
MAX_FORMULAS: Final = 2000
_MAX_TEX_CHARS: Final = 4000
_FIRST_HEADING: Final = 3  # h1 is the page's title, h2 the statement's heading
_LAST_HEADING: Final = 6

_TAGS: Final = {
    "a", "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "span", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_CLEANER: Final = nh3.Cleaner(
    tags=_TAGS | MATHML,
    attributes={"a": {"href"}, "ol": {"start"}, **{tag: set(ATTRIBUTES) for tag in MATHML}},
    allowed_classes={"code": {"tex"}, "span": {"picture"}},
    url_schemes={"http", "https"},
    url_relative="deny",
    link_rel="nofollow noopener",
    clean_content_tags={"script", "style"},
)


@dataclass(frozen=True, slots=True)
class RenderedStatement:
    """A statement as HTML; `unset` of its `formulas` are shown as their TeX source."""

    html: Markup
    formulas: int = 0
    unset: int = 0


@lru_cache(maxsize=64)
def render_statement(text: str, picture: str) -> RenderedStatement:
    """Return a statement as a page may show it; `picture` is the word that stands for a picture."""
    # No page contains NUL or characters that UTF-8 cannot encode.
    text = text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")
    if len(text) > MAX_STATEMENT_CHARS:
        return RenderedStatement(Markup("<pre>{}</pre>").format(text))
    env: dict[str, Any] = {"picture": picture, "formulas": 0, "unset": 0}
    html = _CLEANER.clean(_parser().render(text, env))
    return RenderedStatement(Markup(html), env["formulas"], env["unset"])  # noqa: S704  # cleaned in the line above


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20}).enable(
        ["table", "strikethrough"]
    )
    parser.disable(["html_inline", "html_block", "reference"])
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.core.ruler.push("headings", _shift_headings)
    parser.add_render_rule("formula", _render_formula)
    parser.add_render_rule("image", _render_picture)
    return parser


def _formula(state: StateInline, silent: bool) -> bool:
    """Parse a span between dollar signs; Markdown inside is TeX, and a backslash before a dollar keeps it inside."""
    start = state.pos
    if state.src[start] != "$":
        return False
    run = len(_DOLLARS.match(state.src, start)[0])  # type: ignore[index]  # there is one
    if run > 2:  # one dollar is inline, two are display
        return _push_literal(state, run, silent=silent)
    mark, end = "$" * run, start + run + _MAX_TEX_CHARS
    match = (_DISPLAY if run > 1 else _INLINE).match(state.src, start + run, min(end, state.posMax))
    if match is None:
        return _push_literal(state, run, silent=silent)
    if not silent:
        token = state.push("formula", "", 0)
        token.content, token.markup = match["tex"], mark
    state.pos = match.end()
    return True


_DOLLARS: Final = re.compile(r"\$+")
_INLINE: Final = re.compile(r"(?P<tex>(?:[^$\\]|\\.)+)\$(?!\d)", re.DOTALL)  # "$5 and $10" holds no formula
_DISPLAY: Final = re.compile(r"(?P<tex>(?:[^$\\]|\\.|\$(?!\$))+)\$\$", re.DOTALL)


def _push_literal(state: StateInline, run: int, *, silent: bool) -> bool:
    if not silent:
        state.pending += "$" * run
    state.pos += run
    return True


def _shift_headings(state: Any) -> None:
    """Move headings below the page's own, with no level skipped."""
    headings = [token for token in state.tokens if token.type == "heading_open"]
    levels = sorted({token.tag for token in headings})
    last, tag = _FIRST_HEADING - 1, ""
    for token in state.tokens:
        if token.type == "heading_open":
            last = min(_FIRST_HEADING + levels.index(token.tag), last + 1, _LAST_HEADING)
            tag = f"h{last}"
        if token.type in ("heading_open", "heading_close"):
            token.tag = tag


def _render_formula(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, env: MutableMapping[str, Any]
) -> str:
    token = tokens[index]
    env["formulas"] += 1
    markup = formula(token.content, block=token.markup == "$$") if env["formulas"] <= MAX_FORMULAS else None
    if markup is None:
        env["unset"] += 1
        return f'<code class="tex">{escape(token.content)}</code>'
    return markup


def _render_picture(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, env: MutableMapping[str, Any]
) -> str:
    alt = tokens[index].content.strip()
    return f'<span class="picture">[{escape(env["picture"])}{": " if alt else ""}{escape(alt)}]</span>'
