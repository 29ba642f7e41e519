"""Mutants of C++ programs, by tokens: nothing is parsed, so some do not compile and do not count."""

import re
from collections.abc import Iterator

from app.domain.testgen.mutants.python import SLOWER

_TOKEN = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|\b(?:using|typedef|template|operator)\b[^;{]*)"
    r"|(?P<number>\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?[uUlLfF]*\b)|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|<=>|->|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=&|^!~?:;,.(){}\[\]])",
    re.MULTILINE | re.DOTALL,
)
_MAX_CHARS = 60_000
# Delays the n-th iteration of a loop by n empty steps.
_DELAY = " if ([]{ static long long n = 0; for (volatile long long k = 0; k < n; k = k + 1); return ++n > 0; }())"
_OPERATORS: dict[str, tuple[tuple[str, str], ...]] = {
    "<": (("boundary", "<="), ("comparison", ">")),
    "<=": (("boundary", "<"), ("comparison", ">=")),
    ">": (("boundary", ">="), ("comparison", "<")),
    ">=": (("boundary", ">"), ("comparison", "<=")),
    "==": (("comparison", "!="),),
    "!=": (("comparison", "=="),),
    "&&": (("connective", "||"),),
    "||": (("connective", "&&"),),
    "+": (("arithmetic", "-"),),
    "-": (("arithmetic", "+"),),
    "*": (("arithmetic", "+"),),
    "/": (("division", "*"),),
    "%": (("modulo", "+ 0 *"),),
    "+=": (("arithmetic", "-="),),
    "-=": (("arithmetic", "+="),),
    "++": (("arithmetic", "--"),),
    "--": (("arithmetic", "++"),),
    "%=": (("modulo", "+= 0 *"),),
    "&": (("arithmetic", "|"),),
    "^": (("arithmetic", "|"),),
}
_WORDS: dict[str, tuple[tuple[str, str], ...]] = {
    "min": (("extreme", "max"),),
    "max": (("extreme", "min"),),
    "lower_bound": (("extreme", "upper_bound"),),
    "upper_bound": (("extreme", "lower_bound"),),
    "true": (("constant", "false"),),
    "false": (("constant", "true"),),
    "break": (("flow", ""),),
    "continue": (("flow", "break"),),
    "else": (("branch", "; if (false)"),),
    "int64_t": (("overflow", "int"),),
    "ll": (("overflow", "int"),),
    "double": (("overflow", "float"),),
}


def cpp_mutants(code: str, _entry: str | None = None) -> list[tuple[str, int, str]]:
    """Return (operator, line, source) of each mutant."""
    if len(code) > _MAX_CHARS:
        return []
    return [
        (operator, code.count("\n", 0, start) + 1, code[:start] + text + code[end:])
        for start, end, operator, text in _changes(code)
    ]


def _changes(code: str) -> Iterator[tuple[int, int, str, str]]:
    tokens = [match for match in _TOKEN.finditer(code) if match.lastgroup != "skip"]
    for at, token in enumerate(tokens):
        start, end, word = token.start(), token.end(), token.group()
        after = tokens[at + 1].group() if at + 1 < len(tokens) else ""
        if token.lastgroup == "number":
            yield from ((start, end, "constant", text) for text in _numbers(word))
        elif word == "long" and after == "long":
            yield start, tokens[at + 1].end(), "overflow", "int"
        elif word in ("if", "while") and after == "(":
            yield from _conditions(tokens, at)
        elif word == "for" and after == "(":
            closing = _closing(tokens, at + 1)
            if closing is not None:
                yield closing.end(), closing.end(), SLOWER, _DELAY
        elif token.lastgroup == "word":
            yield from ((start, end, operator, text) for operator, text in _WORDS.get(word, ()))
        elif _is_operator(code, start, end, word):
            yield from ((start, end, operator, text) for operator, text in _OPERATORS.get(word, ()))


def _is_operator(code: str, start: int, end: int, word: str) -> bool:
    """Return whether a sign is an operator: signs of templates, references and pointers have uneven white space."""
    if word in ("<", ">", "&", "*", "-"):
        return code[start - 1 : start].isspace() == code[end : end + 1].isspace() and (
            code[start - 1 : start].isspace() or word not in ("<", ">", "&")
        )
    return True


def _numbers(word: str) -> Iterator[str]:
    digits = re.match(r"\d+(?![\d.eE])", word)
    if digits is not None:
        value, ending = int(digits.group()), word[digits.end() :]
        yield f"{value + 1}{ending}"
        if value > 0:
            yield f"{value - 1}{ending}"


def _closing(tokens: list["re.Match[str]"], at: int) -> "re.Match[str] | None":
    """Return the bracket that closes the one at this place."""
    depth = 0
    for token in tokens[at:]:
        depth += {"(": 1, ")": -1}.get(token.group(), 0)
        if depth == 0:
            return token
    return None


def _conditions(tokens: list["re.Match[str]"], at: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield the changes of an `if` condition to true, and to false."""
    closing = _closing(tokens, at + 1)
    if closing is None:
        return
    start = tokens[at + 1].start()
    if tokens[at].group() == "if":
        yield start, closing.end(), "branch", "(true)"
    yield start, closing.end(), "branch", "(false)"
