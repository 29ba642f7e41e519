"""Programs without a fence: where one begins and ends between the prose around it."""

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Final

from app.domain.asking.markdown.forms import FORMS, ProgramForm

MAX_BARE_CHARS: Final = 65_536  # of a text that is tried as a program; Python's parser is safe up to this length
_MAX_STARTS, _MAX_CUTS = 12, 8  # lines tried as the beginning of a Python program, and lines of prose tried as its end
_MAX_PARSED_CHARS: Final = 8 * MAX_BARE_CHARS  # of all attempts together

# A line of prose: words as in a sentence, a heading, a list item, a tag or a fence, or letters of scripts that occur in
# programs only in strings and comments.
_PROSE = re.compile(
    r"(?:[A-Z][\w'\u2019`()^*,/-]*+(?: +[^\s;{}=]+)+ *[.:!?,]?|[A-Z][\w'\u2019-]*+[.:!?]|[a-z]+(?: +[a-z',.:-]+){3,}"
    r"|[A-Z][a-z]++,? (?:[^;{}]*+(?<=:)|.*+(?<=[.!?]))|[a-z]++(?: +[^\s;{}]+){3,}(?<=[.!?])"
    r"|(?:\*\*|#{1,6} |[-*+>\u2022] |\d{1,3}[.)] |---|===|___|</?\w{1,30}>|<\||`).*+"
    r"|[^\"'`(){}\[\]=#;/\n]*?[\u0400-\u04ff\u3001\u3002\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff0c\uff1a].*+)\Z"
)
_WORD = re.compile(r"[A-Za-z+#]+\d*:?")  # such as a language name above copied code
_WRAPPER = re.compile(r"\A\s*+<(answer|code|solution|response|output|program)>(.*?)(?:</\1>\s*+)?\Z", re.DOTALL)
_ALIASES: Mapping[str, str] = {"pypy": "python"}


def looks_like_program(code: str, language: str) -> bool:
    """Return whether a line of a text begins like a program of a language; always True for an unknown language."""
    form, code = FORMS.get(_ALIASES.get(language, language)), code[:MAX_BARE_CHARS]
    return form is None or form.signs.search(code) is not None or is_program(code, language)


def is_program(text: str, language: str) -> bool:
    """Return whether a whole text is a program without prose before or after it."""
    program = bare_program(text, language)
    return program is not None and program.strip() == text.strip()


def bare_program(text: str, language: str) -> str | None:
    """Return the program in a text without fences, without the prose around it; None if nothing is clearly a program.

    Python that does not parse is not a program, nor is a text of more than `MAX_BARE_CHARS`. Linear in `len(text)`.
    """
    language = _ALIASES.get(language, language)
    form = FORMS.get(language)
    if form is None or len(text) > MAX_BARE_CHARS:
        return None
    if (wrapped := _WRAPPER.match(text)) is not None:
        text = wrapped[2]
    return _bare_python(text, form) if language == "python" else _bare_by_form(text, form)


def parses_as_python(text: str) -> bool:
    """Return whether a text is valid Python."""
    return isinstance(_parse_python(text), ast.Module)


def is_prose(line: str) -> bool:
    """Return whether a line reads as a sentence, a heading or a list item, and is not indented."""
    return line[:1].strip() != "" and _PROSE.match(line.rstrip()) is not None


def _bare_by_form(text: str, form: ProgramForm) -> str | None:
    sign = form.begins.search(text)
    if sign is None:
        return None
    begins = _program_start(text, sign.start(), form)
    ends = begins
    for match in form.ends.finditer(text, sign.start()):
        ends = match.end()
    code = text[begins : _next_prose_start(text, max(ends, sign.end()))]
    return _tidy_ends(code, text) if form.holds.search(code) else None


def _bare_python(text: str, form: ProgramForm) -> str | None:
    if isinstance(module := _parse_python(text), ast.Module):
        return _strip_prose(text, module).lstrip("\n") if _has_effect(module) else None
    left = _MAX_PARSED_CHARS
    for tried, sign in enumerate(form.begins.finditer(text)):
        lines = text[_program_start(text, sign.start(), form) :].split("\n")
        for _ in range(_MAX_CUTS):
            code = "\n".join(lines)
            left -= len(code)
            if tried == _MAX_STARTS or left < 0:
                return None
            if isinstance(module := _parse_python(code), ast.Module):
                if _has_effect(module) and form.holds.search(code):
                    return _tidy_ends(_strip_prose(code, module), text)
                break
            at = _last_prose_line(lines, module)
            if at is None:
                break
            lines = lines[:at]
    return None


def _program_start(text: str, begins: int, form: ProgramForm) -> int:
    """Return a program's start: comments and adjoining lines that are not prose belong to its first certain line."""
    above = begins
    while above > 0:
        start = text.rfind("\n", 0, above - 1) + 1
        line = text[start : above - 1].strip()
        is_comment = form.comment.match(line) is not None
        if not is_comment and (begins != above or is_prose(line) or _WORD.fullmatch(line)):
            break
        above = start
        if line:
            begins = above
    return begins


def _next_prose_start(text: str, at: int) -> int:
    """Return where the first line of prose after a place begins; the end of the text if there is none."""
    while (begins := text.find("\n", at) + 1) > 0:
        ends = text.find("\n", begins)
        if is_prose(text[begins : len(text) if ends < 0 else ends]):
            return begins
        at = begins
    return len(text)


def _last_prose_line(lines: list[str], wrong: int | None) -> int | None:
    """Return the number of the line of prose that is not valid Python: the named one, or the one it continues."""
    at = None if wrong is None else min(wrong, len(lines)) - 1
    while at is not None and at > 0 and not is_prose(lines[at]):
        if lines[at].strip() and lines[at][0] not in " \t)]}#":
            return None  # invalid code does not end a program
        at -= 1
    return at or None


def _tidy_ends(code: str, text: str) -> str:
    return text.lstrip("\n") if code.strip() == text.strip() else code.strip("\n").rstrip() + "\n"


def _parse_python(text: str) -> ast.Module | int | None:
    """Return the module, or the number of the invalid line; None if that is unknown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in a model's string are not our warnings
            return ast.parse(text)
    except SyntaxError as wrong:
        return wrong.lineno or None
    except (ValueError, MemoryError, RecursionError):
        return None


def _has_effect(module: ast.Module) -> bool:
    """Return whether a module does more than name things: a lone word, or a word with a colon, is prose."""
    return not all(map(_is_idle, module.body))


def _is_idle(node: ast.stmt) -> bool:
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    return isinstance(node, ast.Expr) and not any(
        isinstance(part, ast.Call | ast.Await | ast.NamedExpr) for part in ast.walk(node.value)
    )


def _strip_prose(code: str, module: ast.Module) -> str:
    """Return a program without words before and after it that happen to parse, such as "Done"."""
    body = module.body
    first = next(
        at for at, node in enumerate(body) if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Name))
    )
    last = next(at for at in range(len(body) - 1, -1, -1) if not _is_idle(body[at]) or _is_text(body[at]))
    lines = code.split("\n")
    if last < len(body) - 1:
        lines = [*lines[: body[last].end_lineno], ""]
    return "\n".join(lines[body[first - 1].end_lineno if first else 0 :])


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_session(code: str) -> bool:
    """Return whether a text is a session with an interpreter, such as a doctest."""
    return code.lstrip().startswith((">>> ", "In [1]:", "$ "))
