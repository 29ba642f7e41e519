"""Macros of TeX statements: definitions are removed and their uses replaced, as TeX does.

Verbatim text and comments stay as they are. The number of uses and the length of inserted text are bounded.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from scrapers.packages.tex_words import VERBATIM

MAX_EXPANSIONS: Final = 20_000
MAX_EXPANDED_CHARS: Final = 1 << 20
_MAX_PARAMETERS: Final = 9

_TOKEN: Final = re.compile(r"\\(?:[A-Za-z]+|.|\Z)|[{}%]|[^\\{}%]+", re.DOTALL)
_BLANKS: Final = re.compile(r"\s*")
_INDENT: Final = re.compile(r"[ \t]*")
_COMMENT: Final = re.compile(r"%[^\n]*(?:\n[ \t]*)?")
_BODY_BREAK: Final = re.compile(r"(\n[ \t]*\n\s*)|\n[ \t]*")
_PARAMETERS: Final = re.compile(r"(?:\s*#[1-9])*\s*")
_OPTION: Final = re.compile(r"[ \t]*(?:\n[ \t]*)?\[")
_PLACE: Final = re.compile(r"#([1-9#])")
_REST_OF_LINE: Final = re.compile(r"[ \t]*(?:%[^\n]*)?\n")
_PREFIXES: Final = frozenset({"long", "global", "protected", "outer", "makeatletter", "makeatother"})
# Redefining these would number lists differently from how they are shown.
_LABELS: Final = re.compile(r"(?:labelenum|theenum)i+v?")


class UnsupportedTex(Exception):
    """Unsupported TeX, with its line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


class Macro(NamedTuple):
    """Definition of a command; its first parameter is optional if there is a default.

    `is_command` marks an alias of a built-in command of TeX, whatever that is defined to be later.
    """

    parameters: int
    body: str
    default: str | None = None
    is_command: bool = False


@dataclass(slots=True)
class Macros:
    """Macros that the texts of one document define, and the constants that `\\constant` names."""

    by_name: dict[str, Macro] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)


def expand_macros(tex: str, macros: Macros) -> str:
    """Return the text with all macros expanded; its definitions are added to `macros`. Raises UnsupportedTex."""
    if "\\" not in tex:
        return tex
    return _Expansion(tex, macros).run()


class _Expansion:
    """One pass over the text. The expansion of a macro is read before the rest of the text around it."""

    def __init__(self, tex: str, macros: Macros) -> None:
        self._macros = macros
        self._texts: list[tuple[str, int]] = [(tex, 0)]  # with how far each was read, the innermost last
        self._out: list[str] = []
        self._after_word = False
        self._counted, self._lines = 0, 1
        self._expansions, self._chars = MAX_EXPANSIONS, MAX_EXPANDED_CHARS

    def unsupported_error(self, reason: str) -> UnsupportedTex:
        return UnsupportedTex(self._line(), reason)

    def run(self) -> str:
        while piece := self._next():
            if piece == "%":
                self._write(piece + self._until("\n", "a comment", needed=False))
            elif len(piece) > 1 and piece[0] == "\\" and piece[1].isalpha():
                self._command(piece[1:])
            else:
                self._write(piece)
        return "".join(self._out)

    def _line(self) -> int:
        text, at = self._texts[0]
        if at > self._counted:
            self._lines += text.count("\n", self._counted, at)
            self._counted = at
        return self._lines

    # --- reading ---

    def _match(self, pattern: re.Pattern[str]) -> str:
        """Return what a pattern, which may match nothing, matches next in the innermost text that has not ended."""
        while len(self._texts) > 1 and self._texts[-1][1] >= len(self._texts[-1][0]):
            self._texts.pop()
        text, at = self._texts[-1]
        match = pattern.match(text, at)
        if match is None:
            return ""
        self._texts[-1] = (text, match.end())
        return match[0]

    def _next(self) -> str:
        """Return the next command, brace, % or run of other characters; "" at the end."""
        return self._match(_TOKEN)

    def _step_back(self, length: int) -> None:
        text, at = self._texts[-1]
        self._texts[-1] = (text, at - length)

    def _until(self, end: str, what: str, *, needed: bool = True) -> str:
        """Return the innermost text up to and including `end`."""
        text, at = self._texts[-1]
        position = text.find(end, at)
        if position < 0 and needed:
            raise self.unsupported_error(f"{what} without its end")
        stop = len(text) if position < 0 else position + len(end)
        self._texts[-1] = (text, stop)
        return text[at:stop]

    def _skip_blanks(self) -> None:
        while self._match(_BLANKS) or self._match(_COMMENT):
            pass

    def _take(self, character: str) -> bool:
        self._skip_blanks()
        return bool(self._match(re.compile(re.escape(character))))

    def _argument(self) -> str:
        """Return the next group without its braces, or the next command or character."""
        self._skip_blanks()
        piece = self._next()
        if piece == "{":
            return self._balanced("}")
        if piece in ("", "}"):
            raise self.unsupported_error("a command without its argument")
        if piece[0] != "\\":
            self._step_back(len(piece) - 1)
            return piece[0]
        return piece

    def _balanced(self, end: str) -> str:
        """Return the text up to `end` outside of all groups, and move past it."""
        parts: list[str] = []
        depth = 0
        while True:
            piece = self._next()
            if piece == "%":
                self._until("\n", "a comment", needed=False)
                self._match(_INDENT)
                continue
            at = piece.find(end) if depth == 0 else -1
            if at >= 0:
                self._step_back(len(piece) - at - 1)
                return "".join([*parts, piece[:at]])
            depth += {"{": 1, "}": -1}.get(piece, 0)
            if not piece or depth < 0:
                raise self.unsupported_error("a group without its end")
            parts.append(piece)

    def _optional(self) -> str | None:
        return self._balanced("]") if self._take("[") else None

    def _name(self) -> str:
        """Return the name of the command being defined, from `\\x` or `{\\x}`. Raises UnsupportedTex for anything
        else."""
        name = self._argument().strip()
        if not re.fullmatch(r"\\[A-Za-z]+", name):
            raise self.unsupported_error(f"a definition of {name!r:.40}, which is no command")
        if _LABELS.fullmatch(name[1:]):
            raise self.unsupported_error(f"a definition of {name}, which numbers lists in another way")
        return name[1:]

    # --- writing ---

    def _write(self, text: str) -> None:
        """Write text unchanged, with a blank between two words that an expansion brought together."""
        if self._after_word and text[:1].isascii() and text[:1].isalpha():
            self._out.append(" ")
        self._out.append(text)
        self._after_word = False

    # --- commands ---

    def _command(self, name: str) -> None:
        macro = self._macros.by_name.get(name)
        if macro is not None:
            self._use(macro)
        elif name in _DEFINITIONS:
            self._define(_DEFINITIONS[name])
        elif name == "constant":
            self._constant()
        elif name == "xspace":
            self._xspace()
        elif name == "verb":
            self._write("\\verb" + self._match(re.compile(r"\*?")))
            mark = self._match(re.compile(r"[^\s]"))
            self._write(mark + self._until(mark, "a verbatim word") if mark else "")
        elif name == "begin":
            self._begin()
        elif name not in _PREFIXES:
            self._write(f"\\{name}")
            self._after_word = True

    def _begin(self) -> None:
        self._write("\\begin")
        environment = self._match(re.compile(r"\s*\{[^{}\\%\n]*\}"))
        if (name := environment.strip()[1:-1].strip()) in VERBATIM:
            environment += self._until(f"\\end{{{name}}}", f"environment {name}")
        self._write(environment)

    def _use(self, macro: Macro) -> None:
        if macro.is_command:
            self._write(macro.body)
            self._after_word = macro.body[-1:].isalpha()
            return
        arguments = []
        if macro.default is not None:
            arguments.append(self._balanced("]") if self._match(_OPTION) else macro.default)
        arguments += [self._argument() for _each in range(macro.parameters - len(arguments))]
        if macro.parameters == (macro.default is not None):
            self._match(_INDENT)  # it ends the command
        places = [match[1] for match in _PLACE.finditer(macro.body)]
        self._push(
            len(macro.body) + sum(len(arguments[int(place) - 1]) for place in places if place != "#"),
            lambda: _PLACE.sub(lambda match: "#" if match[1] == "#" else arguments[int(match[1]) - 1], macro.body),
        )

    def _push(self, length: int, text: Callable[[], str]) -> None:
        """Read this text next. Raises UnsupportedTex if the limit of expansions is reached."""
        self._expansions -= 1
        self._chars -= length
        if self._expansions < 0 or self._chars < 0:
            raise self.unsupported_error("its macros expand to too much, or without end")
        self._texts.append((text(), 0))

    def _constant(self) -> None:
        name = self._argument().strip()
        value = self._macros.constants.get(name)
        if value is None:
            raise self.unsupported_error(f"the constant {name!r:.60} is not defined")
        self._push(len(value), lambda: re.sub(r"(?<!\\)%", r"\\%", value))

    def _xspace(self) -> None:
        following = self._match(re.compile(r"[A-Za-z0-9($`]"))
        if following:
            self._step_back(1)
            self._write(" ")

    def _define(self, kind: str) -> None:
        line = self._line()
        if kind == "operator":
            star, name = "*" if self._take("*") else "", self._name()
            macro = Macro(0, f"\\operatorname{star}{{{_body(self._argument())}}}")
        elif kind == "let":
            name = self._name()
            self._take("=")
            target = self._argument()
            macro = self._macros.by_name.get(target.removeprefix("\\"), Macro(0, target, is_command=True))
        elif kind == "def":
            name = self._name()
            parameters = self._match(_PARAMETERS)
            if not self._take("{"):
                raise self.unsupported_error(f"a definition of \\{name} whose arguments have delimiters")
            macro = Macro(parameters.count("#"), _body(self._balanced("}")))
        else:
            self._take("*")
            name = self._name()
            count, default = (self._optional() or "0").strip(), self._optional()
            if not count.isdecimal() or not (default is not None) <= int(count) <= _MAX_PARAMETERS:
                raise self.unsupported_error(f"a definition of \\{name} with {count!r:.20} arguments")
            macro = Macro(int(count), _body(self._argument()), default)
        places = [int(match[1]) for match in _PLACE.finditer(macro.body) if match[1] != "#"]
        if max(places, default=0) > macro.parameters:
            raise self.unsupported_error(f"a definition of \\{name} that uses more arguments than it takes")
        if kind != "provide" or name not in self._macros.by_name:
            self._macros.by_name[name] = macro
        self._match(_REST_OF_LINE)
        self._out.append("%\n" * (self._line() - line))  # lines keep their numbers


def _body(text: str) -> str:
    """Return the body of a definition in one line."""
    return _BODY_BREAK.sub(lambda match: "\\par " if match[1] else " ", text)


_DEFINITIONS: Final = {
    "newcommand": "new", "renewcommand": "new", "DeclareRobustCommand": "new", "providecommand": "provide",
    "DeclareMathOperator": "operator", "def": "def", "gdef": "def", "let": "let",
}  # fmt: skip
