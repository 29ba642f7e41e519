"""Statements as pages show them: formulas set, structure kept, and nothing of the writer's choosing gets through."""

from html.parser import HTMLParser

import pytest
from factories import World
from httpx import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.thinned import thinned
from support.work import little_work

from web.statement import MAX_FORMULAS, MAX_STATEMENT_CHARS, render_statement
from web.tex import ATTRIBUTES, MATHML, formula

PLAIN = {
    "a", "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "span", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


class Check(HTMLParser):
    """Fails on any tag or attribute that no statement may have."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.seen: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert tag in PLAIN | MATHML, tag
        for name, value in attrs:
            if tag == "a":
                assert name in {"href", "rel"}, name
                assert name == "rel" or (value or "").lower().startswith(("http://", "https://")), value
            elif tag in MATHML:
                assert name in ATTRIBUTES, (tag, name)
            else:
                assert (tag, name) in {("code", "class"), ("span", "class"), ("ol", "start")}, (tag, name, value)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def html(text: str) -> str:
    made = str(render_statement(text, "picture").html)
    Check(made)
    return made


def test_formulas_are_set_inside_running_text() -> None:
    made = render_statement(
        "Given $N$ with $1 \\le N \\le 2 \\cdot 10^5$, find $$\\sum_{i=1}^{N} a_i$$ now.", "picture"
    )
    assert (made.formulas, made.unset) == (3, 0)
    assert "<msup><mn>10</mn><mn>5</mn></msup>" in made.html
    assert '<math display="block">' in made.html
    assert "$" not in made.html


def test_markdown_inside_a_formula_is_tex_and_dollars_in_code_are_dollars() -> None:
    assert "<em>" not in html("$a*b*c$ and $x_1$ and $y_1$")
    made = render_statement("Print `$x$` or\n\n```\n$y$\n```\n", "picture")
    assert made.formulas == 0
    assert "<code>$x$</code>" in made.html
    assert render_statement("$a$$b$, $\\$$, \\$5", "picture").formulas == 3


@pytest.mark.parametrize("text", ["It costs $5 and $10.", "$", "$$", "$$$$", "a $ b", "$a\n\nb$", "100$"])
def test_a_dollar_alone_is_a_dollar(text: str) -> None:
    made = render_statement(text, "picture")
    assert made.formulas == 0
    assert Check(str(made.html)).text.split() == text.split()


def test_powers_in_plain_text_stay_readable() -> None:
    assert "-10^4 &lt;= nums[i] &lt;= 10^{9}" in html("-10^4 <= nums[i] <= 10^{9}")


def test_struck_text_is_struck() -> None:
    assert html("na~~s~~tya ~~ and `~~b~~`") == "<p>na<s>s</s>tya ~~ and <code>~~b~~</code></p>\n"


def test_structure_is_kept_and_headings_go_below_the_pages_own() -> None:
    made = html(
        "# One\n\n### Two\n\n- a\n- b\n\n3. c\n\n| x | y |\n| --- | --- |\n| 1 | $a|b$ |\n\n> *q* **r**\n\nu  \nv"
    )
    for part in ("<h3>One</h3>", "<h4>Two</h4>", "<li>a</li>", '<ol start="3">', "<th>x</th>", "<em>q</em>", "<br>"):
        assert part in made, part
    assert "<h3>a</h3>" in html("###### a")
    assert "<h4>b</h4>" in html("## a\n\n#### b\n\n# c")


def test_pictures_are_words() -> None:
    assert '<span class="picture">[picture: a &lt;b&gt;]</span>' in html("![a <b>](https://example.org/x.png)")
    assert '<span class="picture">[picture]</span>' in html("![](https://example.org/x.png)")
    assert "[&lt;图片&gt;]" in render_statement("![](https://example.org/x.png)", "<图片>").html


def test_links_lead_to_web_pages_only_and_are_not_followed() -> None:
    made = html(
        "[a](https://example.org/) [b](javascript:alert(1)) [c](data:text/html,x) [d](/ops) [e](//evil.example)"
    )
    assert made.count("href") == 1
    assert '<a href="https://example.org/" rel="nofollow noopener">a</a>' in made
    html("[a](java&#115;cript:alert(1)) <javascript:alert(1)> [b][x]\n\n[x]: javascript:alert(1)")


HOSTILE = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<style>*{}</style>",
    "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>", "<!-- x --><b onclick=a>",
    "$\\text{<script>alert(1)</script>}$", "$\\text{<img src=x onerror=alert(1)>}$", "$\\href{javascript:alert(1)}{x}$",
    "$\\style{background:url(x)}{y}$", "$\\class{x}{y}$", "$\\color{red;x:y}z$", "$\\unicode{x3c}script$",
    "$\\text{</math><script>alert(1)</script>}$", "$\\text{&lt;script&gt;}$", "`<script>`", "```html\n<script>\n```",
    "``` \" onload=alert(1)\nx\n```", "<https://example.org/\"onmouseover=alert(1)>", "![x](javascript:alert(1))",
    "[x](https://example.org/\"><script>)", "\x00<script>", "\ud800$\ud800$", "$\\hspace{99999999em}x$",
    "$\\rule{9999em}{9999em}$", "$\\mathbin{\\text{\"><svg onload=alert(1)>}}$", "</details></main><script>x</script>",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(text: str) -> None:
    found = Check(html(f"before\n\n{text}\n\nafter"))
    assert not found.seen & {"script", "style", "img", "svg", "b"}
    assert "before" in found.text
    assert "after" in found.text


@settings(max_examples=examples(300))
@given(st.text(st.sampled_from("$\\{}[]()<>&\"'`*_!#|-^~:/ \n\ta1é中\x00\ud800"), max_size=300))
def test_any_text_gives_only_what_is_allowed(text: str) -> None:
    made = render_statement(text, "picture")
    Check(str(made.html))
    assert 0 <= made.unset <= made.formulas


BOMBS = {
    "def": "$\\def\\a{\\b\\b}\\def\\b{\\c\\c}\\def\\c{\\d\\d}\\def\\d{xx}\\a$",
    "newcommand": "$\\newcommand{\\x}{\\y\\y}\\newcommand{\\y}{zzzz}\\x$",
    "itself": "$\\def\\a{\\a\\a}\\a$",
    "braces": "$" + "{" * 900 + "x" + "}" * 900 + "$",
    "powers": "$" + "x^{" * 600 + "x" + "}" * 600 + "$",
    "roots": "$" + "\\sqrt{" * 250 + "x" + "}" * 250 + "$",
    "long": "$" + "x+" * 1000 + "x$",
    "unknown": "$\\frobnicate{x}$",
    "unfinished": "$\\frac$",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_formula_that_cannot_be_set_is_shown_as_its_source(name: str) -> None:
    made = render_statement(f"a {BOMBS[name]} b", "picture")
    assert (made.formulas, made.unset) == (1, 1)
    assert '<code class="tex">' in made.html
    assert len(made.html) < 4 * len(BOMBS[name]) + 200


def test_a_formula_is_bounded() -> None:
    assert formula("x" * 2000) is not None
    assert formula("x" * 2001) is None
    assert formula(" ") is None
    assert (
        formula("\\hspace{1em}x")
        == '<math display="inline"><mrow><mspace width="1em"></mspace><mi>x</mi></mrow></math>'
    )
    assert "width" not in str(formula("\\hspace{999999em}x"))


SLOW = {
    "dollars": "$",
    "formulas": "$x$ ",
    "other formulas": "".join(f"$x_{{{n}}}$" for n in range(12_000)),
    "unclosed": "$a \\$ ",
    "displays": "$$a$ ",
    "brackets": "[",
    "images": "![",
    "quotes": ">",
    "lists": "- ",
    "stars": "*a_",
    "strokes": "~~a~~",
    "ticks": "`",
    "growing ticks": "".join("`" * n + " " for n in range(400)),
    "links": "[a](<b",
    "tables": "|a|b\n|-|-\n",
    "cells": "|" * 500 + "\n" + "|-" * 500 + "\n",
    "entities": "&#0",
    "angles": "<a ",
    "backslashes": "\\",
    "headings": "# a\n",
}


@pytest.mark.parametrize("name", thinned(SLOW, 4))
def test_no_text_takes_long(name: str) -> None:
    text = (SLOW[name] * (MAX_STATEMENT_CHARS // len(SLOW[name]) + 1))[:MAX_STATEMENT_CHARS]
    with little_work():
        made = render_statement(text, "picture")
    assert made.formulas - made.unset <= MAX_FORMULAS
    Check(str(made.html))


def test_a_megabyte_of_dollars_is_a_megabyte_of_dollars() -> None:
    made = render_statement("$" * 1_000_000, "picture")
    assert made.html == "<pre>" + "$" * 1_000_000 + "</pre>"
    assert made.formulas == 0


def test_the_page_shows_formulas_and_says_what_it_could_not_set(world: World, client: Client) -> None:
    world.problem("a", statement="Given $N$ and $\\frobnicate{x}$.\n\n![a ship](https://example.org/s.png)")
    page = client.get("/en/problems/house/a").text
    assert "<mi>N</mi>" in page
    assert "1 of 2 formulas could not be rendered" in page
    assert "[image, see the official page: a ship]" in page
    assert "example.org" not in page
    chinese = client.get("/zh/problems/house/a").text
    assert "2 个公式中有 1 个无法渲染" in chinese
    assert "[image, see the official page: a ship]" in chinese, "in the language that the statement is marked as"
    world.problem("b", statement="Given $N$.")
    assert "could not be rendered" not in client.get("/en/problems/house/b").text


def test_topics_are_in_the_readers_language_and_other_tags_as_written(world: World, client: Client) -> None:
    world.problem("a", tags=["dp", "*special"], topics=["dynamic-programming"], level=None)
    world.difficulty(world.problem("b", tags=["dp"]), "kenkoooo", 0.0)
    page = client.get("/en/problems/house/a").text
    assert 'href="/en/problems?topic=dynamic-programming">dynamic programming</a>' in page
    assert 'href="/en/problems?tag=%2Aspecial">*special</a>' in page
    assert ">动态规划</a>" in client.get("/zh/problems/house/a").text
    body = client.get("/api/v1/problems/house/a").json()
    assert (body["topics"], body["other_tags"]) == (["dynamic-programming"], ["*special"])
    assert "kenkoooo 147," in client.get("/en/problems/house/b").text
    assert client.get("/api/v1/problems/house/b").json()["rating"][0] == "kenkoooo"
