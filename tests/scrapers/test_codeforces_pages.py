"""Codeforces' pages: every form of samples, limits, formulas, flags, languages, and where a page stands."""

from html import escape
from typing import Any

import pytest

from app.domain.sources.records import Classification, ScrapedExample, ScrapedProblem, record_to_json
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

SITE = find_site("codeforces")
URL = "https://codeforces.com/contest/1999/problem/B?locale=en"
PAIRS = [("2\n3 1\n2 2\n", "4\n-1\n"), ("1\n0 0\n", "1 < 2 & 3\n")]
OUTPUT = '<div class="output-specification"><div class="section-title">Output</div><p>Print the sum.</p></div>'
GROUP = "/group/MWq/contest/219856"
EXPECTED = tuple(ScrapedExample(*pair) for pair in PAIRS)


def lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def by_div(text: str) -> str:
    """One div a line with no newline between them, and an empty one at the end, as in August 2022."""
    each = "".join(f'<div class="test-example-line test-example-line-odd">{escape(line)}</div>' for line in lines(text))
    return f'{each}<div class="test-example-line"></div>'


def nested(text: str) -> str:
    """The last lines of a test inside another div, as where a line was empty."""
    first, *rest = (f'<div class="test-example-line">{escape(line)}</div>' for line in lines(text))
    return f'{first}<div class="test-example-line test-example-line-even">{"".join(rest)}</div>'


FORMS: dict[str, Any] = {
    "newlines": escape,
    "leading newline": lambda text: "\n" + escape(text),
    "br": lambda text: "".join(f"{escape(line)}<br />" for line in lines(text)),
    "div": by_div,
    "nested": nested,
    "no-break": lambda text: escape(text).replace(" ", "&nbsp;"),
}


def samples(pairs: Any = PAIRS, form: Any = escape, *, copy: bool = True) -> str:
    button = '<div title="Copy" class="input-output-copier">Copy</div>' if copy else ""
    blocks = "".join(
        f'<div class="input"><div class="title">Input{button}</div><pre id="id0">{form(given)}</pre></div>'
        f'<div class="output"><div class="title">Output{button}</div><pre id="id1">{escape(wanted)}</pre></div>'
        for given, wanted in pairs
    )
    inner = f'<div class="section-title">Example</div><div class="sample-test">{blocks}</div>'
    return f'<div class="sample-tests">{inner}</div>'


def statement(
    text: str = "<p>Count the boats.</p>",
    *,
    title: str = "B. Boats",
    time: str = "2 seconds",
    memory: str = "256 megabytes",
    files: tuple[str, str] = ("standard input", "standard output"),
    output: str = OUTPUT,
    examples: str | None = None,
    after: str = "",
) -> str:
    def part(name: str, label: str, value: str) -> str:
        return f'<div class="{name}"><div class="property-title">{label}</div>{value}</div>'

    header = (
        f'<div class="header"><div class="title">{title}</div>{part("time-limit", "time limit per test", time)}'
        f"{part('memory-limit', 'memory limit per test', memory)}{part('input-file', 'input', files[0])}"
        f"{part('output-file', 'output', files[1])}</div>"
    )
    specification = '<div class="input-specification"><div class="section-title">Input</div><p>One number.</p></div>'
    shown = samples() if examples is None else examples
    return f'<div class="problem-statement">{header}<div>{text}</div>{specification}{output}{shown}{after}</div>'


def holder(inner: str, index: str = "B") -> str:
    return f'<div class="problemindexholder" problemindex="{index}"><div class="ttypography">{inner}</div></div>'


def page(*statements: str, contest: str | None = "/contest/1999", tags: str = "", title: str = "Problem - B") -> bytes:
    around = (
        f'<div id="sidebar"><table class="rtable"><tr><th><a href="{contest}">Round 999 (Div. 2)</a></th></tr></table>'
        if contest
        else "<div>"
    )
    boxes = "".join(f'<span class="tag-box" title="x">\n {tag}\n</span>' for tag in tags.split(",") if tag)
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{title} - Codeforces</title><meta name="robots" content="noai">'
        f'</head><body><a href="/enter">Enter</a>{around}{boxes}</div><div id="pageContent">{"".join(statements)}</div>'
        "</body></html>"
    ).encode()


def one(body: bytes, url: str = URL) -> ScrapedProblem:
    parsed = parse_page(SITE, "problem", body, url)
    assert parsed.classification is Classification.OK, parsed.findings
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    return problem


def codes(parsed: ParsedPage) -> set[str]:
    return {finding.code for finding in parsed.findings}


def text_of(inner: str) -> str:
    return one(page(holder(statement(f"<p>{inner}</p>")))).statements["en"].partition("\n\n")[0]


def test_a_problem_carries_what_its_page_shows() -> None:
    problem = one(page(holder(statement()), tags="dp,greedy,*1700"))
    assert record_to_json(problem) == {
        "type": "problem",
        "external_id": "1999/B",
        "contest": "1999",
        "index": "B",
        "title": "Boats",
        "url": "https://codeforces.com/contest/1999/problem/B",
        "starts_at": None,
        "ends_at": None,
        "time_limit_ms": 2000,
        "memory_limit_mb": 256,
        "points": None,
        "form": "stdin",
        "locales": ["en"],
        "statements": {
            "en": "Count the boats.\n\n### Input\n\nOne number.\n\n### Output\n\nPrint the sum.\n\n### Example\n\n"
            "#### Input\n\n```\n2\n3 1\n2 2\n```\n\n#### Output\n\n```\n4\n-1\n```\n\n"
            "#### Input\n\n```\n1\n0 0\n```\n\n#### Output\n\n```\n1 < 2 & 3\n```"
        },
        "samples": [{"input": given, "output": wanted} for given, wanted in PAIRS],
        "tags": ["dp", "greedy"],
        "difficulty": {"scale": "codeforces", "value": 1700},
        "starter_code": {},
        "signature": None,
        "flags": [],
    }
    assert not parse_page(SITE, "problem", page(holder(statement())), URL).findings
    assert one(page(holder(statement(examples=samples([("print any of them", "1")]))))).flags == ()


@pytest.mark.parametrize("form", FORMS)
def test_samples_of_every_form(form: str) -> None:
    for copy in (False, True):
        problem = one(page(holder(statement(examples=samples(PAIRS, FORMS[form], copy=copy)))))
        assert problem.samples == EXPECTED
        assert "```\n2\n3 1\n2 2\n```" in problem.statements["en"], "the text shows the lines too"


def test_blank_lines_inside_a_sample_stay_and_outer_ones_go() -> None:
    for blank, shown in (("&nbsp;", ""), ("", ""), (" ", " ")):
        inner = samples([("3\n3 1 2\n", f"\n3\n{blank}\n2 1 \n\n")]).replace("&amp;nbsp;", "&nbsp;")
        problem = one(page(holder(statement(examples=inner))))
        assert problem.samples == (ScrapedExample("3\n3 1 2\n", f"3\n{shown}\n2 1 \n"),)


@pytest.mark.parametrize("blank", ["", "&nbsp;", " ", "\n", "<br>", "<span></span>", "<!-- -->"])
def test_an_element_of_a_line_that_holds_nothing_is_an_empty_line(blank: str) -> None:
    divs = "".join(f'<div class="test-example-line">{line}</div>' for line in ("1", blank, blank, "2", blank))
    problem = one(page(holder(statement(examples=samples([("", "1")], lambda _: divs)))))
    assert problem.samples[0].input.replace(" ", "") == "1\n\n\n2\n"


def test_a_line_that_is_never_closed_swallows_nothing() -> None:
    open_line = '<div class="test-example-line">1</div><div class="test-example-line"><div>2</div>'
    body = page(holder(statement(examples=samples([("x", "3\n")], lambda _: open_line))))
    assert one(body).samples == (ScrapedExample("1\n2\n", "3\n"),)


def test_samples_without_a_partner_are_a_finding() -> None:
    alone = '<div class="sample-tests"><div class="sample-test"><div class="input"><pre>1</pre></div></div></div>'
    parsed = parse_page(SITE, "problem", page(holder(statement(examples=alone))), URL)
    assert codes(parsed) == {"unpaired_sample", "missing_samples"}
    quoted = page(holder(statement('<div class="input"><pre>no sample</pre></div>')))
    assert one(quoted).samples == EXPECTED, "only what stands among the examples is one"


def test_limits_are_the_sites_numbers() -> None:
    for time, memory, expected in [
        ("0.5 seconds", "512 megabytes", (500, 512)),
        ("1 second", "4 megabytes", (1000, 4)),
        ("2 секунды", "256 мегабайт", (2000, 256)),
        ("1,5 секунды", "64 мегабайта", (1500, 64)),
        ("5 секунд", "1 гигабайт", (5000, 1024)),
        ("250 ms", "65536 KB", (250, 64)),
        ("100 миллисекунд", "1000000 килобайт", (100, 1000)),
        ("2 minutes", "1.5 GiB", (120_000, 1536)),
        ("1,500 ms", "67108864 bytes", (1500, 64)),
        ("0 seconds", "none", (None, None)),
        ("soon", "", (None, None)),
    ]:
        body = page(holder(statement(time=time, memory=memory)))
        problem = one(body)
        assert (problem.time_limit_ms, problem.memory_limit_mb) == expected, (time, memory, expected)
        assert ("missing_limits" in codes(parse_page(SITE, "problem", body, URL))) == (None in expected), (
            time,
            memory,
            expected,
        )


def test_formulas_and_fonts() -> None:
    for markup, expected in [
        ("Let $$$n$$$ be $$$1 \\le n$$$.", "Let $n$ be $1 \\le n$."),
        ("So $$$$$$a+b$$$$$$ holds.", "So $$a+b$$ holds."),
        (
            'Let <span class="MathJax_Preview"><span class="MJXp-math">n</span></span><span class="MathJax"><nobr>n'
            '</nobr></span><script type="math/tex" id="M1">\n n \n</script>!',
            "Let $n$!",
        ),
        (
            '<div class="MathJax_Display"><span class="MathJax">drawn</span></div>'
            '<script type="math/tex; mode=display">% <![CDATA[\na < b %]]></script>',
            "$$a < b$$",
        ),
        (
            '<span class="tex-span"><i>a</i><sub class="lower-index"><i>i</i> + 1</sub> ≤ '
            '10<sup class="upper-index">9</sup></span>',
            "$a_{i + 1} ≤ 10^9$",
        ),
        ('<img align="middle" class="tex-formula" src="//x.test/f.png">', "![](https://x.test/f.png)"),
        (
            'Print "<span class="tex-font-style-tt">YES</span>", <span class="tex-font-style-bf">not</span> '
            '<span class="tex-font-style-it">no</span>.',
            'Print "`YES`", **not** *no*.',
        ),
        ('<span class="tex-font-style-tt">1<span class="tex-font-style-bf">11</span>0</span>', "`1110`"),
        ('a<span class="tex-font-style-striked">b</span>c', "a~~b~~c"),
        ("<i>w</i><sub><i>i</i></sub>", "*w*_i"),
    ]:
        assert text_of(markup) == expected, (markup, expected)


@pytest.mark.parametrize(
    ("title", "index", "expected"),
    [
        ("A1. Dual (easy version)", "A1", ("A1", "Dual (easy version)")),
        ("01. First", "01", ("01", "First")),
        ("123. The sum", "123", ("123", "The sum")),
        ("B. St. John", "B", ("B", "St. John")),
        ("St. Petersburg", "B", ("B", "St. Petersburg")),
    ],
)
def test_titles(title: str, index: str, expected: tuple[str, str]) -> None:
    problem = one(page(holder(statement(title=title), index)), f"https://codeforces.com/contest/1999/problem/{index}")
    assert (problem.index, problem.title) == expected
    assert problem.external_id == f"1999/{expected[0]}"


@pytest.mark.parametrize(
    ("url", "contest", "external_id", "path"),
    [
        ("https://codeforces.com/contest/1999/problem/B", "/contest/1999", "1999/B", "/contest/1999/problem/B"),
        ("http://127.0.0.1:81/problemset/problem/1999/b?locale=ru", None, "1999/B", "/contest/1999/problem/B"),
        ("https://codeforces.com/gym/100524/problem/B", "/gym/100524", "100524/B", "/gym/100524/problem/B"),
        (f"https://codeforces.com{GROUP}/problem/B", GROUP, "219856/B", f"{GROUP}/problem/B"),
        ("", "/contest/1999", "1999/B", "/contest/1999/problem/B"),
        ("", GROUP, "219856/B", f"{GROUP}/problem/B"),
    ],
)
def test_where_a_page_stands(url: str, contest: str | None, external_id: str, path: str) -> None:
    problem = one(page(holder(statement()), contest=contest), url)
    assert (problem.external_id, problem.url) == (external_id, f"https://codeforces.com{path}")


def test_a_page_without_its_address_is_named_by_its_title_or_not_at_all() -> None:
    named = page(holder(statement()), contest=None, title="Problem - 1999B")
    assert one(named, "").external_id == "1999/B"
    parsed = parse_page(SITE, "problem", page(holder(statement()), contest=None))
    assert codes(parsed) == {"missing_id"}
    assert isinstance(parsed.records[0], ScrapedProblem)
    assert (parsed.records[0].external_id, parsed.records[0].index) == (None, "B")


def test_a_page_of_another_problem_is_not_read_as_this_one() -> None:
    for url in ("https://codeforces.com/contest/1999/problem/C", "https://codeforces.com/contest/2000/problem/B"):
        parsed = parse_page(SITE, "problem", page(holder(statement())), url)
        assert (parsed.classification, codes(parsed)) == (Classification.FORMAT_CHANGED, {"another_page"})
    whole = page(holder(statement(title="A. One"), "A"), holder(statement()))
    assert one(whole).title == "Boats", "a page with all problems of a contest holds this one too"
    assert codes(parse_page(SITE, "problem", whole)) == {"another_page"}


def test_a_russian_page() -> None:
    text = "<p>Посчитайте лодки на реке и их пассажиров, если их не больше $$$n$$$ штук.</p>"
    output = (
        '<div class="output-specification"><div class="section-title">Выходные данные</div><p>Выведите любой.</p></div>'
    )
    problem = one(
        page(
            holder(
                statement(text, title="G. Лодки", time="1.5 секунды", memory="512 мегабайт", output=output,
                          files=("стандартный ввод", "стандартный вывод")),
                "G",
            )
        ),
        "https://codeforces.com/problemset/problem/1999/G?locale=ru",
    )  # fmt: skip
    assert (problem.locales, problem.title, problem.flags) == (("ru",), "Лодки", ("multiple_answers",))
    assert (problem.time_limit_ms, problem.memory_limit_mb) == (1500, 512)
    assert problem.statements["ru"].startswith("Посчитайте лодки")


def test_files_to_read_and_write() -> None:
    problem = one(page(holder(statement(files=("input.txt", "output.txt")))))
    assert problem.flags == ("file_io",)
    assert problem.statements["en"].startswith("input: input.txt\n\noutput: output.txt\n\nCount the boats.")
    assert one(page(holder(statement(files=("stdin", "stdout"))))).flags == ()


@pytest.mark.parametrize("title", ["Interaction", "Interaction protocol", "Протокол взаимодействия"])
def test_interaction(title: str) -> None:
    section = f'<div><div class="section-title">{title}</div><p>Ask, then flush.</p></div>'
    problem = one(page(holder(statement(output=section))))
    assert (problem.form, problem.flags) == ("interactive", ("interactive",))
    assert one(page(holder(statement()), tags="interactive")).form == "interactive"


def test_flags_by_phrase() -> None:
    for text, flags in [
        ("If there are multiple answers, print <b>any</b> of them.", ("multiple_answers",)),
        ("If there exist multiple possible strings, you can print any.", ("multiple_answers",)),
        ("Any valid answer will be accepted.", ("multiple_answers",)),
        ("Print the numbers in any order.", ("multiple_answers",)),
        ("Если ответов несколько, выведите любой из них.", ("multiple_answers",)),
        ("Если существует несколько подходящих ответов, вы можете вывести любой.", ("multiple_answers",)),
        ("Вершины можно выводить в любом порядке.", ("multiple_answers",)),
        (
            "Your answer is correct if its absolute or relative error does not exceed $$$10^{-6}$$$.",
            ("float_tolerance",),
        ),
        ("Print the answer with precision of at least 4 digits.", ("float_tolerance",)),
        ("Абсолютная или относительная погрешность не должна превосходить $$$10^{-6}$$$.", ("float_tolerance",)),
        ("This is an interactive problem.", ("interactive",)),
        ("Это интерактивная задача.", ("interactive",)),
        ("This is a run-twice problem.", ("communication",)),
        ('See <img class="tex-graphics" src="https://x.test/a.png">.', ("image",)),
        ("You can print each letter in any case (upper or lower).", ()),
        ("Буквы можно выводить в любом регистре.", ()),
        ("If there are multiple edges between any two vertices, the sum counts each.", ()),
        ("The vertices are given in arbitrary order.", ()),
        ("This is not an interactive problem.", ()),
        ("A runtime error costs points.", ()),
    ]:
        problem = one(page(holder(statement(f"<p>{text}</p>"))))
        assert problem.flags == flags, (text, flags)
        assert problem.form == ("interactive" if "interactive" in flags else "stdin"), (text, flags)


def test_scoring_and_notes_are_part_of_the_text() -> None:
    after = (
        '<div class="scoring"><div class="section-title">Scoring</div><p>Two groups.</p></div>'
        '<div class="note"><div class="section-title">Note</div><ul><li>See $$$x$$$.</li></ul></div>'
    )
    text = one(page(holder(statement(after=after)))).statements["en"]
    assert text.endswith("### Scoring\n\nTwo groups.\n\n### Note\n\n- See $x$.")


def test_the_whole_contest_on_one_page() -> None:
    body = page(holder(statement(title="A. One"), "A"), holder(statement(title="B1. Two", time="4 seconds"), "B1"))
    parsed = parse_page(SITE, "contest_problems", body, "https://codeforces.com/contest/1999/problems")
    problems = [record for record in parsed.records if isinstance(record, ScrapedProblem)]
    assert [(problem.external_id, problem.title, problem.time_limit_ms) for problem in problems] == [
        ("1999/A", "One", 2000),
        ("1999/B1", "Two", 4000),
    ]
    assert all(problem.samples == EXPECTED and problem.statements for problem in problems)
    assert not parsed.findings
    other = parse_page(SITE, "contest_problems", body, "https://codeforces.com/contest/5/problems")
    assert codes(other) == {"another_page"}
    broken = page(holder(statement(title="A. One"), "A"), holder('<div class="problem-statement"></div>', "B"))
    assert codes(parse_page(SITE, "contest_problems", broken, "")) == {"unreadable_problem", "empty_statement"}


def test_a_statement_that_is_a_document_is_no_empty_text() -> None:
    header = statement(examples="", output="").replace("<p>Count the boats.</p>", "").replace("<p>One number.</p>", "")
    bare = header.replace('<div class="input-specification"><div class="section-title">Input</div></div>', "")
    assert codes(parse_page(SITE, "problem", page(holder(bare)), URL)) == {"empty_statement"}
    linked = page(holder(bare), '<a href="/contest/1999/attachments/download/1/statements.pdf">PDF</a>')
    parsed = parse_page(SITE, "problem", linked, URL)
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    assert (problem.statements, problem.locales, problem.form, problem.title) == ({}, (), None, "Boats")
    assert codes(parsed) == {"statement_in_pdf"}
    document = parse_page(SITE, "problem", b"%PDF-1.5 binary", URL)
    assert (document.classification, codes(document)) == (Classification.FORMAT_CHANGED, {"statement_in_pdf"})


def test_a_statement_saved_without_its_page() -> None:
    whole = f"<html><body>{statement()}</body></html>".encode()
    inner = whole.replace(b'<div class="problem-statement">', b"<div>")
    for body in (whole, inner):
        problem = one(body)
        assert (problem.external_id, problem.samples) == ("1999/B", EXPECTED)
