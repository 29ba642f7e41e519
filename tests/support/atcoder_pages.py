"""AtCoder-like pages, written for these tests: the layouts of several years around texts of our own."""

from collections.abc import Sequence
from html import escape

Pairs = Sequence[tuple[str, str]]


def duration(start: str, end: str) -> str:
    """The header every page below a contest carries."""
    return (
        "<small class='contest-duration'>Contest Duration: "
        f"<a href='http://example.test/?p1=248'><time class='fixtime fixtime-full'>{start}</time></a> - "
        f"<a href='http://example.test/?p1=248'><time class='fixtime fixtime-full'>{end}</time></a></small>"
    )


def task(
    statement: str,
    *,
    heading: str = "A - Lamps",
    limits: str = "Time Limit: 2 sec / Memory Limit: 1024 MiB",
    start: str = "2026-01-10 21:00:00+0900",
    end: str = "2026-01-10 22:40:00+0900",
    head: str = "",
) -> bytes:
    """A task page around a statement."""
    return (
        f"<!DOCTYPE html><html><head><title>{heading}</title>{head}</head><body>{duration(start, end)}"
        f'<span class="h2">{heading} <a class="btn" href="editorial">Editorial</a></span><hr/>'
        f'<p>\n\t{limits}\n</p><div id="task-statement">{statement}</div></body></html>'
    ).encode()


def modern(pairs: Pairs, *, text: str = "Count the lamps.", japanese: str | None = None) -> str:
    """div.part > section > h3 + pre, in one or two languages."""
    english = _modern(pairs, text, "Problem Statement", "Input", "Sample Input", "Sample Output")
    spans = f'<span class="lang-en"><p>Score : <var>100</var> points</p>{english}</span>'
    if japanese is not None:
        other = _modern(pairs, japanese, "問題文", "入力", "入力例", "出力例")
        spans = f'<span class="lang-ja"><p>配点 : <var>100</var> 点</p>{other}</span>{spans}'
    return f'<span class="lang">{spans}</span>'


def _modern(pairs: Pairs, text: str, *names: str) -> str:
    story, form, label_in, label_out = names
    parts = [_part(f"<h3>{story}</h3><p>{text}</p>"), _part(f"<h3>{form}</h3><pre><var>N</var>\n</pre>")]
    for number, (given, expected) in enumerate(pairs, 1):
        parts.append(_part(f"<h3>{label_in} {number}</h3><pre>{escape(given)}</pre>"))
        parts.append(
            _part(f"<h3>{label_out} {number}</h3><pre>{escape(expected)}</pre><p>Why.</p><pre>no sample</pre>")
        )
    return "".join(parts)


def _part(inner: str) -> str:
    return f'<div class="part"><section>{inner}</section></div><hr />'


def prettyprint(pairs: Pairs) -> str:
    """div.part > h3 + section > pre.prettyprint, as in 2012-2014; Japanese, unmarked."""
    parts = ["<div class='part'><h3>問題文</h3><section>ランプの<b>かず</b>をかぞえてください。</section></div>"]
    parts.append("<div class='io-style part'><h3>入力</h3><section><pre><var>N</var></pre></section></div>")
    for number, (given, expected) in enumerate(pairs, 1):
        for label, text in (("入力例", given), ("出力例", expected)):
            pre = f'<pre class="prettyprint linenums">\n{escape(text)}</pre>'
            parts.append(f"<div class='part'><h3>{label} {number}</h3><section>{pre}</section></div>")
    return "".join(parts)


def paragraphs(pairs: Pairs) -> str:
    """p + pre.literal-block, as guest contests of 2011 had it."""
    parts = ["<h2>問題</h2><p>ランプをかぞえよ。</p><h2>入力形式</h2><pre class='literal-block'>N</pre>"]
    for number, (given, expected) in enumerate(pairs, 1):
        parts.append(f"<p>入力例 {number}:</p><pre class='literal-block'>\n{escape(given)}</pre>")
        label = f"入力例 {number} に対する出力例:"
        parts.append(f"<blockquote><p>{label}</p><pre class='literal-block'>\n{escape(expected)}</pre></blockquote>")
    return "".join(parts)


def bare(pairs: Pairs) -> str:
    """h3 + pre with nothing around, one heading for several samples."""
    parts = ["<h3>Problem</h3>Count the lamps.<h3>Input</h3><pre>N</pre><h3>Output</h3><pre>a number</pre>"]
    for given, expected in pairs:
        parts.append(f"<h3>Sample Input</h3><pre>{escape(given)}</pre>")
        parts.append(f"<h3>Output for Sample Input</h3><pre>{escape(expected)}</pre>")
    return "".join(parts)


def browser(pairs: Pairs) -> str:
    """The modern layout as a browser saves it: copy buttons and drawn formulas."""
    button = '<span class="btn btn-default btn-sm btn-copy">Copy</span>'
    drawn = (
        '<var><span class="katex"><span class="katex-mathml"><math><semantics><mi>N</mi>'
        '<annotation encoding="application/x-tex">N_1</annotation></semantics></math></span>'
        '<span class="katex-html" aria-hidden="true">N1</span></span></var>'
    )
    parts = [_part(f"<h3>Problem Statement</h3><p>Given {drawn}, count.</p>")]
    for number, (given, expected) in enumerate(pairs, 1):
        for label, text in (("Sample Input", given), ("Sample Output", expected)):
            pre = f'<div class="div-btn-copy">{button}</div><pre id="pre-sample{number}">{escape(text)}</pre>'
            parts.append(_part(f"<h3>{label} {number} {button}</h3>{pre}"))
    return f'<span class="lang"><span class="lang-en">{"".join(parts)}</span></span>'


LAYOUTS = {each.__name__: each for each in (modern, prettyprint, paragraphs, bare, browser)}


def archive(rows: Sequence[tuple[str, str, str]], *, pages: int = 1, mark: str = "Ⓐ") -> bytes:
    """A page of the contest archive: (id, start, duration) a row, newest first."""
    body = "".join(
        f'<tr><td><a href="http://example.test/"><time class="fixtime fixtime-full">{start}</time></a></td>'
        f'<td><span title="{"Heuristic" if "ahc" in name else "Algorithm"}">{mark}</span>'
        f'<a href="/contests/{name}">Contest {name}</a></td>'
        f"<td>{length}</td><td> ~ 1999</td></tr>"
        for name, start, length in rows
    )
    links = "".join(f'<li><a href="/contests/archive?page={page}">{page}</a></li>' for page in range(1, pages + 1))
    return (
        f"<html><head><title>Contest Archive - AtCoder</title></head><body><ul class='pagination'>{links}</ul>"
        f"<table><tbody>{body}</tbody></table></body></html>"
    ).encode()


def tasks(contest: str, names: Sequence[str], start: str, end: str) -> bytes:
    """A contest's task list."""
    rows = "".join(
        f'<tr><td><a href="/contests/{contest}/tasks/{name}">{chr(65 + number)}</a></td>'
        f'<td><a href="/contests/{contest}/tasks/{name}">Task {name}</a></td><td>2 sec</td><td>1024 MiB</td></tr>'
        for number, name in enumerate(names)
    )
    return (
        f"<html><head><title>Tasks - Contest {contest}</title></head><body>"
        f'<a class="contest-title" href="/contests/{contest}">Contest {contest}</a>{duration(start, end)}'
        f"<table><tbody>{rows}</tbody></table></body></html>"
    ).encode()
