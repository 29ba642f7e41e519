"""Syntax highlighting of programs: keywords, strings, comments, numbers and defined names.

Programs are written by models, whose vendors may be hostile. Lexers of libraries are quadratic on some texts: minutes
for one answer, while the process serves no other request. This one knows little of each language, and looks at each
character a bounded number of times.
"""

import keyword
import re
from functools import cache
from typing import Final

from markupsafe import Markup, escape

# An unclosed token ends with the line, or with the program.
_SLASHES: Final = r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
_HASH: Final = r"\#[^\n]*+"
_DIRECTIVE: Final = r"^[ \t]*+\#[^\n]*+"
_LONG: Final = r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?'
_LONG_SINGLE: Final = r"'''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?"
_DOUBLE: Final = r'"(?:[^"\\\n]++|\\.)*+"?'
_SINGLE: Final = r"'(?:[^'\\\n]++|\\.)*+'?"
_LETTER: Final = r"'(?:[^'\\\n]|\\.[^'\n]{0,8})'"  # a single quote starts a lifetime, or separates digits
_TICKS: Final = r"`(?:[^`\\]++|\\.)*+`?"

_C: Final = (f"{_SLASHES}|{_DIRECTIVE}", f"{_DOUBLE}|{_LETTER}")
_JVM: Final = (_SLASHES, f"{_LONG}|{_DOUBLE}|{_LETTER}")
_SCRIPT: Final = (_SLASHES, f"{_DOUBLE}|{_SINGLE}|{_TICKS}")
_PYTHON: Final = (_HASH, f"{_LONG}|{_LONG_SINGLE}|{_DOUBLE}|{_SINGLE}")
# Comments and strings of each language; programs in other languages are shown without highlighting.
_LANGUAGES: Final = {
    "python": _PYTHON, "pypy": _PYTHON, "c": _C, "cpp": _C, "csharp": (f"{_SLASHES}|{_DIRECTIVE}", _JVM[1]),
    "java": _JVM, "kotlin": _JVM, "scala": _JVM, "rust": (_SLASHES, f"{_DOUBLE}|{_LETTER}"),
    "go": (_SLASHES, f"{_DOUBLE}|{_LETTER}|{_TICKS}"), "javascript": _SCRIPT, "typescript": _SCRIPT,
    "ruby": (_HASH, f"{_DOUBLE}|{_SINGLE}"), "php": (f"{_SLASHES}|{_HASH}", f"{_DOUBLE}|{_SINGLE}"),
}  # fmt: skip
# The languages' keywords that are rarely used as names. Python has a list of its own, since its programs call many of
# these: range, type, object.
_KEYWORD_LIST: Final = """
abstract and as assert async await auto begin bool boolean break byte case catch char class const constexpr continue
debugger def default defer del delete do double elif else elsif end ensure enum except export extends extern false
final finally float fn for foreach from fun func function global go goto if impl implements import in inline int
interface internal is lambda let lock long loop match mod module mut namespace new nil none None nonlocal not null
nullptr object operator or override package pass private protected pub public raise range readonly ref require rescue
return sealed self short signed sizeof static struct super switch template then this throw throws trait true True
False try type typedef typename undefined union unless unsafe unsigned until use using val var virtual void volatile
when where while with yield
"""
_KEYWORDS: Final = frozenset(_KEYWORD_LIST.split())
_KEYWORDS_OF: Final = {"python": frozenset(keyword.kwlist), "pypy": frozenset(keyword.kwlist)}
_DEFINING_KEYWORDS: Final = frozenset({
    "class", "def", "enum", "fn", "fun", "func", "function", "interface", "module", "namespace", "object", "struct",
    "trait", "type", "union",
})  # fmt: skip


def highlight(program: str, language: str) -> Markup:
    """Return a program as HTML with classes only (k, s, c, m, and d for defined names), every character escaped.

    Takes time linear in the program's length.
    """
    pattern = token_pattern(language)
    if pattern is None:
        return Markup("<pre>{}</pre>").format(program)
    parts, position, defines = list[str](), 0, False
    keywords = _KEYWORDS_OF.get(language, _KEYWORDS)
    for match in pattern.finditer(program):
        kind, text = match.lastgroup, match[0]
        if kind == "word":
            kind = "k" if text in keywords else "d" if defines else None
            defines = kind == "k" and text in _DEFINING_KEYWORDS
        if kind is not None:
            parts.append(f'{escape(program[position : match.start()])}<span class="{kind}">{escape(text)}</span>')
            position = match.end()
    return Markup(f"<pre>{''.join(parts)}{escape(program[position:])}</pre>")  # noqa: S704  # every part is escaped


@cache
def token_pattern(language: str) -> re.Pattern[str] | None:
    """Return the token pattern of a language; None if it is not known."""
    if language not in _LANGUAGES:
        return None
    comments, texts = _LANGUAGES[language]
    number, word = r"\d[\w.]*+(?:'\d[\w.]*+)*+", r"[^\W\d]\w*+"
    return re.compile(f"(?P<c>{comments})|(?P<s>{texts})|(?P<m>{number})|(?P<word>{word})", re.MULTILINE | re.DOTALL)
