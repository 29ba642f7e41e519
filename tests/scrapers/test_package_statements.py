"""TeX of statements: what is understood becomes plain text, what is not is never guessed."""

import contextlib

import pytest
from support.work import little_work

from scrapers.packages.tex import plain_text
from scrapers.packages.tex_macros import Macros, UnsupportedTex, expand_macros


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        ("Add $a$ and\n\\(b\\), \\emph{please}.", "Add $a$ and\n$b$, please."),
        ("Say \\texttt{yes--no} --- or ``no''.", 'Say `yes--no` \N{EM DASH} or "no".'),
        ("1--5, 100\\% of \\$5 \\& a\\_b \\#1 \\{x\\}~y", "1\N{EN DASH}5, 100% of $5 & a_b #1 {x} y"),
        ("a % note\n  b\n% whole line\nc", "a   b\nc"),
        ("\\section*{Input}\nOne.\n\\subsection{Why}Two.", "## Input\n\nOne.\n\n## Why\n\nTwo."),
        ("\\begin{itemize}\n\\item one\n\\item[b)] two\n\\end{itemize}", "- one\n\n- b) two"),
        ("\\begin{enumerate}\\item x\\item y\\end{enumerate}", "1. x\n2. y"),
        ("\\[ x \\le \\frac{1}{2} \\] and $$y$$", "$$x \\le \\frac{1}{2}$$ and $$y$$"),
        ("$5\\$ \\text{ of } \\{a\\}$", "$5\\$ \\text{ of } \\{a\\}$"),
        ("\\begin{equation*}a_1\\end{equation*}", "$$a_1$$"),
        ("\\begin{align}a &= b \\\\ c\\end{align}", "$$\\begin{align}a &= b \\\\ c\\end{align}$$"),
        ("\\begin{verbatim}\n$ 5 % \\x\n\\end{verbatim}", "```\n$ 5 % \\x\n```"),
        ("\\begin{tabular}{|l|r|}\\hline a & $b$ \\\\ \\hline c & d \\\\\\end{tabular}", "a | $b$\nc | d"),
        ("\\begin{center}\\includegraphics[width=1cm]{a.png}\\end{center}", "[image: a.png]"),
        ("{\\bf bold} \\bf{x} \\t{c} \\it y", "bold x `c` y"),
        ("M\\\"obius, \\'{e}t\\'e, gar\\c{c}on, \\aa, \\o{}l", "Möbius, été, garçon, å, øl"),
        ("x\\footnote{or $y$}.", "x (or $y$)."),
        ("see \\href{https://e.org/a_b}{here}, \\url{https://e.org}", "see here (https://e.org/a_b), https://e.org"),
        ("one\\\\two\\par three\\ldots{} four", "one\ntwo\n\nthree... four"),
        ("1 << 5 and a >> b", "1 << 5 and a >> b"),
        ("\\verb|a_$b| c", "`a_$b` c"),
        ("", ""),
    ],
)
def test_what_is_understood(tex: str, plain: str) -> None:
    assert plain_text(tex).text == plain


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        ("\\newcommand{\\maxn}{1000}\nAt most $1 \\le n \\le \\maxn$.", "At most $1 \\le n \\le 1000$."),
        ("\\newcommand*\\maxn{1000}\\maxn{} and \\maxn\\ and \\maxn .", "1000 and 1000 and 1000."),
        ("\\newcommand{\\x}{n} $\\le\\x$ $2\\cdot\\x m$", "$\\le n$ $2\\cdot nm$"),
        ("\\newcommand{\\to}[2]{from #1 to~#2}\\to{1}{\\to ab}", "from 1 to from a to b"),
        ("\\newcommand{\\p}[2][n]{#1^{#2}}$\\p{2}\\p[m]{3}\\p [{]}] 4$", "$n^{2}m^{3}{]}^{4}$"),
        ("\\newcommand{\\o}[1][x]{(#1)}\\o and \\o[y], \\o\n\n[z]", "(x)and (y), (x)\n\n[z]"),
        ("\\def\\x{5}\\def\\y#1#2{#2#1\\x}$\\y12$", "$215$"),
        ("\\def \\htmlPixelsInCm {45} \\long\\gdef\\z{a}\\z", "a"),
        ("\\newcommand{\\x}{1}\\renewcommand{\\x}{2}\\providecommand{\\x}{3}\\providecommand{\\y}{4}\\x\\y", "24"),
        ("\\renewcommand{\\emph}[1]{\\texttt{#1}}\\emph{a}", "`a`"),
        ("\\let\\old=\\emph\\renewcommand{\\emph}[1]{<\\old{#1}>}\\emph{a}", "<a>"),
        ("\\newcommand{\\x}{1}\\let\\y\\x\\renewcommand{\\x}{2}\\y\\x", "12"),
        ("\\DeclareMathOperator{\\lcm}{lcm}\\DeclareMathOperator*{\\best}{best}$\\lcm(a)\\best_x$",
         "$\\operatorname{lcm}(a)\\operatorname*{best}_x$"),
        ("\\newcommand{\\m}{\\ensuremath{10^5}\\xspace}\\m is $\\m$, \\m.", "$10^5$ is ${10^5}$, $10^5$."),
        ("\\newcommand{\\x}{% why\n  one% more\n  two\n three\n\n four\\%}\\x", "onetwo three\n\nfour%"),
        ("\\newcommand{\\b}{\\textbf}\\b{x} \\newcommand{\\q}{\\b}\\q{y}", "x y"),
        ("\\newcommand{\\two}[1]{\\def\\second##1{##1#1}}\\two{z}\\second{a}", "az"),
        ("One\n\\newcommand{\\x}{5} % why\ntwo \\x\nthree.", "One\ntwo 5\nthree."),
        ("\\newcommand{\\x}{5}\\verb|\\x| \\begin{verbatim}\n\\x\n\\end{verbatim}% \\x", "`\\x`\n\n```\n\\x\n```"),
        ("\\newcommand{\\i}[1]{\\item[#1]}\\begin{itemize}\\i{a} b\\end{itemize}", "- a b"),
        ("\\newcommand{\\bi}{\\begin{itemize}}\\newcommand{\\ei}{\\end{itemize}}\\bi\\item a\\ei", "- a"),
        ("\\newcommand{\\sub}[1]{\\section*{#1}}\\sub{In}x", "## In\n\nx"),
        ("\\begin{Input}One.\\end{Input}\\nextsample\\begin{Output}Two.\\end{Output}\\remainingsamples",
         "## Input\n\nOne.\n\n## Output\n\nTwo."),
        ("\\sout{x} \\epigraph{Be.}{Me}", "x\n\nBe. \N{EM DASH} Me"),
    ],
)  # fmt: skip
def test_macros_stand_for_what_they_are_defined_to_be(tex: str, plain: str) -> None:
    assert plain_text(tex).text == plain


@pytest.mark.parametrize(
    ("tex", "line", "reason"),
    [
        ("\\def\\a{\\a}\n\\a", 2, "expand to too much, or without end"),
        ("\\def\\a{x\\b}\\def\\b{y\\a}$\\a$", 1, "without end"),
        ("\\newcommand{\\a}[1]{\\a{#1#1}}\\a{x}", 1, "without end"),
        ("".join(f"\\def\\a{at:c}{{\\a{at + 1:c}\\a{at + 1:c}}}" for at in range(97, 121)) + "\\aa", 1, "without end"),
        ("\\newcommand{\\d}[1]{#1#1}" + "\\d{" * 30 + "x" + "}" * 30, 1, "without end"),
        ("\\newcommand{\\d}{" + "x" * 1000 + "}" + "\\d " * 2000, 1, "too much"),
        ("a\n\\newcommand", 2, "without its argument"),
        ("\\newcommand{x}{5}", 1, "'x', which is no command"),
        ("\\newcommand{\\x}[1]{#2}", 1, "uses more arguments"),
        ("\\newcommand{\\x}[10]{a}", 1, "'10' arguments"),
        ("\\newcommand{\\x}[0][a]{b}", 1, "'0' arguments"),
        ("\\newcommand{\\x}[k]{b}", 1, "'k' arguments"),
        ("\\newcommand{\\x}{b", 1, "a group without its end"),
        ("\\newcommand{\\x}[1]{#1}\n{\\x}", 2, "without its argument"),
        ("\\newcommand{\\x}[1]{#1}\n\\x{a", 2, "without its end"),
        ("\\def\\x(#1){#1}", 1, "whose arguments have delimiters"),
        ("\\renewcommand{\\labelenumi}{(\\alph{enumi})}", 1, "numbers lists"),
        ("\n\\constant{n}", 2, "the constant 'n' is not defined"),
    ],
)
def test_macros_that_are_not_understood_or_never_end(tex: str, line: int, reason: str) -> None:
    with little_work(), pytest.raises(UnsupportedTex) as unread:
        plain_text(tex)
    assert reason in unread.value.reason
    assert unread.value.line == line


def test_lines_keep_their_numbers() -> None:
    tex = "\\newcommand{\\x}[1]{%\n  a\n  #1}\n\n\\x{b\n\nc}\n\\def\\y{}\nOne\n\\unknown"
    with pytest.raises(UnsupportedTex) as unread:
        plain_text(tex)
    assert unread.value.line == 10


def test_constants_and_macros_of_one_document() -> None:
    macros = Macros(constants={"n": "1000", "n.value": "1000", "n.tex": "1\\,000", "p": "5%"})
    assert (
        expand_macros("$\\constant{n}$ $\\constant{n.value}$ $\\constant {n.tex}$", macros) == "$1000$ $1000$ $1\\,000$"
    )
    assert plain_text("\\constant{n.tex}: \\constant{p} or less", macros).text == "1 000: 5% or less"
    expand_macros("\\newcommand{\\x}{\\constant{n}}", macros)
    assert expand_macros("$\\x$", macros) == "$1000$"


def test_a_statement_names_itself_and_its_images() -> None:
    read = plain_text("\\problemname{The \\emph{Sea}}\n\\illustration{0.5}{sea.jpg}{By $N$ people}\nText.")
    assert (read.title, read.text, read.images) == ("The Sea", "[image: sea.jpg] By $N$ people\n\nText.", True)


@pytest.mark.parametrize(
    ("tex", "line", "reason"),
    [
        ("a\n\\newenvironment{x}{5} $\\x$", 2, "\\newenvironment is not known"),
        ("a\n\\newcommand{\\x}{5} $\\x$ \\y", 2, "\\y is not known"),
        ("\\input{/etc/passwd}", 1, "\\input is not known"),
        ("\n\n\\foo bar", 3, "\\foo is not known"),
        ("\\begin{tikzpicture}\\end{tikzpicture}", 1, "tikzpicture is not known"),
        ("\\begin{itemize} \\item x", 1, "ends within"),
        ("\\begin{itemize} \\end{enumerate}", 1, "without its \\begin"),
        ("a\n{b", 2, "ends within"),
        ("a\nb}", 2, "without its {"),
        ("a $b", 1, "a formula without its end"),
        ("a \\[b", 1, "a formula without its end"),
        ("\\begin{verbatim} x", 1, "without its end"),
        ("\\begin{verbatim}\n```\n\\end{verbatim}", 3, "a fence"),
        ("\\item x", 1, "outside of a list"),
        ("\\includegraphics", 1, "without its argument"),
        ("\\includegraphics{a", 1, "without its end"),
        ("\\'{ab}", 1, "an accent"),
        ("{" * 60 + "}" * 60, 1, "nested more than"),
        ("\\emph{" * 5000 + "}" * 5000, 1, "nested more than"),
        ("text \\", 1, "is not known"),
        ("\\verb", 1, "verbatim"),
    ],
)
def test_what_is_not_understood(tex: str, line: int, reason: str) -> None:
    with pytest.raises(UnsupportedTex) as unread:
        plain_text(tex)
    assert reason in unread.value.reason
    assert unread.value.line == line


@pytest.mark.parametrize(
    "piece",
    [
        "$x$ ",
        "{a}",
        "\\\\[",
        "``",
        "---",
        "% x\n",
        " \t",
        "\n\n",
        "\\verb|x|",
        "```\n",
        "\\begin{verbatim}",
        "\\$",
        "\\def\\x{5}",
        "\\def\\x#1{#1}\\x5",
        "\\x",
        "\\newcommand{",
        "{\\def",
        "\\let\\x\\y",
        "\\begin",
        "\\constant",
    ],
)
def test_time_grows_with_the_text(piece: str) -> None:
    text = piece * (600_000 // len(piece))
    with little_work(), contextlib.suppress(UnsupportedTex):
        plain_text(text)
