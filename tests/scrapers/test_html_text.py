"""HTML to text: formulas, lists, code, tables, examples, and what hostile pages try."""

import pytest
from bs4 import BeautifulSoup, Tag
from support.thinned import thinned
from support.work import little_work

from scrapers.reading.html import MAX_STATEMENT_CHARS, sample_text, visible_text
from scrapers.reading.markdown import TextTooLong, to_text
from scrapers.reading.page import SourcePage, decode


def node(markup: str) -> Tag:
    found = BeautifulSoup(f"<main>{markup}</main>", "lxml").find("main")
    assert isinstance(found, Tag)
    return found


def text(markup: str) -> str:
    return to_text(node(markup), "https://example.test/contests/x")


def test_markdown() -> None:
    for markup, expected in [
        ("<p>a <var>N</var>  b\n c</p>", "a $N$ b c"),
        ("<var>a<sub>i</sub><sup>10</sup>_{x}</var>", "$a_i^{10}_{x}$"),
        ("10<sup>5</sup> and 2<sup>n+1</sup>", "10^5 and 2^{n+1}"),
        ("10<sup>-9</sup>", "10^-9"),
        ("<p>one</p><p>two<br>three</p>", "one\n\ntwo\nthree"),
        ("<h3>Input</h3><p>x</p>", "### Input\n\nx"),
        ("<h3> </h3><p>x</p>", "x"),
        ("<pre><var>N</var>  <var>M</var>\n:\n</pre>", "```\nN  M\n:\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<p><code>x y</code> <b>bold </b>and <em>it</em></p>", "`x y` **bold** and *it*"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ("<ol><li><p>a</p><p>more</p></li><li>b</li></ol>", "1. a\n\n   more\n\n2. b"),
        ("<blockquote>said<blockquote>again</blockquote></blockquote>", "> said\n\n> > again"),
        (
            "<table><tr><th>a</th><th>b|c</th></tr><tr><td><var>1</var></td><td>2</td></tr></table>",
            "| a | b\\|c |\n| --- | --- |\n| $1$ | 2 |",
        ),
        ("<table><tr><td><pre>1</pre></td><td>x</td></tr></table>", "```\n1\n```\n\nx"),
        ("a<hr>b", "a\n\nb"),
        # Inside code a mark would show as it is written.
        ("<code>x<b>y</b><em>z</em><s>w</s><var>n<sub>1</sub></var></code> <b>v</b>", "`xyzwn_1` **v**"),
        ("<kbd>a<tt><i>b</i></tt></kbd> <i>c</i>", "`ab` *c*"),
        ("<code>a<p><b>b</b> <var>n</var></p></code>", "a\n\n**b** $n$"),
        ("<s>a</s> <del>b </del>c <strike>d</strike>", "~~a~~ ~~b~~ c ~~d~~"),
        ("<pre><s>a</s></pre>", "```\na\n```"),
        # Blanks at the end of a line of code are its own.
        ("<pre>#. \n.# \n  \n## \n \n</pre>", "```\n#. \n.# \n  \n## \n```"),
        ("<ul><li>x<pre>a \n\nb </pre></li></ul>", "- x\n\n  ```\n  a \n\n  b \n  ```"),
        ("<pre>a &#13;\nb&#13;\n</pre>", "```\na \nb\n```"),
        # A list beside the items of another belongs to the one before it.
        ("<ol><li>a</li><ul><li>b</li><li>c</li></ul><li>d</li></ol>", "1. a\n   - b\n   - c\n2. d"),
        ("<ul><li>a</li><ol><li>b</li><ul><li>c</li></ul></ol></ul><p>d</p>", "- a\n  1. b\n     - c\n\nd"),
        ("<ul><ul><li>a</li></ul><li>b</li></ul>", "- a\n- b"),
        # What shows its text as it is written shows no pictures: they follow it.
        (
            '<pre>a <img src="/a.png" alt="fig"><b>b</b>\n<img src="data:x">c</pre><p>d</p>',
            "```\na b\nc\n```\n\n![fig](https://example.test/a.png)\n\n[image]\n\nd",
        ),
        ('<ul><li><pre>a<img src="/a.png"></pre></li></ul>', "- ```\n  a\n  ```\n\n  ![](https://example.test/a.png)"),
        ('<pre><img src="/a.png"></pre><pre>b</pre>', "![](https://example.test/a.png)\n\n```\nb\n```"),
        ('<pre>a <var>b<img src="/a.png"></var></pre>', "```\na b\n```"),
        ("<p>x</p><span class='input-copier'>Copy</span><div class='div-sample-copy'>Copy</div>", "x"),
        ("&lt;script&gt; &amp; &nbsp; x", "<script> & x"),
        ('<img src="/a.png" alt="fig [1]">', "![fig 1 ](https://example.test/a.png)".replace("1 ]", "1]")),
    ]:
        assert text(markup) == expected, (markup, expected)


DRAWN = (
    '<span><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mn>70</mn></mrow>'
    '<annotation encoding="application/x-tex">70</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="mord">7</span><span class="mord">0</span></span></span>'
    "</span>"
)


def test_a_formula_that_a_browser_has_drawn_is_told_once() -> None:
    assert visible_text(node(f"Score: <var>{DRAWN}</var> points")) == "Score: 70 points"
    assert text(f"Score: <var>{DRAWN}</var> or {DRAWN} points") == "Score: $70$ or $70$ points"
    assert sample_text(node(f"<pre>{DRAWN} 1</pre>")) == "70 1\n"
    assert text(f"<code>{DRAWN}</code>") == "`70`"
    bare = '<span class="katex"><span class="katex-html"><span>7</span><span>0</span></span></span>'
    assert (visible_text(node(bare)), text(bare)) == ("70", "$70$"), "without its source it is read as it is drawn"


def test_what_a_page_does_is_dropped() -> None:
    for markup in [
        "<script>bad()</script>",
        "<style>bad</style>",
        "<iframe src='bad'>bad</iframe>",
        "<form><input value=bad><button>bad</button></form>",
        "<!-- bad --><![CDATA[bad]]><?bad?>",
        "<svg><text>bad</text></svg>",
        "<span class='btn-copy'>bad</span>",
        "<p onclick='bad'></p>",
        "<a href='javascript:bad'></a>",
        "<template>bad</template>",
    ]:
        assert text(f"<p>x</p>{markup}") == "x", markup


@pytest.mark.parametrize(
    "src", ["javascript:x", "data:image/png;base64,AAAA", "http://a b/", "file:///etc/passwd", "http://[", ""]
)
def test_pictures_keep_only_web_addresses(src: str) -> None:
    found = text(f'<p>see <img src="{src}" alt="it"></p>')
    assert found == "see [image: it]" or found.startswith("see ![it](https://example.test/"), found


def test_a_block_inside_an_inline_tag_loses_the_mark_and_nothing_else() -> None:
    assert text("<em>one<div>two</div>three</em> four") == "one\n\ntwo\n\nthree four"
    assert text("<var>x<div>y</div>z</var> and <b>w</b>") == "$x y z$ and **w**"


@pytest.mark.parametrize(
    "tag", thinned(["div", "b", "var", "sup", "ul><li", "blockquote", "table><tr><td", "pre", "code", "p", "h3"], 3)
)
def test_deep_nesting_is_only_long(tag: str) -> None:
    with little_work():
        deep = node(f"<{tag}>" * 10_000 + "deep")
        assert "deep" in text(f"<{tag}>" * 3000 + "deep")
        assert "deep" in to_text(deep)


def test_a_text_beyond_any_statement_is_refused() -> None:
    with pytest.raises(TextTooLong):
        text("x" * (MAX_STATEMENT_CHARS + 1))


def test_samples_are_what_a_program_reads() -> None:
    for markup, expected in [
        ("\n5 4\n", "5 4\n"),
        ("\r\n1\r\n2\r\n\r\n", "1\n2\n"),
        ("a<br>b<br/>c", "a\nb\nc\n"),
        ("<div>1</div><div>2 3</div><div></div><div>4</div>", "1\n2 3\n4\n"),
        ("<div>1</div><div><br></div><div>4</div>", "1\n\n4\n"),
        ("1&nbsp;2 &lt; 3 &amp;&quot;", '1 2 < 3 &"\n'),
        ("\n\n  indented \n\nlast  \n \n", "  indented \n\nlast  \n"),
        ("<var>x</var> <span>y</span><script>z</script>", "x y\n"),
        ("", ""),
        (" \n\n", ""),
    ]:
        pre = node(f"<pre>{markup}</pre>").find("pre")
        assert isinstance(pre, Tag), (markup, expected)
        assert sample_text(pre) == expected, (markup, expected)


def test_plain_is_one_line_and_bounded() -> None:
    assert visible_text(node("<p>a\n b</p><p>c<br>d<script>no</script></p>")) == "a b c d"
    assert len(visible_text(node("word " * 10_000), 100)) < 60_000
    assert visible_text(None) == ""


def test_a_page_decodes_without_characters_no_record_may_carry() -> None:
    page = SourcePage(b"<title> A \x00\x1b[0m  B </title>\xed\xa0\x80", url="https://example.test/a?b")
    assert page.title == "A [0m B"
    assert page.path == "/a"
    assert SourcePage(b"x", url="http://[").path == ""
    assert "\x00" not in page.text


def test_a_charset_is_guessed_only_where_its_syllables_show() -> None:
    assert decode("高橋君はランプを数える".encode("euc_jp")) == "高橋君はランプを数える"
    lost = decode("Amélie déjà naïve café".encode("latin-1"))
    assert "\ufffd" in lost, "what is lost is seen to be lost, never read as something else"
    assert decode(b'<meta charset="iso-8859-1">' + "Amélie".encode("latin-1")).endswith("Amélie")


def test_russian_bytes_are_read_whatever_the_page_says_of_them() -> None:
    russian = "В первой строке записано целое число n, и ещё «ёлка» — №1. Выведите ответ."
    for meta in ("", '<meta charset="utf-8">'):
        assert decode((meta + russian).encode("cp1251")) == meta + russian
    for text, charset in (
        ("Выведите одно целое число.", "koi8-r"),
        ("输出一个整数表示答案，保证答案存在。", "gbk"),
        ("Größe été cœur", "cp1252"),
    ):
        assert "\ufffd" in decode(text.encode(charset)), "what is lost is seen to be lost"
