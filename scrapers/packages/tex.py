"""Statements written in TeX, as plain text with formulas kept as TeX between dollar signs.

Only known commands are read. An unknown one makes the statement unreadable, because it could stand for a part of the
problem.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final, NamedTuple

from scrapers.packages import tex_words as words
from scrapers.packages.tex_macros import Macros, UnsupportedTex, expand_macros

_MAX_DEPTH: Final = 40
_ENSURE: Final = re.compile(r"\\ensuremath(?![A-Za-z])[ \t]*")  # has no effect within a formula
_TOKEN: Final = re.compile(r"[\\{}$%~&]|---?|``|''")


class PlainStatement(NamedTuple):
    """A statement as plain text, its title ("" for none), and whether it shows images."""

    text: str
    title: str
    images: bool


def plain_text(tex: str, macros: Macros | None = None) -> PlainStatement:
    """Read a statement, with the macros of earlier texts. Raises UnsupportedTex."""
    reader = _TexReader(expand_macros(tex.replace("\r\n", "\n"), macros or Macros()))
    text = _tidy(reader.read(lambda: False))
    return PlainStatement(text, _tidy(reader.title), reader.images)


def _tidy(text: str) -> str:
    """Reduce blank lines to one between paragraphs, and drop trailing blanks; fenced code stays as it is."""
    parts = []
    for number, part in enumerate(re.split(r"(?m)(^```\n.*?^```$)", text, flags=re.DOTALL)):
        if number % 2 == 0:
            part = re.sub(r"\n{3,}", "\n\n", re.sub(r"(?m)(?<![ \t])[ \t]+$", "", part))
        parts.append(part)
    return "".join(parts).strip()


class _TexReader:
    """One pass over the text; `_at` is the position reached."""

    def __init__(self, tex: str) -> None:
        self._tex, self._at, self._depth = tex, 0, 0
        self._items: list[int | None] = []  # of the enclosing lists: the number of the last item, None without numbers
        self._mono = False
        self.title, self.images = "", False

    def unsupported_error(self, reason: str) -> UnsupportedTex:
        return UnsupportedTex(self._tex.count("\n", 0, self._at) + 1, reason)

    def read(self, ended: Callable[[], bool]) -> str:
        """Return the text up to where `ended` is true (it moves past the end mark), or to the end of all if nothing is
        open."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self.unsupported_error(f"nested more than {_MAX_DEPTH} deep")
        out: list[str] = []
        while True:
            token = _TOKEN.search(self._tex, self._at)
            out.append(self._tex[self._at : token.start() if token else len(self._tex)])
            if token is None:
                self._at = len(self._tex)
                if self._depth > 1:
                    raise self.unsupported_error("the text ends within a group or an environment")
                break
            self._at = token.start()
            if ended():
                break
            self._at = token.end()
            out.append(self._special(token[0]))
        self._depth -= 1
        return "".join(out)

    def _special(self, token: str) -> str:
        match token:
            case "\\":
                return self._command()
            case "{":
                return self.read(lambda: self._take("}"))
            case "}":
                raise self.unsupported_error("a } without its {")
            case "$":
                return self._formula("$$") if self._take("$") else self._formula("$")
            case "%":
                end = self._tex.find("\n", self._at)
                self._at = len(self._tex) if end < 0 else end + 1
                return ""
            case "~":
                return " "
            case "&":
                return "&"
        return token if self._mono else words.LIGATURES[token]

    def _take(self, text: str) -> bool:
        if not self._tex.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _skip_blanks(self) -> None:
        blanks = words.BLANKS.match(self._tex, self._at)
        assert blanks is not None  # it may be empty
        self._at = blanks.end()

    def _until(self, end: str, what: str) -> str:
        """Return the raw text up to `end`, and move past it."""
        position = self._tex.find(end, self._at)
        if position < 0:
            raise self.unsupported_error(f"{what} without its end")
        text, self._at = self._tex[self._at : position], position + len(end)
        return text

    def _formula(self, mark: str, end: str = "") -> str:
        """Return a formula with its TeX unchanged."""
        start, end = self._at, end or mark
        while not self._tex.startswith(end, self._at):
            if self._at >= len(self._tex):
                self._at = start
                raise self.unsupported_error("a formula without its end")
            self._at += 2 if self._tex[self._at] == "\\" and not self._tex.startswith(end, self._at) else 1
        body = _ENSURE.sub("", self._tex[start : self._at]).strip()
        self._at += len(end)
        return f"{mark}{body}{mark}"

    # --- arguments ---

    def _optional(self) -> None:
        if self._tex.startswith("[", self._at):
            self._until("]", "an option")

    def _argument(self) -> str:
        """Return the next group as plain text; a single character if there is no group."""
        self._skip_blanks()
        if self._take("{"):
            return self.read(lambda: self._take("}"))
        self._at += 1
        return self._tex[self._at - 1 : self._at]

    def _raw(self) -> str:
        """Return the next group unchanged; nested groups are counted."""
        self._skip_blanks()
        if not self._take("{"):
            raise self.unsupported_error("a command without its argument")
        start, depth = self._at, 1
        while depth:
            if self._at >= len(self._tex):
                raise self.unsupported_error("a group without its end")
            depth += {"{": 1, "}": -1}.get(self._tex[self._at], 0)
            self._at += 1
        return self._tex[start : self._at - 1]

    # --- commands ---

    def _command(self) -> str:
        name = words.NAME.match(self._tex, self._at)
        if name is not None:
            self._at = name.end()
            self._take("*")
            return self._named_command(name[0])
        character = self._tex[self._at : self._at + 1]
        self._at += 1
        match character:
            case "\\":
                self._take("*")
                self._optional()
                return "\n"
            case "(":
                return self._formula("$", "\\)")
            case "[":
                return self._formula("$$", "\\]")
        if character in words.ACCENTS:
            return self._accent(words.ACCENTS[character])
        if character in words.ESCAPED:
            return words.ESCAPED[character]
        raise self.unsupported_error(f"the command \\{character} is not known")

    def _accent(self, mark: str) -> str:
        letter = self._argument()
        if len(letter) != 1:
            raise self.unsupported_error("an accent on something other than a letter")
        return unicodedata.normalize("NFC", {"\N{LATIN SMALL LETTER DOTLESS I}": "i"}.get(letter, letter) + mark)

    def _named_command(self, name: str) -> str:
        if name in words.SYMBOLS:
            self._blank_after_word()
            return words.SYMBOLS[name]
        if name in words.MONO | words.INLINE | words.IGNORED:
            return self._font(name)
        if name in words.SECTIONS:
            return f"\n\n## {self._argument().strip()}\n\n"
        if name in words.DROPPED:
            for _ in range(words.DROPPED[name]):
                self._optional()
                self._raw()
            return ""
        if name in words.ACCENT_WORDS:
            return self._accent(words.ACCENT_WORDS[name])
        special = _COMMANDS.get(name)
        if special is None:
            raise self.unsupported_error(f"the command \\{name} is not known")
        return special(self)

    def _blank_after_word(self) -> None:
        """Skip the blanks that end a command word, but not the end of a paragraph."""
        if not self._take("{}"):
            while self._tex.startswith((" ", "\t"), self._at):
                self._at += 1

    def _font(self, name: str) -> str:
        """Return the text of a font command's group; a font from here on is dropped, as plain text does not show it."""
        if not self._tex.startswith("{", self._at) or name in words.IGNORED:
            self._blank_after_word()
            return ""
        self._mono, before = self._mono or name in words.MONO, self._mono
        text = self._argument()
        self._mono = before
        return f"`{text}`" if name in words.MONO and text.strip() and "`" not in text and "\n" not in text else text

    def _title(self) -> str:
        self.title = self._argument()
        return ""

    def _verb(self) -> str:
        character = self._tex[self._at : self._at + 1]
        self._at += 1
        return f"`{self._until(character, 'a verbatim word')}`" if character.strip() else self._reject_verbatim()

    def _reject_verbatim(self) -> str:
        raise self.unsupported_error("a verbatim command without its delimiters")

    def _link(self) -> str:
        address, text = self._raw(), self._argument()
        return f"{text} ({address})"

    def _image(self) -> str:
        self._optional()
        self.images = True
        return f"[image: {self._raw().strip()}]"

    def _illustration(self) -> str:
        self._raw()
        return f"\n\n{self._image()} {self._argument()}\n\n"

    def _footnote(self) -> str:
        return f" ({self._argument().strip()})"

    def _item(self) -> str:
        if not self._items:
            raise self.unsupported_error("an \\item outside of a list")
        self._skip_blanks()
        label = ""
        if self._take("["):
            label = self._until("]", "an option").strip() + " "
            self._skip_blanks()
        number = self._items[-1]
        if number is not None:
            self._items[-1] = number + 1
        mark = "-" if number is None else f"{number + 1}."
        return f"\n{'  ' * (len(self._items) - 1)}{mark} {label}"

    def _multicolumn(self) -> str:
        self._raw()
        self._raw()
        return self._argument()

    def _epigraph(self) -> str:
        return f"\n\n{self._argument()} \N{EM DASH} {self._argument()}\n\n"

    def _ensuremath(self) -> str:
        return f"${self._raw()}$"

    # --- environments ---

    def _begin(self) -> str:
        name = self._raw().strip()
        if name in words.VERBATIM:
            self._optional()
            body = self._until(f"\\end{{{name}}}", f"environment {name}").strip("\n")
            if "```" in body:
                raise self.unsupported_error("a fence within verbatim text")
            return f"\n\n```\n{body}\n```\n\n"
        if name in words.DISPLAYED:
            body = self._until(f"\\end{{{name}}}", f"environment {name}").strip()
            single = name.startswith(("equation", "displaymath", "math"))
            return f"$${body}$$" if single else f"$$\\begin{{{name}}}{body}\\end{{{name}}}$$"
        if name in words.LISTS:
            return self._list(name)
        if name in words.TABLES:
            for _each in range(words.TABLES[name]):
                self._optional()
                self._raw()
            return f"\n\n{_rows(self._body(name))}\n\n"
        if name in words.SECTION_BODIES:
            return f"\n\n## {name}\n\n{self._body(name)}\n\n"
        if name not in words.WRAPPERS:
            raise self.unsupported_error(f"the environment {name} is not known")
        self._optional()
        for _each in range(words.WRAPPERS[name]):
            self._raw()
        return f"\n\n{self._body(name)}\n\n"

    def _body(self, name: str) -> str:
        return self.read(lambda: self._take(f"\\end{{{name}}}"))

    def _list(self, name: str) -> str:
        self._optional()
        self._items.append(0 if "enum" in name else None)
        body = self._body(name)
        self._items.pop()
        return f"\n{body.rstrip()}\n" if self._items else f"\n\n{body.strip()}\n\n"

    def _end(self) -> str:
        raise self.unsupported_error("an \\end without its \\begin")


def _rows(body: str) -> str:
    lines = (line.strip() for line in body.split("\n"))
    return "\n".join(" | ".join(cell.strip() for cell in line.split("&")) for line in lines if line)


_COMMANDS: Final[dict[str, Callable[[_TexReader], str]]] = {
    "problemname": _TexReader._title, "plainproblemname": _TexReader._title, "verb": _TexReader._verb,
    "href": _TexReader._link, "url": _TexReader._raw, "includegraphics": _TexReader._image,
    "illustration": _TexReader._illustration, "footnote": _TexReader._footnote, "item": _TexReader._item,
    "multicolumn": _TexReader._multicolumn, "begin": _TexReader._begin, "end": _TexReader._end, "ref": _TexReader._raw,
    "cite": _TexReader._raw, "eqref": _TexReader._raw, "multirow": _TexReader._multicolumn,
    "epigraph": _TexReader._epigraph, "ensuremath": _TexReader._ensuremath,
}  # fmt: skip
