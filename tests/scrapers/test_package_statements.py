"""TeX of statements: what is understood becomes plain text, what is not is never guessed."""

import contextlib

import pytest
from support.work import little_work

from scrapers.packages.tex import Unreadable, plain_text


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


def test_a_statement_names_itself_and_its_images() -> None:
    read = plain_text("\\problemname{The \\emph{Sea}}\n\\illustration{0.5}{sea.jpg}{By $N$ people}\nText.")
    assert (read.title, read.text, read.images) == ("The Sea", "[image: sea.jpg] By $N$ people\n\nText.", True)


@pytest.mark.parametrize(
    ("tex", "line", "reason"),
    [
        ("a\n\\newcommand{\\x}{5} $\\x$", 2, "\\newcommand is not known"),
        ("\\def\\x{5}", 1, "\\def is not known"),
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
    with pytest.raises(Unreadable) as unread:
        plain_text(tex)
    assert reason in unread.value.reason
    assert unread.value.line == line


@pytest.mark.parametrize(
    "piece",
    ["$x$ ", "{a}", "\\\\[", "``", "---", "% x\n", " \t", "\n\n", "\\verb|x|", "```\n", "\\begin{verbatim}", "\\$"],
)
def test_time_grows_with_the_text(piece: str) -> None:
    text = piece * (600_000 // len(piece))
    with little_work(), contextlib.suppress(Unreadable):
        plain_text(text)
